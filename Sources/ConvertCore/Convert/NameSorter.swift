/// Puts items in the order of their names, by UTF-8 bytes; items of one name stay as they were among each other.
///
/// Names stay where they are, in a text that every call is given anew. The work may be done in pieces: add all items, then
/// call `sort` until it is done.
struct NameSorter: ~Copyable {
    struct Entry: BitwiseCopyable, Sendable {
        /// The name's first eight bytes, so that most comparisons need no more; the first is highest.
        var prefix: UInt64
        /// Where the name stands in the text or, when that spells it with escapes, its complement in `names`.
        var start: Int
        var count: UInt32
        var item: UInt32
    }

    /// Two runs that meet, each in order, and how far they are merged.
    struct Runs: BitwiseCopyable, Sendable {
        var left: Int
        var right: Int
        let middle: Int
        let end: Int

        /// The runs of this width from `start` on, as far as they are there.
        init(_ start: Int, width: Int, end: Int) {
            middle = min(start + width, end)
            self.end = min(start + 2 * width, end)
            (left, right) = (start, middle)
        }

        /// Where the next entry goes.
        var position: Int { left + right - middle }
    }

    /// Entries that are sorted by themselves first, and stay in the processor's caches meanwhile; of names that are no longer than that,
    /// since a block is sorted in one go.
    private static let blockCount = 2048
    private static let maxBlockNameBytes = 256
    /// How many bytes that two names share are compared for one step.
    private static let stepBytes = 64
    /// Entries whose storage is kept.
    private static let maxKeptEntries = 8192

    private var entries = TrivialArray<Entry>()
    private var merged = TrivialArray<Entry>()
    /// Names that the text spells with escapes.
    private var names = ByteBuffer()
    /// Whether the items were added in their order.
    private(set) var isInOrder = true
    private var longest: UInt32 = 0
    /// Bytes that were compared behind prefixes.
    private var comparedBytes = 0
    /// The width of the runs that are merged two by two, where the next two begin, and those that are half done.
    private var width = 1
    private var start = 0
    private var runs: Runs?
    /// While blocks are sorted by themselves: where the block begins.
    private var block = 0

    var count: Int { entries.count }

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { entries.storedBytes + merged.storedBytes + names.capacity }

    /// The item at a position, once they are sorted.
    subscript(position: Int) -> Int { Int(entries[position].item) }

    mutating func removeAll() {
        if entries.count > Self.maxKeptEntries {
            entries = TrivialArray()
            merged = TrivialArray()
            names = ByteBuffer()
        }
        entries.removeAll()
        merged.removeAll()
        names.removeAll()
        isInOrder = true
        (longest, comparedBytes) = (0, 0)
        (width, start, block, runs) = (1, 0, 0, nil)
    }

    /// Adds an item whose name is spelled in a part of `text`.
    mutating func add(_ item: Int, named nameStart: Int, count: Int, hasEscape: Bool, in text: borrowing ByteBuffer) {
        var entry = Entry(prefix: 0, start: nameStart, count: UInt32(count), item: UInt32(item))
        if hasEscape {
            entry.start = ~names.count
            _ = JSONText.appendContent(of: text.bytes.extracting(nameStart..<(nameStart + count)), to: &names)
            entry.count = UInt32(names.count - ~entry.start)
            entry.prefix = Self.prefix(names, ~entry.start, Int(entry.count))
        } else {
            entry.prefix = Self.prefix(text, nameStart, count)
        }
        entries.append(entry)
        longest = max(longest, entry.count)
        let last = entries.count - 1
        if isInOrder, last > 0, precedes(entries[last], entries[last - 1], text) { isInOrder = false }
    }

    private static func prefix(_ text: borrowing ByteBuffer, _ start: Int, _ count: Int) -> UInt64 {
        var prefix: UInt64 = 0
        var shift = UInt64.bitWidth
        for offset in 0..<min(count, 8) {
            shift -= UInt8.bitWidth
            prefix |= UInt64(text[start + offset]) << UInt64(shift)
        }
        return prefix
    }

