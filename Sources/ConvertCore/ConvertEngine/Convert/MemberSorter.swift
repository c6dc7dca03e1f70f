import ConvertText

/// Sorts the members at the end of a text by their keys, in the order of UTF-8 bytes. Members with the same key keep their order.
///
/// Each member is a piece of the text, from one mark to the next. The pieces of a small object are joined in the new order at once. The
/// text of a large object is taken out (`begin`), sorted (`sort`) and then written in parts, one per call (`write`).
struct MemberSorter: ~Copyable, Sendable {
    /// The most bytes of text, and the most marks, whose storage is kept.
    private static let maxKeptTextBytes = 256 * 1024
    private static let maxKeptMarks = 8192

    private var sorter = NameSorter()
    /// Small object: the number of the member at each position.
    private var order = UniqueArray<Int>()
    private var scratch = ByteBuffer()
    /// Large object: a text that ends with its members, and the offset of each member in it.
    private var text = ByteBuffer()
    private var marks = UniqueArray<Int>()
    private(set) var isSorted = false
    /// The next member to be written.
    private var position = 0

    var isDone: Bool { position == marks.count }
    /// The number of members that were taken out.
    var count: Int { marks.count }

    /// Bytes that the storage takes, used or not.
    @inline(__always) var storedBytes: Int {
        sorter.storedBytes + order.storedBytes + scratch.capacity + text.capacity + marks.storedBytes
    }

    // MARK: Small objects

    /// Sorts the members that begin at the marks from `first` on; all but the first of them begin with a comma.
    ///
    /// The last one ends where the text ends.
    mutating func sort(
        _ marks: borrowing UniqueArray<Int>, _ keys: borrowing UniqueArray<MemberOrders.Key>, from first: Int,
        _ orders: inout MemberOrders, _ text: inout ByteBuffer
    ) {
        order.removeAll()
        if !orders.appendOrder(of: keys, from: first, to: &order) {
            sorter.removeAll()
            for index in first..<marks.count {
                Self.add(index - first, at: Self.start(of: index, marks, from: first), text, to: &sorter)
            }
            sorter.sort(text)
            for position in 0..<sorter.count { order.append(sorter[position]) }
            orders.note(order, of: keys, from: first)
        }
        guard (0..<order.count).contains(where: { order[$0] != $0 }) else { return }
        text.padWithSlack()
        scratch.removeAll()
        for position in 0..<order.count {
            if position > 0 { scratch.append(ASCII.comma) }
            let index = first + order[position]
            let start = Self.start(of: index, marks, from: first)
            let end = index + 1 < marks.count ? marks[index + 1] : text.count
            scratch.append(text, from: start, length: end - start)
        }
        text.truncate(to: marks[first])
        text.append(first: scratch.count, of: scratch)
    }

    @inline(__always)
    private static func start(of index: Int, _ marks: borrowing UniqueArray<Int>, from first: Int) -> Int {
        marks[index] + (index > first ? 1 : 0)
    }

    private static func add(
        _ index: Int, at start: Int, _ text: borrowing ByteBuffer, to sorter: inout NameSorter
    ) {
        // The key comes after a line break and indentation, if any. It ends at a quote that has no backslash before it.
        let bytes = text.bytes
        let nameStart = bytes.firstIndex(of: ASCII.quote, from: start, to: bytes.count) + 1
        var nameEnd = bytes.firstIndex(of: ASCII.quote, or: ASCII.backslash, from: nameStart, to: bytes.count)
        let hasEscape = bytes[nameEnd] == ASCII.backslash
        while bytes[nameEnd] == ASCII.backslash {
            nameEnd = bytes.firstIndex(of: ASCII.quote, or: ASCII.backslash, from: nameEnd + 2, to: bytes.count)
        }
        sorter.add(index, named: nameStart, count: nameEnd - nameStart, hasEscape: hasEscape, in: text)
    }

    // MARK: Large objects

    /// Takes the members that begin at the marks from `first` on out of the text.
    mutating func begin(_ marks: inout UniqueArray<Int>, from first: Int, _ text: inout ByteBuffer) {
        abandon()
        let start = marks[first]
        if first == 0 {
            swap(&self.marks, &marks)
        } else {
            for index in first..<marks.count { self.marks.append(marks[index]) }
            marks.truncate(to: first)
        }
        if start < text.count / 2 {
            // The text before the members is the shorter part, so that is copied.
            swap(&self.text, &text)
            text.removeAll()
            text.append(first: start, of: self.text)
        } else {
            self.text.append(text.bytes.extracting(start...))
            text.truncate(to: start)
            for index in 0..<self.marks.count { self.marks[index] -= start }
        }
        self.text.padWithSlack()
    }

    /// Sorts the members that were taken out.
    mutating func sort() {
        for index in 0..<marks.count { Self.add(index, at: Self.start(of: index, marks, from: 0), text, to: &sorter) }
        sorter.sort(text)
        isSorted = true
    }

    /// Writes members until `maxBytes` more are written, or none is left.
    mutating func write(upTo maxBytes: Int, into output: inout ByteBuffer) {
        let written = output.count
        while position < marks.count, output.count - written < maxBytes {
            let index = sorter[position]
            let start = Self.start(of: index, marks, from: 0)
            let end = index + 1 < marks.count ? marks[index + 1] : text.count
            if position > 0 { output.append(ASCII.comma) }
            output.append(text, from: start, length: end - start)
            position += 1
        }
        if isDone { abandon() }
    }

    /// Discards the members that are still to be written.
    mutating func abandon() {
        sorter.removeAll()
        if text.capacity > Self.maxKeptTextBytes { text = ByteBuffer() } else { text.removeAll() }
        marks.removeAll(keepingAtMost: Self.maxKeptMarks)
        (position, isSorted) = (0, false)
    }
}
