// A binary heap of (moment, owner), the earliest on top. An owner has one deadline, which moves with almost every event,
// nearly always to later. To move the heap's entry each time would cost more than the rest of the event. So an entry of
// the heap may be too early: `set` only notes the true deadline. An entry that is popped too early is put back where it
// belongs. These must stay in step: an owner with a deadline has exactly one entry that is not later than it, and
// `queued` has its time. Any other entry of that owner is a leftover, and is ignored when it is popped.

import Sockets

/// The deadlines of an event loop's channels.
struct DeadlineQueue {
    private struct Entry {
        let moment: MonotonicTime
        let owner: PollToken
    }

    /// The data about an owner. Its index finds it without hashing, because every event of a channel needs it.
    private struct Slot {
        var owner: PollToken
        /// The true deadline.
        var deadline: MonotonicTime?
        /// The time of its entry in the heap.
        var queued: MonotonicTime?
    }

    private var heap: [Entry] = []
    /// By the index of the owners. A new owner replaces an old one at its index that was not removed.
    private var slots: [Slot?] = []
    /// Owners that are `queued`.
    private var queuedCount = 0

    /// Sets or removes the owner's only deadline.
    mutating func set(_ owner: PollToken, to deadline: MonotonicTime?) {
        let index = index(of: owner)
        var slot = slots[index] ?? Slot(owner: owner)
        slot.deadline = deadline
        if let deadline, slot.queued.map({ $0 > deadline }) ?? true {
            if slot.queued == nil { queuedCount += 1 }
            slot.queued = deadline
            slots[index] = slot
            insert(Entry(moment: deadline, owner: owner))
            return dropLeftovers()
        }
        slots[index] = slot
    }

    /// Removes an owner.
    mutating func remove(_ owner: PollToken) {
        forget(index(of: owner))
        dropLeftovers()
    }

    /// The number of entries in the heap, including leftovers: about `2 * owners + 64` at most.
    var entryCount: Int { heap.count }

    /// The earliest time at which a deadline may be due; nil if there is none.
    var next: MonotonicTime? { heap.first?.moment }

    /// Takes one owner whose deadline has passed.
    mutating func popExpired(at now: MonotonicTime) -> PollToken? {
        while let first = heap.first, first.moment <= now {
            removeFirst()
            let index = first.owner.index
            guard var slot = slots[index], slot.owner == first.owner, slot.queued == first.moment else { continue }
            guard let deadline = slot.deadline, deadline > now else {
                forget(index)
                if slot.deadline != nil { return first.owner }
                continue
            }
            slot.queued = deadline
            slots[index] = slot
            insert(Entry(moment: deadline, owner: first.owner))
        }
        return nil
    }

    // MARK: Helpers

    /// The slot of an owner. A former owner of the slot is removed.
    private mutating func index(of owner: PollToken) -> Int {
        let index = owner.index
        while slots.count <= index { slots.append(nil) }
        if let slot = slots[index], slot.owner != owner { forget(index) }
        return index
    }

    private mutating func forget(_ index: Int) {
        if slots[index]?.queued != nil { queuedCount -= 1 }
        slots[index] = nil
    }

    /// Builds the heap again if most of its entries are leftovers.
    private mutating func dropLeftovers() {
        guard heap.count > 2 * queuedCount + 64 else { return }
        // A sorted list is a heap.
        heap = slots.compactMap { slot in
            slot.flatMap { slot in slot.queued.map { Entry(moment: $0, owner: slot.owner) } }
        }.sorted { $0.moment < $1.moment }
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
