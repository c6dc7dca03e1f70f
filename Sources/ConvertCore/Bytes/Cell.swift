/// A value in memory of its own, which those who hold the cell share.
///
/// A stored property of a class would do, but for the runtime's tests at each access that no other access is under way, which cost more
/// than the accesses of a coder. They are not needed here, since no access calls out of the module, let alone back to the cell.
@safe
final class Cell<Value: ~Copyable> {
    private let storage: UnsafeMutablePointer<Value>

    init(_ value: consuming Value) {
        unsafe storage = .allocate(capacity: 1)
        unsafe storage.initialize(to: value)
    }

    deinit {
        unsafe storage.deinitialize(count: 1)
        unsafe storage.deallocate()
    }

    var value: Value {
        @inline(__always)
        unsafeAddress { unsafe UnsafePointer(storage) }
        @inline(__always)
        unsafeMutableAddress { unsafe storage }
    }
}

// A cell is handed from one task to another only when nobody else holds it.
extension Cell: @unchecked Sendable where Value: Sendable & ~Copyable {}
