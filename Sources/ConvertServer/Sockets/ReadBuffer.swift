/// The read buffer of one event loop, for one connection at a time.
@safe
package struct ReadBuffer: ~Copyable {
    /// The most bytes that one turn of one connection reads.
    package static let capacity = 128 * 1024

    private(set) var base: UnsafeMutableRawPointer
    private(set) var count = 0

    package init() {
        unsafe base = .allocate(byteCount: Self.capacity, alignment: 64)
        // Initialized once, so that no span can ever show uninitialized memory.
        unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: Self.capacity)
    }

    deinit { unsafe base.deallocate() }

    /// Sets the number of filled bytes.
    mutating func setCount(_ count: Int) {
        precondition(count >= 0 && count <= Self.capacity)
        self.count = count
    }

    /// The bytes that were filled last.
    package var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            let span = unsafe Span<UInt8>(_unsafeStart: base.assumingMemoryBound(to: UInt8.self), count: count)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }
}
