// An owner's deadline moves with almost every event, nearly always to later. So `set` only notes it, and all deadlines
// are looked at when one of them may have passed. These must stay in step: `next` is not later than any deadline, but
// for those that the current look has not come to.

import Sockets

/// The deadlines of an event loop's channels.
struct DeadlineQueue {
    private struct Entry {
        let owner: PollToken
        let deadline: MonotonicTime
    }

    /// The time between two looks, so that many owners whose deadlines differ little cost only one.
    private static let lookMilliseconds: Int64 = 5

    /// By the index of the owners, because every event of a channel sets its entry. A new owner replaces an old one
    /// that was not removed.
    private var entries: [Entry?] = []
    /// Where the current look continues.
    private var position: Int?
    /// The earliest time at which a deadline may be due; nil if there is none.
    private(set) var next: MonotonicTime?

    /// Sets or removes the owner's only deadline.
    mutating func set(_ owner: PollToken, to deadline: MonotonicTime?) {
        while entries.count <= owner.index { entries.append(nil) }
        entries[owner.index] = deadline.map { Entry(owner: owner, deadline: $0) }
        if let deadline { look(at: deadline) }
    }

    /// Takes one owner whose deadline has passed. Call it until there is none.
    mutating func popExpired(at now: MonotonicTime) -> PollToken? {
        if position == nil {
            guard let next, next <= now else { return nil }
            self.next = nil
        }
        for index in (position ?? 0)..<entries.count {
            guard let entry = entries[index] else { continue }
            guard entry.deadline > now else {
                entries[index] = nil
                position = index + 1
                return entry.owner
            }
            look(at: max(entry.deadline, now.advanced(milliseconds: Self.lookMilliseconds)))
        }
        position = nil
        return nil
    }

    private mutating func look(at moment: MonotonicTime) { next = next.map { min($0, moment) } ?? moment }
}
