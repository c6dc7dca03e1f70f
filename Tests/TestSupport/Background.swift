import Dispatch

/// Work on its own thread; the caller can wait for its end.
package struct Background {
    private let done = DispatchSemaphore(value: 0)

    package init(_ work: @escaping @Sendable () -> Void) {
        let done = done
        DispatchQueue(label: "background").async {
            work()
            done.signal()
        }
    }

    package func wait() { done.wait() }
}

/// Runs long work on its own thread and returns its result, so that other tests run meanwhile and do not delay it.
///
/// The caller must check the result, since only the task of a test knows to which test a failure belongs.
package func onOwnThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "long test").async { continuation.resume(with: Swift.Result(catching: work)) }
    }
}
