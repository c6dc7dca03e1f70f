// A binary heap of (moment, owner), the soonest on top. An owner has one deadline that moves with almost every event,
// nearly always to later; moving the heap's entry each time would cost more than the rest of the event. So the heap is
// allowed to be early: `set` only notes the true deadline, and an entry that comes up too soon is put back where it
// belongs. What must stay in step: an owner with a deadline has exactly one entry that is not later than it, and
// `queued` says which; any other entry of that owner is a leftover and ignored when it comes up.

/// The deadlines of an event loop's connections.
struct DeadlineQueue {
    private struct Entry {
        let moment: MonotonicTime
        let owner: PollToken
    }

    private var heap: [Entry] = []
    /// Each owner's true deadline.
    private var deadlines: [PollToken: MonotonicTime] = [:]
    /// The moment of each owner's entry in the heap.
    private var queued: [PollToken: MonotonicTime] = [:]

    /// States the owner's one deadline, or that it has none.
    mutating func set(_ owner: PollToken, to deadline: MonotonicTime?) {
        guard let deadline else {
            deadlines[owner] = nil
            return
        }
        deadlines[owner] = deadline
        if let moment = queued[owner], moment <= deadline { return }
        queued[owner] = deadline
        insert(Entry(moment: deadline, owner: owner))
        dropLeftovers()
    }

    /// Forgets an owner that is gone.
    mutating func remove(_ owner: PollToken) {
        deadlines[owner] = nil
        queued[owner] = nil
        dropLeftovers()
    }

    /// Entries in the heap, leftovers among them: at most `2 * owners + 64`, give or take one.
    var entryCount: Int { heap.count }

    /// The soonest moment at which something may be due, nil when nothing waits.
    var next: MonotonicTime? { heap.first?.moment }

    /// Takes one owner whose deadline has passed.
    mutating func popExpired(at now: MonotonicTime) -> PollToken? {
        while let first = heap.first, first.moment <= now {
            removeFirst()
            guard queued[first.owner] == first.moment else { continue }
            queued[first.owner] = nil
            guard let deadline = deadlines[first.owner] else { continue }
            if deadline <= now {
                deadlines[first.owner] = nil
                return first.owner
            }
            queued[first.owner] = deadline
            insert(Entry(moment: deadline, owner: first.owner))
        }
        return nil
    }

    /// Builds the heap anew when most of it is leftovers.
    private mutating func dropLeftovers() {
        guard heap.count > 2 * queued.count + 64 else { return }
        // A sorted list is a heap.
        heap = queued.map { Entry(moment: $0.value, owner: $0.key) }.sorted { $0.moment < $1.moment }
    }

    private mutating func insert(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].moment < heap[parent].moment else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].moment < heap[least].moment {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
