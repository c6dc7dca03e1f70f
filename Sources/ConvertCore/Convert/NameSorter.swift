/// Puts items in the order of their names, by UTF-8 bytes; items of one name stay as they were among each other.
///
/// Names stay where they are, in a text that every call is given anew.
struct NameSorter: ~Copyable {
    struct Entry: BitwiseCopyable, Sendable {
        /// The name's first eight bytes, so that most comparisons need no more; the first is highest.
        var prefix: UInt64
        /// Where the name stands in the text or, when that spells it with escapes, its complement in `names`.
        var start: Int
        var count: UInt32
        var item: UInt32
    }

    /// Entries whose storage is kept.
    private static let maxKeptEntries = 8192

    private var entries: [Entry] = []
    /// Names that the text spells with escapes.
    private var names = ByteBuffer()
    /// Whether the items were added in their order.
    private(set) var isInOrder = true

    var count: Int { entries.count }

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { entries.capacity * MemoryLayout<Entry>.stride + names.capacity }

    /// The item at a position, once they are sorted.
    subscript(position: Int) -> Int { Int(entries[position].item) }

    mutating func removeAll() {
        if entries.count > Self.maxKeptEntries { names = ByteBuffer() }
        entries.removeAll(keepingCapacity: entries.count <= Self.maxKeptEntries)
        names.removeAll()
        isInOrder = true
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
        if isInOrder, let last = entries.last, precedes(entry, last, text) { isInOrder = false }
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
        var sorted: [Entry] = []
        swap(&sorted, &entries)
        sorted.sort { precedes($0, $1, text) }
        swap(&sorted, &entries)
        isInOrder = true
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
