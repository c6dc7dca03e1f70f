#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(CWasm)
    import CWasm
#endif

/// Growable bytes with one owner. The engine writes them, and the caller takes them out.
///
/// `removeAll()` keeps the storage for the next use.
@safe
public struct ByteBuffer: ~Copyable, @unchecked Sendable {
    // Sendable: the struct cannot be copied, so its storage has one owner and moves with it. Access from outside ends before that: a span
    // depends on the buffer's lifetime, and a `TokenCursor` on the call that made it. Shared borrows only read: everything that
    // writes is mutating, or a cursor whose maker has the buffer as inout.
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    /// The number of bytes that fit before the storage must grow.
    public private(set) var capacity: Int
    @usableFromInline var end = 0
    /// The number of bytes written.
    public internal(set) var count: Int {
        @inlinable get { end }
        set { end = newValue }
    }

    /// Creates an empty buffer with room for `capacity` bytes.
    public init(capacity: Int = 0) {
        precondition(capacity >= 0)
        self.capacity = capacity
        unsafe base = capacity > 0 ? .allocate(capacity, inPlaceOf: nil) : .noStorage
    }

    deinit { if capacity > 0 { unsafe free(base) } }

    /// Whether the buffer has no bytes.
    @inlinable public var isEmpty: Bool { count == 0 }

    /// The bytes written so far.
    @inlinable public var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            let span = unsafe Span(_unsafeStart: UnsafePointer(base), count: count)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The byte at `index`, which must be below `count`.
    @inlinable public subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < count)
        return unsafe base[index]
    }

    /// Makes room for `additional` more bytes; the storage grows by at least half of its size, and from none to at least 256 bytes.
    @inlinable @inline(__always)
    public mutating func reserve(_ additional: Int) {
        if capacity &- count < additional { grow(additional) }
    }

    @usableFromInline @inline(never)
    mutating func grow(_ additional: Int) {
        precondition(additional >= 0)
        let wanted = max(count + additional, capacity + capacity / 2, 256)
        unsafe base = .allocate(wanted, inPlaceOf: capacity > 0 ? base : nil)
        capacity = wanted
    }

    /// Appends one byte.
    @inlinable @inline(__always)
    public mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe base[end] = byte
        end &+= 1
    }

    /// Appends the bytes of a span.
    public mutating func append(_ bytes: Span<UInt8>) {
        reserve(bytes.count)
        unsafe bytes.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            unsafe (base + count).update(from: start, count: source.count)
        }
        count += bytes.count
    }

    /// Appends the first `length` bytes of another buffer.
    package mutating func append(first length: Int, of other: borrowing ByteBuffer) {
        append(other.bytes.extracting(0..<length))
    }

    /// Appends the bytes of an array.
    public mutating func append(_ bytes: [UInt8]) { append(bytes.span) }

    /// Appends `byte` several times; `count` must not be negative.
    public mutating func append(repeating byte: UInt8, count repeats: Int) {
        precondition(repeats >= 0)
        reserve(repeats)
        unsafe (base + count).update(repeating: byte, count: repeats)
        count += repeats
    }

    /// Appends the UTF-8 bytes of `text`.
    public mutating func append(utf8 text: String) {
        for byte in text.utf8 { append(byte) }
    }

    /// Removes all bytes from `newCount` on.
    @inlinable public mutating func truncate(to newCount: Int) {
        precondition(newCount >= 0 && newCount <= end)
        end = newCount
    }

    /// Removes all bytes and keeps the storage.
    @inlinable public mutating func removeAll() { end = 0 }

    /// Removes all bytes. Storage for more than `maxCapacity` bytes is released.
    package mutating func removeAll(keepingAtMost maxCapacity: Int) {
        if capacity > maxCapacity { self = ByteBuffer() } else { removeAll() }
    }

    /// Removes the last `removed` bytes.
    public mutating func removeLast(_ removed: Int) {
        precondition(removed >= 0 && removed <= count)
        count -= removed
    }

    /// Removes the first `removed` bytes and moves the rest to the front.
    public mutating func removeFirst(_ removed: Int) {
        precondition(removed >= 0 && removed <= count)
        let rest = count - removed
        unsafe base.update(from: base + removed, count: rest)
        count = rest
    }
}

extension Array where Element == UInt8 {
    /// A copy of the bytes in `buffer`.
    public init(_ buffer: borrowing ByteBuffer) {
        self = unsafe buffer.bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
}

extension ByteBuffer {
    /// Whether both have the same bytes.
    func equals(_ other: borrowing ByteBuffer) -> Bool { bytes.equals(other.bytes) }

    /// Whether any byte equals `byte`.
    package func contains(_ byte: UInt8) -> Bool { contains(byte, from: 0, length: count) }

    /// Whether any of the `length` bytes from `start` equals `byte`.
    func contains(_ byte: UInt8, from start: Int, length: Int) -> Bool {
        bytes.firstIndex(of: byte, from: start, to: start + length) < start + length
    }
}

extension Span<UInt8> {
    /// Whether both have the same bytes.
    package func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }
}
