/// Where a large value lives that is handed around: its owner is eight bytes, and a value of this kind may own another one.
@safe
struct UniqueBox<Wrapped: ~Copyable>: ~Copyable {
    private let address: UnsafeMutablePointer<Wrapped>

    init(_ value: consuming Wrapped) {
        unsafe address = .allocate(capacity: 1)
        unsafe address.initialize(to: value)
    }

    deinit {
        unsafe address.deinitialize(count: 1)
        unsafe address.deallocate()
    }

    var value: Wrapped {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(address) }
        @inline(__always) unsafeMutableAddress { unsafe address }
    }

    /// Counts something of the value in place. To call a getter of a large value, the compiler would first copy it to the stack.
    ///
    /// - Parameter body: must not change the value, which others may read at the same time.
    @inline(__always)
    func count(_ body: (inout Wrapped) -> Int) -> Int { unsafe body(&address.pointee) }
}

// Sendable: the box cannot be copied, so that its value has one owner, and goes where that goes. Borrowed by several, it is only read:
// `count` is given functions that change nothing, and `unsafeMutableAddress` needs the box inout.
extension UniqueBox: @unchecked Sendable where Wrapped: Sendable & ~Copyable {}
