/// Sorts items by their keys, in the order of UTF-8 bytes. Items with the same key keep their order.
///
/// Keys without escapes are not copied: they stay in a text that is passed to each call.
struct NameSorter: ~Copyable {
    struct Entry: BitwiseCopyable, Sendable {
        /// The first eight bytes of the key, the first one highest; most comparisons need no more.
        var prefix: UInt64
        /// The offset of the key in the text. If the text spells it with escapes: the complement of its offset in `names`.
        var start: Int
        var count: UInt32
        var item: UInt32
    }

    /// The most entries whose storage is kept.
    private static let maxKeptEntries = 8192
    /// The length of runs that are sorted by insertion before they are merged in pairs.
    private static let runCount = 8

    private var entries = UniqueArray<Entry>()
    private var merged = UniqueArray<Entry>()
    /// Unescaped keys that the text spells with escapes.
    private var names = ByteBuffer()
    private(set) var isInOrder = true

    var count: Int { entries.count }

    var storedBytes: Int { entries.storedBytes + merged.storedBytes + names.capacity }

    /// The item at a position, after sorting.
    subscript(position: Int) -> Int { Int(entries[position].item) }

    mutating func removeAll() {
        if entries.count > Self.maxKeptEntries { names = ByteBuffer() }
        entries.removeAll(keepingAtMost: Self.maxKeptEntries)
        merged.removeAll(keepingAtMost: Self.maxKeptEntries)
        names.removeAll()
        isInOrder = true
    }

    /// Adds an item whose key is spelled in a part of `text`.
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
        if isInOrder, !entries.isEmpty, precedes(entry, entries[entries.count - 1], text) { isInOrder = false }
        entries.append(entry)
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

    mutating func sort(_ text: borrowing ByteBuffer) {
        guard !isInOrder else { return }
        isInOrder = true
        for start in stride(from: 0, to: count, by: Self.runCount) {
            insert(start, min(start + Self.runCount, count), text)
        }
        var width = Self.runCount
        while width < count {
            merged.removeAll()
            for start in stride(from: 0, to: count, by: 2 * width) {
                merge(start, min(start + width, count), min(start + 2 * width, count), text)
            }
            swap(&entries, &merged)
            width *= 2
        }
    }

    private mutating func insert(_ start: Int, _ end: Int, _ text: borrowing ByteBuffer) {
        for position in start..<end {
            let entry = entries[position]
            var free = position
            while free > start, precedes(entry, entries[free - 1], text) {
                entries[free] = entries[free - 1]
                free -= 1
            }
            entries[free] = entry
        }
    }

    private mutating func merge(_ start: Int, _ middle: Int, _ end: Int, _ text: borrowing ByteBuffer) {
        var (left, right) = (start, middle)
        for _ in start..<end {
            if left < middle, right >= end || !precedes(entries[right], entries[left], text) {
                merged.append(entries[left])
                left += 1
            } else {
                merged.append(entries[right])
                right += 1
            }
        }
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
