// What is written of a scope, in pieces: the containers that are open are a stack, and each says which child comes next.
//
// An object whose members are to be sorted is not open before that is done, which may take several pieces, too: its members
// go to the sorter (`.collecting`), are put in order (`.sorting`), and are then chained anew in the tree (`.chaining`), so that
// writing goes from one to the next as ever. A container that becomes a string is written to `spelled` first, whose bytes are
// spelled as the string's content piece by piece.

/// Writes the text of a node of a scope as far as it is asked to.
struct ScopeWriter: ~Copyable {
    struct OpenContainer: BitwiseCopyable, Sendable {
        var node: Int32
        /// The child that comes next, or -1.
        var next: Int32
        var isEmpty = true
    }

    enum Ordering: BitwiseCopyable, Sendable {
        case none
        case collecting(next: Int32)
        case sorting
        case chaining(position: Int)
    }

    /// How much of a string's content is gathered before it is spelled.
    private static let maxSpelledBytes = 4096
    /// How many bytes of a name are looked at for one step.
    private static let stepBytes = 8

    private var options = OutputOptions()
    /// Spaces a level of what is laid out, or 0, and levels around the node.
    private var indent = 0
    private var outerLevels = 0
    private var open = TrivialArray<OpenContainer>()
    private var ordering = Ordering.none
    private var sorter = NameSorter()
    /// The containers that were open when one began that becomes a string, or -1.
    private var quoteDepth = -1
    private var spelled = ByteBuffer()
    /// What lays out the JSON texts that strings held, once there was one.
    private var laidOutText: EmbeddedText?

    var isDone: Bool { open.isEmpty }

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int {
        open.storedBytes + sorter.storedBytes + spelled.capacity + (laidOutText?.heldBytes ?? 0)
    }

    /// Stands before a node; what it begins with is written. The tree's text must be padded with slack.
    mutating func begin(
        _ node: Int, _ options: OutputOptions, indent: Int = 0, outerLevels: Int = 0, in tree: borrowing ScopeTree,
        into output: inout ByteBuffer
    ) {
        abandon()
        if indent != self.indent { laidOutText = nil }
        self.options = options
        self.indent = indent
        self.outerLevels = outerLevels
        enter(node, in: tree, into: &output)
    }

    /// Forgets what is still to be written.
    mutating func abandon() {
        open.removeAll()
        ordering = .none
        sorter.removeAll()
        quoteDepth = -1
        spelled.removeAll()
    }

    /// Goes on until `maxBytes` more are written, or as much other work is done, or nothing is left.
    mutating func write(_ tree: inout ScopeTree, upTo maxBytes: Int, into output: inout ByteBuffer) {
        var steps = maxBytes
        while !open.isEmpty, steps > 0 {
            if case .none = ordering {
                let start = output.count + spelled.count
                writeNext(&tree, into: &output)
                steps -= max(1, output.count + spelled.count - start)
            } else {
                order(&tree, &steps)
            }
            if quoteDepth >= 0, spelled.count > Self.maxSpelledBytes { spell(into: &output) }
        }
    }

    // MARK: Members and elements

    private mutating func writeNext(_ tree: inout ScopeTree, into output: inout ByteBuffer) {
        let last = open.count - 1
        let isObject = tree.nodes[Int(open[last].node)].kind == .object
        let child = Int(open[last].next)
        guard child >= 0 else {
            if !open[last].isEmpty { appendNewLine(level: last, into: &output) }
            append(isObject ? ASCII.closeBrace : ASCII.closeBracket, into: &output)
            _ = open.removeLast()
            if quoteDepth == open.count { endQuote(into: &output) }
            return
        }
        open[last].next = tree.nodes[child].next
        if open[last].isEmpty { open[last].isEmpty = false } else { append(ASCII.comma, into: &output) }
        appendNewLine(level: open.count, into: &output)
        if isObject { writeName(child, in: tree, into: &output) }
        if tree.nodes[child].isQuoted, quoteDepth < 0 {
            output.append(ASCII.quote)
            quoteDepth = open.count
            spelled.removeAll()
        }
        enter(child, in: tree, into: &output)
        if quoteDepth == open.count { endQuote(into: &output) }
    }

