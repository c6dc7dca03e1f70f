import ConvertText

/// Sorts the members at the end of a text by their keys, in the order of UTF-8 bytes. Members with the same key keep their order.
///
/// Each member is a piece of the text, from one mark to the next. The pieces are joined in the new order.
struct MemberSorter: ~Copyable, Sendable {
    private var sorter = NameSorter()
    private var orders = MemberOrders()
    /// The text of the members that move.
    private var scratch = ByteBuffer()

    /// Bytes that the storage takes, used or not.
    @inline(__always) var storedBytes: Int {
        sorter.storedBytes + orders.storedBytes + scratch.capacity
    }

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

    /// Adds the member whose text, without its comma, begins at `start`.
    static func add(
        _ index: Int, at start: Int, _ text: borrowing ByteBuffer, to sorter: inout NameSorter
    ) {
        // The key ends at a quote that has no backslash before it.
        let bytes = text.bytes
        let nameStart = start + 1
        var nameEnd = bytes.firstIndex(of: ASCII.quote, or: ASCII.backslash, from: nameStart, to: bytes.count)
        let hasEscape = bytes[nameEnd] == ASCII.backslash
        while bytes[nameEnd] == ASCII.backslash {
            nameEnd = bytes.firstIndex(of: ASCII.quote, or: ASCII.backslash, from: nameEnd + 2, to: bytes.count)
        }
        sorter.add(index, named: nameStart, count: nameEnd - nameStart, hasEscape: hasEscape, in: text)
    }
}
