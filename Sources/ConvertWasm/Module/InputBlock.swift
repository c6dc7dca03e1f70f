import CWasm

/// The bytes that the host writes before a call.
@safe
struct InputBlock: ~Copyable {
    /// A larger piece is refused, because the host can split it.
    static let maxBytes = 256 << 20
    /// A larger block is not kept.
    private static let maxKeptBytes = 1 << 20

    private(set) var base: UnsafeMutablePointer<UInt8>?
    private var capacity = 0

    deinit { unsafe free(base) }

    /// Makes room for `count` bytes. Returns false if there is no memory for them.
    mutating func reserve(_ count: Int) -> Bool {
        guard 0...Self.maxBytes ~= count else { return false }
        if count <= capacity, capacity <= max(count, Self.maxKeptBytes) { return true }
        unsafe free(base)
        unsafe base = malloc(count)?.bindMemory(to: UInt8.self, capacity: count)
        capacity = unsafe base == nil ? 0 : count
        return unsafe base != nil
    }

    /// Whether the block has room for `count` bytes, and for `more` bytes after them, so that the host can have written them.
    func holds(_ count: Int32, _ more: Int32 = 0) -> Bool {
        count >= 0 && more >= 0 && Int64(count) + Int64(more) <= Int64(capacity)
    }

    /// `count` bytes from `start` on, which must all be in the block.
    @_lifetime(borrow self)
    func bytes(from start: Int32, count: Int32) -> Span<UInt8> {
        precondition(holds(start, count))
        guard let base = unsafe base else { return Span() }
        let span = unsafe Span(_unsafeStart: UnsafePointer(base + Int(start)), count: Int(count))
        return unsafe _overrideLifetime(span, borrowing: self)
    }
}