    private mutating func enter(_ node: Int, in tree: borrowing ScopeTree, into output: inout ByteBuffer) {
        let kind = tree.nodes[node].kind
        guard kind != .scalar else {
            writeScalar(node, in: tree, into: &output)
            return
        }
        append(kind == .object ? ASCII.openBrace : ASCII.openBracket, into: &output)
        let first = tree.nodes[node].firstChild
        open.append(OpenContainer(node: Int32(node), next: first))
        if kind == .object, options.sortKeys, quoteDepth < 0, first >= 0 { ordering = .collecting(next: first) }
    }

    private mutating func writeScalar(_ node: Int, in tree: borrowing ScopeTree, into output: inout ByteBuffer) {
        let (start, count) = (tree.nodes[node].valueStart, tree.nodes[node].valueCount)
        guard indent > 0, quoteDepth < 0, opensContainer(tree.text[start]) else {
            return append(tree.text, from: start, length: count, into: &output)
        }
        // The JSON that a string held, which nothing has looked into.
        let limits = Limits(maxDepth: .max, maxKeyBytes: .max, maxHeldBytes: .max)
        let text = laidOutText ?? EmbeddedText(OutputOptions(indent: indent), limits)
        laidOutText = text
        text.begin(outerLevels: outerLevels + open.count)
        let outcome = text.finish(tree.text.bytes.extracting(start..<(start + count)), into: &output)
        precondition(outcome == .text, "it was read as JSON before")
    }

    private func opensContainer(_ byte: UInt8) -> Bool { byte == ASCII.openBrace || byte == ASCII.openBracket }

    private mutating func appendNewLine(level: Int, into output: inout ByteBuffer) {
        guard indent > 0, quoteDepth < 0 else { return }
        output.append(ASCII.lineFeed)
        output.append(repeating: ASCII.space, count: (outerLevels + level) * indent)
    }

    private mutating func writeName(_ node: Int, in tree: borrowing ScopeTree, into output: inout ByteBuffer) {
        append(ASCII.quote, into: &output)
        append(tree.text, from: tree.nodes[node].nameStart, length: tree.nodes[node].nameCount, into: &output)
        append(ASCII.quote, into: &output)
        append(ASCII.colon, into: &output)
        if indent > 0, quoteDepth < 0 { output.append(ASCII.space) }
    }

    @inline(__always)
    private mutating func append(_ byte: UInt8, into output: inout ByteBuffer) {
        if quoteDepth < 0 { output.append(byte) } else { spelled.append(byte) }
    }

    @inline(__always)
    private mutating func append(
        _ text: borrowing ByteBuffer, from start: Int, length: Int, into output: inout ByteBuffer
    ) {
        if quoteDepth < 0 {
            output.append(text, from: start, length: length)
        } else {
            spelled.append(text, from: start, length: length)
        }
    }

    // MARK: Strings

    private mutating func endQuote(into output: inout ByteBuffer) {
        spell(into: &output)
        quoteDepth = -1
        output.append(ASCII.quote)
    }

    private mutating func spell(into output: inout ByteBuffer) {
        JSONText.appendSpelling(of: spelled, to: &output, options.escapes == .ascii ? .ascii : .minimal)
        spelled.removeAll()
    }

    // MARK: Order

    /// Goes on with putting the members of the innermost object in order; each member takes a step, more than once.
    private mutating func order(_ tree: inout ScopeTree, _ steps: inout Int) {
        switch ordering {
        case .none: return
        case .collecting(var next):
            while next >= 0, steps > 0 {
                let member = tree.nodes[Int(next)]
                sorter.add(
                    Int(next), named: member.nameStart, count: member.nameCount, hasEscape: member.nameHasEscape,
                    in: tree.text)
                next = member.next
                steps -= 1 + member.nameCount / Self.stepBytes
            }
            ordering = next >= 0 ? .collecting(next: next) : .sorting
        case .sorting:
            if sorter.sort(tree.text, steps: &steps) { ordering = .chaining(position: 0) }
        case .chaining(var position):
            let object = Int(open[open.count - 1].node)
            while position < sorter.count, steps > 0 {
                tree.chain(sorter[position], after: position > 0 ? sorter[position - 1] : -1, in: object)
                position += 1
                steps -= 1
            }
            ordering = .chaining(position: position)
            guard position == sorter.count else { return }
            tree.chain(-1, after: sorter[position - 1], in: object)
            open[open.count - 1].next = tree.nodes[object].firstChild
            ordering = .none
            sorter.removeAll()
        }
    }
}
