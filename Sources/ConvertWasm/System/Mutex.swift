/// Replaces `Synchronization.Mutex` in the engine: a module has one thread, so nothing is locked.
@safe
struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // Sendable: there is no second thread, and a closure of `withLock` does not call the engine.
    private let storage: UnsafeMutablePointer<Value>

    init(_ value: consuming Value) {
        unsafe storage = .allocate(capacity: 1)
        unsafe storage.initialize(to: value)
    }

    deinit {
        unsafe storage.deinitialize(count: 1)
        unsafe storage.deallocate()
    }

    func withLock<Result: ~Copyable>(_ body: (inout Value) -> Result) -> Result { unsafe body(&storage.pointee) }
}
