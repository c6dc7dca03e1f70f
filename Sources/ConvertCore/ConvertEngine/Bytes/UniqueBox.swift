/// A heap allocation for a large value that moves between owners. The box has eight bytes, and `Wrapped` may contain boxes of itself.
@safe
@usableFromInline @frozen  // `discard` needs this in Embedded Swift.
struct UniqueBox<Wrapped: ~Copyable>: ~Copyable {
    @usableFromInline let address: UnsafeMutablePointer<Wrapped>

    init(_ value: consuming Wrapped) {
        unsafe address = .allocate(capacity: 1)
        unsafe address.initialize(to: value)
    }

    deinit {
        unsafe address.deinitialize(count: 1)
        unsafe address.deallocate()
    }

    /// The value, without its box.
    consuming func take() -> Wrapped {
        let value = unsafe address.move()
        unsafe address.deallocate()
        discard self
        return value
    }

    var value: Wrapped {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(address) }
        @inline(__always) unsafeMutableAddress { unsafe address }
    }

    /// Returns a count of something in the value, in place. For a getter, the compiler would first copy a large value to the stack.
    ///
    /// - Parameter body: a function that must not change the value, because others may read it at the same time.
    @inline(__always)
    func count(_ body: (inout Wrapped) -> Int) -> Int { unsafe body(&address.pointee) }
}

// Sendable: the box cannot be copied, so its value has one owner and moves with it. Shared borrows only read:
// the functions passed to `count` change nothing, and `unsafeMutableAddress` needs the box as inout.
extension UniqueBox: @unchecked Sendable where Wrapped: Sendable & ~Copyable {}
