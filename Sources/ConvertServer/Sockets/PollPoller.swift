import Glibc

/// Waits with `poll(2)`, which every system has.
///
/// A wait takes time linear in the number of descriptors. Adding, changing and removing one does not.
package final class PollPoller {
    private var watched: [pollfd] = []
    /// The tokens of `watched`, in step with it.
    private var tokens: [PollToken] = []
    /// The index of a descriptor in `watched`.
    private var indices: [Int32: Int] = [:]

    package init() {}

    package func add(_ number: Int32, token: PollToken, interest: PollInterest) {
        precondition(indices[number] == nil, "a descriptor is watched once")
        indices[number] = watched.count
        watched.append(pollfd(fd: number, events: Self.events(interest), revents: 0))
        tokens.append(token)
    }

    package func change(_ number: Int32, token: PollToken, interest: PollInterest) {
        guard let index = indices[number] else { return }
        watched[index].events = Self.events(interest)
        tokens[index] = token
    }

    package func remove(_ number: Int32) {
        guard let index = indices.removeValue(forKey: number) else { return }
        let last = watched.count - 1
        if index != last {
            watched[index] = watched[last]
            tokens[index] = tokens[last]
            indices[watched[index].fd] = index
        }
        watched.removeLast()
        tokens.removeLast()
    }

    /// Waits until a descriptor is ready or `milliseconds` are over; -1 waits without end.
    ///
    /// - Returns: whether nothing else is ready. Also false if the wait was interrupted.
    package func wait(milliseconds: Int32, into ready: inout [PollEvent]) throws(SystemCallError) -> Bool {
        let count = unsafe poll(&watched, nfds_t(watched.count), milliseconds)
        guard count >= 0 else {
            if errno == EINTR { return false }
            throw SystemCallError.last("poll")
        }
        for (index, entry) in watched.enumerated() where entry.revents != 0 {
            let flags = Int32(entry.revents)
            let isBroken = flags & (POLLHUP | POLLERR | POLLNVAL) != 0
            ready.append(
                PollEvent(
                    token: tokens[index], isReadable: isBroken || flags & POLLIN != 0,
                    isWritable: isBroken || flags & POLLOUT != 0, isBroken: isBroken))
        }
        return true
    }

    private static func events(_ interest: PollInterest) -> Int16 {
        Int16((interest.contains(.read) ? POLLIN : 0) | (interest.contains(.write) ? POLLOUT : 0))
    }
}
