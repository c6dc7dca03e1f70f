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

    /// Entries that are sorted by themselves first, and stay in the processor's caches meanwhile.
    private static let blockCount = 2048
    /// Entries whose storage is kept.
    private static let maxKeptEntries = 8192

    private var entries = TrivialArray<Entry>()
    private var merged = TrivialArray<Entry>()
    /// Names that the text spells with escapes.
    private var names = ByteBuffer()
    /// Whether the items were added in their order.
    private(set) var isInOrder = true
    /// The runs that are being merged: the width of each, where the two begin, and how far each is taken.
    private var width = 1
    private var start = 0
    private var left = 0
    private var right = 0
    private var isMerging = false
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
        (width, start, block, isMerging) = (1, 0, 0, false)
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

    /// Goes on with sorting as far as `steps` go, of which each entry that is moved takes one; true once all are in order.
    mutating func sort(_ text: borrowing ByteBuffer, steps: inout Int) -> Bool {
        guard !isInOrder, entries.count > 1 else { return true }
        while block < entries.count {
            guard steps > 0 else { return false }
            sortBlock(text)
            steps -= Self.blockCount
        }
        width = max(width, Self.blockCount)
        while width < entries.count {
            while start < entries.count {
                guard steps > 0 else { return false }
                guard merge(text, steps: &steps) else { return false }
            }
            swap(&entries, &merged)
            width *= 2
            start = 0
        }
        return true
    }

    /// Sorts the next block, and stands behind it.
    private mutating func sortBlock(_ text: borrowing ByteBuffer) {
        let end = min(block + Self.blockCount, entries.count)
        for position in block..<end { merged.append(entries[position]) }
        insertionSort(block, end, text)
        var runs = Self.insertedCount
        while runs < end - block {
            for first in stride(from: block, to: end, by: 2 * runs) {
                let (middle, last) = (min(first + runs, end), min(first + 2 * runs, end))
                var (left, right) = (first, middle)
                for position in first..<last {
                    if left < middle, right >= last || !precedes(entries[right], entries[left], text) {
                        merged[position] = entries[left]
                        left += 1
                    } else {
                        merged[position] = entries[right]
                        right += 1
                    }
                }
            }
            for position in block..<end { entries[position] = merged[position] }
            runs *= 2
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
    private mutating func merge(_ text: borrowing ByteBuffer, steps: inout Int) -> Bool {
        let (middle, end) = (min(start + width, entries.count), min(start + 2 * width, entries.count))
        if !isMerging { (left, right, isMerging) = (start, middle, true) }
        let position = left + right - middle
        let last = min(steps, end - position) + position
        for position in position..<last {
            if left < middle, right >= end || !precedes(entries[right], entries[left], text) {
                merged[position] = entries[left]
                left += 1
            } else {
                merged[position] = entries[right]
                right += 1
            }
        }
        steps -= last - position
        guard last == end else { return false }
        isMerging = false
        start = end
        return true
    }

    @inline(__always)
    private func precedes(_ one: Entry, _ other: Entry, _ text: borrowing ByteBuffer) -> Bool {
        if one.prefix != other.prefix { return one.prefix < other.prefix }
        return precedesBehindPrefix(one, other, text)
    }

    @inline(never)
    private func precedesBehindPrefix(_ one: Entry, _ other: Entry, _ text: borrowing ByteBuffer) -> Bool {
        let common = Int(min(one.count, other.count))
        var offset = min(8, common)
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
