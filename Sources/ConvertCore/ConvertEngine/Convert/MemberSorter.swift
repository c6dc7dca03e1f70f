import ConvertText

/// Sorts the members at the end of a text by their keys, in the order of UTF-8 bytes. Members with the same key keep their order.
///
/// Each member is a piece of the text, from one mark to the next. The pieces of a small object are joined in the new order at once. The
/// text of a large object is taken out (`begin`), sorted (`sort`) and then written in parts, one per call (`write`).
struct MemberSorter: ~Copyable, Sendable {
    /// The most bytes of text, and the most members, whose storage is kept.
    private static let maxKeptTextBytes = 256 * 1024
    private static let maxKeptMembers = 8192

    private var sorter = NameSorter()
    private var orders = MemberOrders()
    /// Small object: the text of the members that move.
    private var scratch = ByteBuffer()
    /// Large object: a text that ends with its members, and where each member begins in it.
    private var text = ByteBuffer()
    private var members = UniqueArray<SortedMember>()
    private(set) var isSorted = false
    /// The next member to be written.
    private var position = 0

    var isDone: Bool { position == members.count }
    /// The number of members that were taken out.
    var count: Int { members.count }

    /// Bytes that the storage takes, used or not.
    @inline(__always) var storedBytes: Int {
        sorter.storedBytes + orders.storedBytes + scratch.capacity + text.capacity + members.storedBytes
    }

    // MARK: Small objects

    /// Sorts the members from `first` on. The last one ends where the text ends.
    mutating func sort(_ members: borrowing UniqueArray<SortedMember>, from first: Int, _ text: inout ByteBuffer) {
        let order = orders.order(of: members, from: first) ?? newOrder(of: members, from: first, text)
        guard first + order.sortedCount < members.count else { return }
        // The members that move are taken out and appended again.
        let mark = members[first + order.sortedCount].mark
        scratch.removeAll()
        scratch.append(text.bytes.extracting(mark...))
        scratch.padWithSlack()
        let end = text.count
        text.truncate(to: mark)
        for position in order.sortedCount..<(members.count - first) {
            let index = first + orders.member(at: position, of: order)
            if position > 0 { text.append(ASCII.comma) }
            let start = Self.start(of: index, members, from: first)
            let next = index + 1 < members.count ? members[index + 1].mark : end
            text.append(scratch, from: start - mark, length: next - start)
        }
    }

    private mutating func newOrder(
        of members: borrowing UniqueArray<SortedMember>, from first: Int, _ text: borrowing ByteBuffer
    ) -> MemberOrders.Order {
        sorter.removeAll()
        for index in first..<members.count {
            Self.add(index - first, at: Self.start(of: index, members, from: first), text, to: &sorter)
        }
        sorter.sort(text)
        return orders.add(sorter, of: members, from: first)
    }

    /// Where the text of a member begins, without its comma. All but the first one begin with a comma.
    @inline(__always)
    private static func start(of index: Int, _ members: borrowing UniqueArray<SortedMember>, from first: Int) -> Int {
        members[index].mark + (index > first ? 1 : 0)
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

    /// Takes the members from `first` on out of the text.
    mutating func begin(_ members: inout UniqueArray<SortedMember>, from first: Int, _ text: inout ByteBuffer) {
        abandon()
        let start = members[first].mark
        if first == 0 {
            swap(&self.members, &members)
        } else {
            for index in first..<members.count { self.members.append(members[index]) }
            members.truncate(to: first)
        }
        if start < text.count / 2 {
            // The text before the members is the shorter part, so that is copied.
            swap(&self.text, &text)
            text.removeAll()
            text.append(first: start, of: self.text)
        } else {
            self.text.append(text.bytes.extracting(start...))
            text.truncate(to: start)
            for index in 0..<self.members.count { self.members[index].mark -= start }
        }
        self.text.padWithSlack()
    }

    /// Sorts the members that were taken out.
    mutating func sort() {
        for index in 0..<members.count {
            Self.add(index, at: Self.start(of: index, members, from: 0), text, to: &sorter)
        }
        sorter.sort(text)
        isSorted = true
    }

    /// Writes members until `maxBytes` more are written, or none is left.
    mutating func write(upTo maxBytes: Int, into output: inout ByteBuffer) {
        let written = output.count
        while position < members.count, output.count - written < maxBytes {
            let index = sorter[position]
            let start = Self.start(of: index, members, from: 0)
            let end = index + 1 < members.count ? members[index + 1].mark : text.count
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
        members.removeAll(keepingAtMost: Self.maxKeptMembers)
        (position, isSorted) = (0, false)
    }
}
