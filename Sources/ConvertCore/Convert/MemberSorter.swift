/// Puts the members at the end of a text in the order of their names, by UTF-8 bytes; those of one name stay as they were.
struct MemberSorter: ~Copyable {
    /// Where one member stands in the text, without the comma before it.
    struct Member: BitwiseCopyable, Sendable {
        var start: Int
        var count: Int
        /// The name as spelled between its quotes, which may be longer than the name.
        var nameStart: Int
        var nameCount: Int
        /// The name's first eight bytes, so that most comparisons need no more; the first is highest.
        var prefix: UInt64
    }

    private var members = TrivialArray<Member>()
    private var merged = TrivialArray<Member>()
    private var holdsEscapes = false
    private var scratch = ByteBuffer()

    /// Sorts the members that begin at the marks from `first` on; all but the first of them begin with a comma.
    ///
    /// The last one ends where the text does.
    mutating func sort(_ marks: borrowing TrivialArray<Int>, from first: Int, _ text: inout ByteBuffer) {
        members.removeAll()
        holdsEscapes = false
        for index in first..<marks.count {
            let end = index + 1 < marks.count ? marks[index + 1] : text.count
            addMember(from: marks[index] + (index > first ? 1 : 0), to: end, text.bytes)
        }
        guard !isSorted(text) else { return }
        mergeSort(text)
        rewrite(from: marks[first], &text)
    }

    private mutating func addMember(from start: Int, to end: Int, _ text: Span<UInt8>) {
        // Behind a line break and indentation comes the name; it ends with a quote that no backslash stands before.
        var nameStart = start
        while text[nameStart] != ASCII.quote { nameStart += 1 }
        nameStart += 1
        var nameEnd = nameStart
        var prefix: UInt64 = 0
        var shift = UInt64.bitWidth
        while text[nameEnd] != ASCII.quote {
            let byte = text[nameEnd]
            if byte == ASCII.backslash {
                holdsEscapes = true
                nameEnd += 1
            }
            shift -= UInt8.bitWidth
            if shift >= 0 { prefix |= UInt64(byte) << UInt64(shift) }
            nameEnd += 1
        }
        members.append(
            Member(
                start: start, count: end - start, nameStart: nameStart, nameCount: nameEnd - nameStart, prefix: prefix))
    }

    // MARK: Comparing

    private func isSorted(_ text: borrowing ByteBuffer) -> Bool {
        for index in 1..<members.count where precedes(members[index], members[index - 1], text.bytes) { return false }
        return true
    }

    private func precedes(_ one: Member, _ other: Member, _ text: Span<UInt8>) -> Bool {
        if holdsEscapes { return Self.name(of: one, text).lexicographicallyPrecedes(Self.name(of: other, text)) }
        if one.prefix != other.prefix { return one.prefix < other.prefix }
        for offset in 0..<min(one.nameCount, other.nameCount) {
            let (left, right) = (text[one.nameStart + offset], text[other.nameStart + offset])
            if left != right { return left < right }
        }
        return one.nameCount < other.nameCount
    }

    private static func name(of member: Member, _ text: Span<UInt8>) -> [UInt8] {
        var content = ByteBuffer()
        let spelling = text.extracting(member.nameStart..<(member.nameStart + member.nameCount))
        _ = JSONText.appendContent(of: spelling, to: &content)
        return Array(content)
    }

    // MARK: Moving

    /// A stable merge sort, from the smallest runs up.
    private mutating func mergeSort(_ text: borrowing ByteBuffer) {
        merged.removeAll()
        for index in 0..<members.count { merged.append(members[index]) }
        var width = 1
        while width < members.count {
            for start in stride(from: 0, to: members.count, by: 2 * width) {
                merge(start, min(start + width, members.count), min(start + 2 * width, members.count), text.bytes)
            }
            swap(&members, &merged)
            width *= 2
        }
    }

    private mutating func merge(_ start: Int, _ middle: Int, _ end: Int, _ text: Span<UInt8>) {
        var (left, right) = (start, middle)
        for position in start..<end {
            if left < middle, right >= end || !precedes(members[right], members[left], text) {
                merged[position] = members[left]
                left += 1
            } else {
                merged[position] = members[right]
                right += 1
            }
        }
    }

    private mutating func rewrite(from start: Int, _ text: inout ByteBuffer) {
        text.padWithSlack()
        scratch.removeAll()
        for index in 0..<members.count {
            if index > 0 { scratch.append(ASCII.comma) }
            scratch.append(text, from: members[index].start, length: members[index].count)
        }
        text.truncate(to: start)
        text.append(first: scratch.count, of: scratch)
    }
}
