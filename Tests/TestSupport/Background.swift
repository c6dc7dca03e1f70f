import Dispatch

/// Work on a thread of its own, to be waited for.
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

/// Runs what takes long on a thread of its own and returns what came of it: other tests run meanwhile, and none keeps it waiting.
///
/// What is expected of the result is for the caller to say, since only a test's own task knows which test it is.
package func onOwnThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "long test").async { continuation.resume(with: Swift.Result(catching: work)) }
    }
}
