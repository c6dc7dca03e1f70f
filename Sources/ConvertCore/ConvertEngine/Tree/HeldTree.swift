import ConvertText

/// The members and elements of an object or array that is buffered until it ends: a tree over the text that was written for it.
///
/// Nodes refer to each other by index, in the order of the input. The root is node 0. Each rule that had to wait is a
/// pass over the tree, in a file of its own. `HeldObject.resolve` has the order of the passes.
package struct HeldTree: ~Copyable {
    package var nodes = UniqueArray<Node>()
    /// The text that nodes refer to: keys and values as they were read, unescaped input keys, then the text that rules made.
    package var text = ByteBuffer()
    /// Facts that only some nodes have. Each note has its node.
    var notes = UniqueArray<Note>()
    /// The nodes of records, in their order.
    var records = UniqueArray<Int32>()
    /// Whether any node has `isDiscarded`, `holdsRepetition`, an error, a move or `isListed`. Otherwise the pass is skipped.
    var holdsDiscarded = false
    var holdsRepetitions = false
    var holdsErrors = false
    var holdsMoves = false
    var holdsListed = false
    /// How many nodes and bytes of text do not count as growth.
    private var inputNodes = 0
    private var inputTextBytes = 0

    package init() {}

    /// The most bytes of text for values. Nodes can refer to twice as much.
    static let maxTextBytes = Int(Int32.max)
    /// The most nodes, and bytes of text, whose storage is kept for the next held object.
    private static let maxKeptNodes = 4096
    private static let maxKeptTextBytes = 256 * 1024

    package static let root = 0

    mutating func removeAll() {
        if nodes.count > Self.maxKeptNodes {
            nodes = UniqueArray()
            notes = UniqueArray()
            records = UniqueArray()
        }
        if text.capacity > Self.maxKeptTextBytes { text = ByteBuffer() }
        nodes.removeAll()
        notes.removeAll()
        records.removeAll()
        text.removeAll()
        holdsDiscarded = false
        holdsRepetitions = false
        holdsErrors = false
        holdsMoves = false
        holdsListed = false
        (inputNodes, inputTextBytes) = (0, 0)
    }

    @inline(__always) var storedBytes: Int {
        nodes.storedBytes + notes.storedBytes + records.storedBytes + text.capacity
    }

    /// Bytes of the text and the nodes that were made since `countGrowth()`.
    var grownBytes: Int {
        text.count - inputTextBytes + (nodes.count - inputNodes) * MemoryLayout<Node>.stride
    }

    /// Counts all nodes and text that are made from now on as growth.
    mutating func countGrowth() { (inputNodes, inputTextBytes) = (nodes.count, text.count) }

    /// The most growth that keeps the text within `maxTextBytes`.
    var mostGrowth: Int { Self.maxTextBytes - inputTextBytes }

    /// Adds a node as the last child of `parent`, or as the root when that is -1.
    mutating func append(to parent: Int32) -> Int {
        let index = nodes.count
        nodes.append(Node(parent: parent))
        if parent >= 0 { link(index, into: Int(parent)) }
        return index
    }

    /// Makes a node the last child of a container.
    mutating func link(_ node: Int, into parent: Int) {
        nodes[node].parent = Int32(parent)
        nodes[node][.isRemoved] = false
        nodes[node].removal = .none
        nodes[node][.isLinked] = true
        chain(Int32(node), after: nodes[parent].lastChild, in: parent)
        chain(-1, after: Int32(node), in: parent)
    }

    /// Takes a node out of its parent's children.
    mutating func unlink(_ node: Int) {
        guard nodes[node][.isLinked] else { return }
        nodes[node][.isLinked] = false
        let (parent, previous, next) = (Int(nodes[node].parent), nodes[node].previous, nodes[node].next)
        // A container that became null no longer has children.
        guard nodes[parent].kind != .scalar else { return }
        chain(next, after: previous, in: parent)
    }

    /// Links `member` behind `last` in a container. `last` is -1 for the first member; `member` is -1 after the last one.
    mutating func chain(_ member: Int32, after last: Int32, in container: Int) {
        if last >= 0 { nodes[Int(last)].next = member } else { nodes[container].firstChild = member }
        if member >= 0 { nodes[Int(member)].previous = last } else { nodes[container].lastChild = last }
    }

    /// Marks a node as gone and unlinks it.
    mutating func remove(_ node: Int, for removal: Node.Removal) {
        nodes[node][.isRemoved] = true
        nodes[node].removal = removal
        unlink(node)
    }

    /// The note of a node, which is empty for most nodes.
    subscript(note node: Int) -> Note {
        get {
            let index = Int(nodes[node].note)
            return index < 0 ? Note(node: Int32(node)) : notes[index]
        }
        set {
            let index = Int(nodes[node].note)
            if index < 0 {
                nodes[node].note = Int32(notes.count)
                notes.append(newValue)
            } else {
                notes[index] = newValue
            }
        }
    }

    /// The nodes whose notes satisfy `isMeant`, in their order.
    func nodes(where isMeant: (Note) -> Bool) -> [Int] {
        var found: [Int] = []
        for index in 0..<notes.count where isMeant(notes[index]) { found.append(Int(notes[index].node)) }
        found.sort()
        return found
    }

    /// Whether the node and all around it are still there. Nodes that were removed for the reason `ignored` count as there.
    package func isPresent(_ node: Int, ignoring ignored: Node.Removal? = nil) -> Bool {
        var current = Int32(node)
        while current >= 0 {
            if nodes[Int(current)][.isRemoved], nodes[Int(current)].removal != ignored { return false }
            // A container that became null no longer contains anything.
            if current != node && nodes[Int(current)].kind == .scalar { return false }
            current = nodes[Int(current)].parent
        }
        return true
    }

    /// Removes a container in which `keep` finds nothing, and those around it in which `keep` then finds nothing
    /// either. The root stays.
    mutating func removeIfNothingFound(from container: Int) {
        var current = container
        while current > Self.root, !holdsAnything(current) {
            if !nodes[current][.isRemoved] { remove(current, for: .keep) }
            current = Int(nodes[current].parent)
        }
    }

    /// False for a container that must be removed because `keep` finds nothing in it. Left-out nodes must have been unlinked.
    func holdsAnything(_ container: Int) -> Bool { !nodes[container][.isSearched] || !isEmpty(container) }

    func isEmpty(_ container: Int) -> Bool { nodes[container].firstChild < 0 }

    /// Whether the passes look into the node: it is a container that does not become a string.
    func isOpen(_ node: Int) -> Bool { nodes[node].kind != .scalar && !nodes[node][.isStringified] }

    /// The node behind another one in the order of the text, at or below `top`; -1 behind the last one.
    func next(after node: Int, below top: Int) -> Int {
        if isOpen(node), !isEmpty(node) { return Int(nodes[node].firstChild) }
        var node = node
        while node != top, nodes[node].next < 0 { node = Int(nodes[node].parent) }
        return node == top ? -1 : Int(nodes[node].next)
    }

    /// The node, or the first node of the input in it, if a rule made it.
    func nodeOfInput(at node: Int) -> Int {
        var node = node
        while !nodes[node].isOfInput, nodes[node].index < 0, nodes[node].firstChild >= 0 {
            let first = Int(nodes[node].firstChild)
            if nodes[first][.isText] { break }
            node = first
        }
        return node
    }

    func count(of container: Int) -> Int {
        var count = 0
        var child = nodes[container].firstChild
        while child >= 0 {
            count += 1
            child = nodes[Int(child)].next
        }
        return count
    }

    /// The nodes in a container, in their order.
    package func children(of container: Int) -> [Int] {
        var children: [Int] = []
        var child = nodes[container].firstChild
        while child >= 0 {
            children.append(Int(child))
            child = nodes[Int(child)].next
        }
        return children
    }

    // MARK: Keys and values

    /// The unescaped output key of a member.
    package func name(of node: Int) -> [UInt8] {
        let spelling = text.bytes.extracting(nodes[node].nameRange)
        return nodes[node].nameHasEscape ? JSONText.content(of: spelling) : [UInt8](copying: spelling)
    }

    /// Whether two members have the same output key.
    func haveSameName(_ one: Int, _ other: Int) -> Bool {
        guard !nodes[one][.isText], !nodes[other][.isText] else { return false }
        guard nodes[one].nameHasEscape || nodes[other].nameHasEscape else {
            return nodes[one].nameCount == nodes[other].nameCount
                && text.equals(
                    from: nodes[one].nameStart, length: nodes[one].nameCount, text, from: nodes[other].nameStart)
        }
        return name(of: one) == name(of: other)
    }

    /// The member of an object that has this output key, the first if there are several; -1 for none.
    package func member(named name: [UInt8], of object: Int) -> Int {
        var child = Int(nodes[object].firstChild)
        while child >= 0, !isNamed(child, name) { child = Int(nodes[child].next) }
        return child
    }

    /// Whether a member has this output key.
    private func isNamed(_ member: Int, _ name: [UInt8]) -> Bool {
        guard !nodes[member][.isText] else { return false }
        // A spelling with escapes is never shorter than its key.
        guard nodes[member].nameHasEscape else {
            return text.bytes.extracting(nodes[member].nameRange).equals(name.span)
        }
        return nodes[member].nameCount >= name.count && self.name(of: member) == name
    }

    package func inputName(of node: Int) -> [UInt8] {
        let start = nodes[node].inputStart
        return [UInt8](copying: text.bytes.extracting(start..<(start + nodes[node].inputCount)))
    }

    /// Whether two members have the same key in the same object of the input, or in repetitions of one object under the
    /// same key.
    package func isSameInput(_ one: Int, _ other: Int) -> Bool {
        var (one, other) = (one, other)
        while one != other {
            guard one >= 0, other >= 0, haveSameLabel(one, other) else { return false }
            (one, other) = (Int(nodes[one].inputParent), Int(nodes[other].inputParent))
        }
        return true
    }

    /// Whether two nodes have the same input key, or the same index.
    private func haveSameLabel(_ one: Int, _ other: Int) -> Bool {
        let (mine, others) = (nodes[one], nodes[other])
        guard mine.index == others.index, mine.isOfInput == others.isOfInput else { return false }
        guard mine.isOfInput else { return mine.index >= 0 }
        return mine.inputCount == others.inputCount
            && text.equals(from: mine.inputStart, length: mine.inputCount, text, from: others.inputStart)
    }

    /// The JSON Pointer from the held object's root to a node, in the payload's keys and indices.
    func pointer(to node: Int) -> String {
        var steps: [String] = []
        var current = node
        while nodes[current].inputParent >= 0 {
            steps.append(
                nodes[current].index >= 0
                    ? "/\(nodes[current].index)" : PayloadPointer.step(inputName(of: current)))
            current = Int(nodes[current].inputParent)
        }
        return steps.reversed().joined()
    }

    /// Adds a member that the input does not have.
    mutating func make(named name: [UInt8], in object: Int) -> Int {
        let node = append(to: Int32(object))
        setName(of: node, to: name)
        return node
    }

    /// Sets the output and input keys of a member of the input, from spellings without quotes in `source`.
    mutating func setNames(
        of node: Int, from source: borrowing ByteBuffer, output: Int, length outputLength: Int, input: Int,
        length inputLength: Int
    ) {
        let hasEscape = source.contains(ASCII.backslash, from: output, length: outputLength)
        nodes[node].setName(start: text.count, count: outputLength, hasEscape: hasEscape)
        text.append(source, from: output, length: outputLength)
        let inputHasEscape = source.contains(ASCII.backslash, from: input, length: inputLength)
        if !hasEscape, !inputHasEscape, outputLength == inputLength,
            source.equals(from: output, length: outputLength, source, from: input)
        {
            nodes[node].setInputName(start: nodes[node].nameStart, count: inputLength)
            return
        }
        let start = text.count
        if inputHasEscape {
            _ = JSONText.appendContent(of: source.bytes.extracting(input..<(input + inputLength)), to: &text)
        } else {
            text.append(source, from: input, length: inputLength)
        }
        nodes[node].setInputName(start: start, count: text.count - start)
    }

    /// Sets the output key of a member.
    mutating func setName(of node: Int, to name: [UInt8]) {
        let start = text.count
        JSONText.appendSpelling(of: name.span, to: &text)
        nodes[node].setName(start: start, count: text.count - start, hasEscape: text.count - start != name.count)
        text.padWithSlack()
    }

    /// Makes the index of an element its input key, for pointers to it, because it becomes a member.
    mutating func keepIndex(of element: Int) {
        let start = text.count
        text.append(utf8: "\(nodes[element].index)")
        nodes[element].setInputName(start: start, count: text.count - start)
        text.padWithSlack()
    }

    /// The JSON text of a scalar.
    package func value(of node: Int) -> [UInt8] {
        [UInt8](copying: text.bytes.extracting(nodes[node].valueRange))
    }

    /// Adds members that no rule looks at any more as the last child of an object: their text, perhaps after a comma.
    mutating func appendText(_ members: Span<UInt8>, to object: Int) {
        guard !members.isEmpty else { return }
        let node = append(to: Int32(object))
        nodes[node][.isText] = true
        setValue(of: node, to: members[0] == ASCII.comma ? members.extracting(1...) : members)
    }

    /// Makes a node a scalar with this text.
    mutating func setValue(of node: Int, to value: Span<UInt8>) {
        let start = text.count
        text.append(value)
        nodes[node].kind = .scalar
        nodes[node].setValue(start: start, count: value.count)
    }
}
