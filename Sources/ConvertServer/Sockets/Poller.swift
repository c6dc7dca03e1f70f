/// The poller of an event loop: `epoll` if the system has it, else `poll(2)`.
package enum Poller {
    /// The system call that waits.
    package enum Kind: String, Sendable, CaseIterable {
        case epoll, poll

        package static var platformDefault: Kind {
            #if os(Linux)
                .epoll
            #else
                .poll
            #endif
        }
    }

    #if os(Linux)
        case epoll(EpollPoller)
    #endif
    case poll(PollPoller)

    package init(_ kind: Kind) throws(SystemCallError) {
        switch kind {
        case .poll: self = .poll(PollPoller())
        case .epoll:
            #if os(Linux)
                self = .epoll(try EpollPoller())
            #else
                self = .poll(PollPoller())
            #endif
        }
    }

    package func add(_ number: Int32, token: PollToken, interest: PollInterest) throws(SystemCallError) {
        switch self {
        #if os(Linux)
            case .epoll(let poller): try poller.add(number, token: token, interest: interest)
        #endif
        case .poll(let poller): poller.add(number, token: token, interest: interest)
        }
    }

    package func change(_ number: Int32, token: PollToken, interest: PollInterest) throws(SystemCallError) {
        switch self {
        #if os(Linux)
            case .epoll(let poller): try poller.change(number, token: token, interest: interest)
        #endif
        case .poll(let poller): poller.change(number, token: token, interest: interest)
        }
    }

    /// Call it before `number` is closed.
    package func remove(_ number: Int32) {
        switch self {
        #if os(Linux)
            case .epoll(let poller): poller.remove(number)
        #endif
        case .poll(let poller): poller.remove(number)
        }
    }

    /// Waits until a descriptor is ready or `milliseconds` are over (-1: without end), and appends the events.
    ///
    /// - Returns: whether nothing else is ready. Also false if the wait was interrupted.
    package func wait(milliseconds: Int32, into ready: inout [PollEvent]) throws(SystemCallError) -> Bool {
        switch self {
        #if os(Linux)
            case .epoll(let poller): try poller.wait(milliseconds: milliseconds, into: &ready)
        #endif
        case .poll(let poller): try poller.wait(milliseconds: milliseconds, into: &ready)
        }
    }
}
