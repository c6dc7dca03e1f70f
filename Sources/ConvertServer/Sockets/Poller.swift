import CLinux
import Glibc

/// Waits with `epoll`, level-triggered: events that were not handled are reported again.
@safe
package final class Poller {
    /// The most events of one wait. The next wait returns more.
    private static let maxEvents = 256

    private let descriptor: FileDescriptor
    private var events = unsafe [epoll_event](repeating: epoll_event(), count: maxEvents)

    package init() throws(SystemCallError) {
        let number = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard number >= 0 else { throw SystemCallError.last("epoll_create1") }
        descriptor = FileDescriptor(owning: number)
    }

    package func add(_ number: Int32, token: PollToken, interest: PollInterest) throws(SystemCallError) {
        try control(EPOLL_CTL_ADD, number, token, interest)
    }

    package func change(_ number: Int32, token: PollToken, interest: PollInterest) throws(SystemCallError) {
        try control(EPOLL_CTL_MOD, number, token, interest)
    }

    /// Call it before `number` is closed.
    package func remove(_ number: Int32) {
        var event = unsafe epoll_event()
        _ = unsafe epoll_ctl(descriptor.number, EPOLL_CTL_DEL, number, &event)
    }

    /// Waits until a descriptor is ready or `milliseconds` are over; -1 waits without end.
    ///
    /// - Returns: whether nothing else is ready. Also false if the wait was interrupted.
    package func wait(milliseconds: Int32, into ready: inout [PollEvent]) throws(SystemCallError) -> Bool {
        let count = unsafe epoll_wait(descriptor.number, &events, Int32(Self.maxEvents), milliseconds)
        guard count >= 0 else {
            if errno == EINTR { return false }
            throw SystemCallError.last("epoll_wait")
        }
        for index in 0..<Int(count) {
            let event = unsafe events[index]
            let flags = unsafe event.events
            let isBroken = flags & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
            ready.append(
                PollEvent(
                    token: PollToken(rawValue: unsafe event.data.u64),
                    // The next read or write of a broken connection returns the error.
                    isReadable: isBroken || flags & EPOLLIN.rawValue != 0,
                    isWritable: isBroken || flags & EPOLLOUT.rawValue != 0,
                    isBroken: isBroken))
        }
        return count < Self.maxEvents
    }

    private func control(
        _ operation: Int32, _ number: Int32, _ token: PollToken, _ interest: PollInterest
    ) throws(SystemCallError) {
        var event = unsafe epoll_event()
        unsafe event.events =
            (interest.contains(.read) ? EPOLLIN.rawValue : 0)
            | (interest.contains(.write) ? EPOLLOUT.rawValue : 0)
        unsafe event.data.u64 = token.rawValue
        guard unsafe epoll_ctl(descriptor.number, operation, number, &event) == 0 else {
            throw SystemCallError.last("epoll_ctl")
        }
    }
}
