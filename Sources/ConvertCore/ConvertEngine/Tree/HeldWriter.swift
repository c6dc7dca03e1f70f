import ConvertText

/// Writes the text of a node of a held object, a part in each call. A stack has the open containers, each with the
/// child that comes next.
///
/// A container that becomes a string is written to `spelled` first. From there its bytes are escaped, piece by piece,
/// as the string's content.
struct HeldWriter: ~Copyable {
    struct OpenContainer: BitwiseCopyable, Sendable {
        var node: Int32
        /// The child that comes next, or -1.
        var next: Int32
        var isEmpty = true
    }

    /// How many bytes of a string's content are collected before they are escaped.
    private static let maxSpelledBytes = 4096
    /// How many bytes of a text of several members are written at a time.
    private static let maxCopiedBytes = 4096

    private var open = UniqueArray<OpenContainer>()
    /// The part of the tree's text that is written before anything else: the rest of a text of several members.
    private var members = 0..<0
    /// How many containers were open when one began that becomes a string, or -1.
    private var stringDepth = -1
    private var spelled = ByteBuffer()

    var isDone: Bool { open.isEmpty }

    @inline(__always) var storedBytes: Int { open.storedBytes + spelled.capacity }

    /// Begins to write a node. The tree's text must be padded with slack.
    mutating func begin(_ node: Int, in tree: borrowing HeldTree, into output: inout ByteBuffer) {
        abandon()
        enter(node, in: tree, into: &output)
    }

    /// Forgets what is still to be written.
    mutating func abandon() {
        open.removeAll()
        members = 0..<0
        stringDepth = -1
        spelled.removeAll()
    }

    /// Writes until `maxBytes` more are written, or nothing is left.
    mutating func write(_ tree: borrowing HeldTree, upTo maxBytes: Int, into output: inout ByteBuffer) {
        let start = output.count
        while !open.isEmpty, output.count - start < maxBytes {
            writeNext(tree, into: &output)
            if stringDepth >= 0, spelled.count > Self.maxSpelledBytes { spell(into: &output) }
        }
    }

    // MARK: Members and elements

    private mutating func writeNext(_ tree: borrowing HeldTree, into output: inout ByteBuffer) {
        guard members.isEmpty else { return writeMembers(tree, into: &output) }
        let last = open.count - 1
        let isObject = tree.nodes[Int(open[last].node)].kind == .object
        let child = Int(open[last].next)
        guard child >= 0 else {
            append(isObject ? ASCII.closeBrace : ASCII.closeBracket, into: &output)
            _ = open.removeLast()
            if stringDepth == open.count { endString(into: &output) }
            return
        }
        open[last].next = tree.nodes[child].next
        if open[last].isEmpty { open[last].isEmpty = false } else { append(ASCII.comma, into: &output) }
        if tree.nodes[child][.isText] {
            members = tree.nodes[child].valueRange
            return
        }
        if isObject { writeName(child, in: tree, into: &output) }
        if tree.nodes[child][.isStringified], stringDepth < 0 {
            output.append(ASCII.quote)
            stringDepth = open.count
            spelled.removeAll()
        }
        enter(child, in: tree, into: &output)
        if stringDepth == open.count { endString(into: &output) }
    }

    private mutating func writeMembers(_ tree: borrowing HeldTree, into output: inout ByteBuffer) {
        let count = min(members.count, Self.maxCopiedBytes)
        append(tree.text, from: members.lowerBound, length: count, into: &output)
        members = members.dropFirst(count)
    }

    private mutating func enter(_ node: Int, in tree: borrowing HeldTree, into output: inout ByteBuffer) {
        let kind = tree.nodes[node].kind
        guard kind != .scalar else {
            return append(
                tree.text, from: tree.nodes[node].valueStart, length: tree.nodes[node].valueCount, into: &output)
        }
        append(kind == .object ? ASCII.openBrace : ASCII.openBracket, into: &output)
        open.append(OpenContainer(node: Int32(node), next: tree.nodes[node].firstChild))
    }

    private mutating func writeName(_ node: Int, in tree: borrowing HeldTree, into output: inout ByteBuffer) {
        append(ASCII.quote, into: &output)
        append(tree.text, from: tree.nodes[node].nameStart, length: tree.nodes[node].nameCount, into: &output)
        append(ASCII.quote, into: &output)
        append(ASCII.colon, into: &output)
    }

    @inline(__always)
    private mutating func append(_ byte: UInt8, into output: inout ByteBuffer) {
        if stringDepth < 0 { output.append(byte) } else { spelled.append(byte) }
    }

    @inline(__always)
    private mutating func append(
        _ text: borrowing ByteBuffer, from start: Int, length: Int, into output: inout ByteBuffer
    ) {
        if stringDepth < 0 {
            output.append(text, from: start, length: length)
        } else {
            spelled.append(text, from: start, length: length)
        }
    }

    // MARK: Strings

    private mutating func endString(into output: inout ByteBuffer) {
        spell(into: &output)
        stringDepth = -1
        output.append(ASCII.quote)
    }

    private mutating func spell(into output: inout ByteBuffer) {
        JSONText.appendSpelling(of: spelled, to: &output)
        spelled.removeAll()
    }
}
