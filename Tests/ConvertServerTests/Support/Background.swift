import Dispatch

/// Work on a thread of its own, to be waited for.
struct Background {
    private let done = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable () -> Void) {
        let done = done
        DispatchQueue(label: "background").async {
            work()
            done.signal()
        }
    }

    func wait() { done.wait() }
}