    /// Goes on with sorting as far as `steps` go, of which each entry that is moved takes one, and each long comparison some; true once
    /// all are in order.
    mutating func sort(_ text: borrowing ByteBuffer, steps: inout Int) -> Bool {
        guard !isInOrder, entries.count > 1 else { return true }
        if longest <= Self.maxBlockNameBytes {
            while block < entries.count {
                guard steps > 0 else { return false }
                sortBlock(text)
                steps -= Self.blockCount
            }
            width = max(width, Self.blockCount)
        } else {
            while merged.count < entries.count {
                guard steps > 0 else { return false }
                merged.append(entries[merged.count])
                steps -= 1
            }
        }
        while width < entries.count {
            while start < entries.count {
                guard steps > 0 else { return false }
                guard mergeNext(text, steps: &steps) else { return false }
            }
            swap(&entries, &merged)
            width *= 2
            start = 0
        }
        merged.removeAll(keepingAtMost: Self.maxKeptEntries)
        return true
    }

    /// Sorts the next block, and stands behind it.
    private mutating func sortBlock(_ text: borrowing ByteBuffer) {
        let end = min(block + Self.blockCount, entries.count)
        insertionSort(block, end, text)
        // Few entries are in order by now.
        if entries.count > Self.insertedCount {
            for position in block..<end { merged.append(entries[position]) }
        }
        var width = Self.insertedCount
        while width < end - block {
            for start in stride(from: block, to: end, by: 2 * width) {
                var runs = Runs(start, width: width, end: end)
                merge(&runs, upTo: runs.end, text, comparing: .max)
            }
            for position in block..<end { entries[position] = merged[position] }
            width *= 2
        }
        block = end
    }

    private static let insertedCount = 8

    private mutating func insertionSort(_ start: Int, _ end: Int, _ text: borrowing ByteBuffer) {
        for first in stride(from: start, to: end, by: Self.insertedCount) {
            for position in (first + 1)..<max(min(first + Self.insertedCount, end), first + 1) {
                let entry = entries[position]
                var free = position
                while free > first, precedes(entry, entries[free - 1], text) {
                    entries[free] = entries[free - 1]
                    free -= 1
                }
                entries[free] = entry
            }
        }
    }

    /// Goes on with merging the two runs that begin at `start`; true, standing behind them, when that is done.
    private mutating func mergeNext(_ text: borrowing ByteBuffer, steps: inout Int) -> Bool {
        var runs = self.runs ?? Runs(start, width: width, end: entries.count)
        let position = runs.position
        let last = position + min(steps, runs.end - position)
        comparedBytes = 0
        let maxBytes = min(steps, Int.max / Self.stepBytes) * Self.stepBytes
        merge(&runs, upTo: last, text, comparing: maxBytes)
        steps -= runs.position - position + comparedBytes / Self.stepBytes
        guard runs.position == runs.end else {
            self.runs = runs
            return false
        }
        self.runs = nil
        start = runs.end
        return true
    }

    /// Merges two runs of `entries` into `merged`, up to a position there, or until so many bytes were compared.
    @inline(__always)
    private mutating func merge(
        _ runs: inout Runs, upTo last: Int, _ text: borrowing ByteBuffer, comparing maxBytes: Int
    ) {
        var (left, right) = (runs.left, runs.right)
        for position in runs.position..<last {
            guard comparedBytes < maxBytes else { break }
            if left < runs.middle, right >= runs.end || !precedes(entries[right], entries[left], text) {
                merged[position] = entries[left]
                left += 1
            } else {
                merged[position] = entries[right]
                right += 1
            }
        }
        (runs.left, runs.right) = (left, right)
    }

    @inline(__always)
    private mutating func precedes(_ one: Entry, _ other: Entry, _ text: borrowing ByteBuffer) -> Bool {
        if one.prefix != other.prefix { return one.prefix < other.prefix }
        return precedesBehindPrefix(one, other, text)
    }

    @inline(never)
    private mutating func precedesBehindPrefix(_ one: Entry, _ other: Entry, _ text: borrowing ByteBuffer) -> Bool {
        let common = Int(min(one.count, other.count))
        var offset = min(8, common)
        defer { comparedBytes += offset }
        while offset < common {
            let (left, right) = (byte(offset, of: one, text), byte(offset, of: other, text))
            if left != right { return left < right }
            offset += 1
        }
        return one.count < other.count
    }

    @inline(__always)
    private func byte(_ offset: Int, of entry: Entry, _ text: borrowing ByteBuffer) -> UInt8 {
        entry.start >= 0 ? text[entry.start + offset] : names[~entry.start + offset]
    }
}
