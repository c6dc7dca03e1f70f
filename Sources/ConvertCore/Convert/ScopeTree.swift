/// One object, or array, of the output that is held until it ends, since something in it may still change places.
///
/// The converter writes the text as ever and adds a node for each member and element; when the scope ends, the rules that
/// had to wait work on the nodes: `duplicateKey` `last`, records, moves, `prune`, `defaults`, collisions. Then the text is
/// written anew from the nodes that stay. Nodes name each other by index, in the order of the input; the root is node 0.
struct ScopeTree: ~Copyable {
    struct Node: BitwiseCopyable, Sendable {
        enum Kind: UInt8, BitwiseCopyable, Sendable { case scalar, array, object }

        var kind = Kind.scalar
        /// The container the node is in now, and the one it had in the input; -1 for the root.
        var parent: Int32
        var inputParent: Int32
        /// Children, and the next node in the parent, or -1.
        var firstChild: Int32 = -1
        var lastChild: Int32 = -1
        var next: Int32 = -1
        /// Element: the index in the input. Otherwise -1.
        var index: Int = -1
        /// Member: the output name as spelled between its quotes, in `text`.
        var nameStart = 0
        var nameCount = 0
        /// Whether the spelling holds an escape.
        var nameHasEscape = false
        /// Member: the input name, unescaped, in `inputNames`; nothing where the member is not of the input.
        var isOfInput = false
        var inputStart = 0
        var inputCount = 0
        /// Scalar: the value's text, in `text`.
        var valueStart = 0
        var valueCount = 0
        /// The move that takes the value away, or -1.
        var move: Int32 = -1
        /// What is wrong with the value, an index into the converter's deferred faults, or -1.
        var fault: Int32 = -1
        /// The member's path state's container, to name the rule that gave it its name.
        var state: Int32 = 0
        var isRecord = false
        /// Whether the text of the container becomes the content of a string.
        var isQuoted = false
        /// Whether a scalar does not stay here.
        var mustHold = false
        /// What is wrong with name or value, if the member stays once moves are undone, as `fault`.
        var faultAfterMoves: Int32 = -1
        /// Whether the container goes when `keep` leaves nothing in it.
        var isSearched = false
        /// What the payload requires here, an index into the converter's met requirements, or -1.
        var requirement: Int32 = -1
        /// Whether another rule left it out; it counts as a duplicate all the same.
        var isVoid = false
        /// Whether `keep` names it, though another rule left it out: what is around it stays.
        var isFoundPlace = false
        /// Whether it is no member or element of anything any more.
        var isGone = false
        /// Whether a rule changed the name.
        var isRenamed = false
        /// Where the member's name or the element stands in the payload.
        var place = SourcePlace()
    }

    /// A place in the payload's text; all count from 0.
    struct SourcePlace: BitwiseCopyable, Sendable {
        var offset = 0
        /// Line and column, once they are known.
        var line = -1
        var column = 0
    }

    var nodes = TrivialArray<Node>()
    /// The text that nodes refer to: what the converter wrote for the scope, then what was made up since.
    var text = ByteBuffer()
    /// Unescaped input names.
    var inputNames = ByteBuffer()
    /// Whether any node is moved, a record, or at fault.
    var holdsMoves = false
    var holdsRecords = false
    var holdsFaults = false

    static let root = 0

    mutating func removeAll() {
        nodes.removeAll()
        text.removeAll()
        inputNames.removeAll()
        holdsMoves = false
        holdsRecords = false
        holdsFaults = false
    }

    /// Adds a node as the last child of `parent`, or as the root when that is -1.
    mutating func append(to parent: Int32) -> Int {
        let index = nodes.count
        nodes.append(Node(parent: parent, inputParent: parent))
        if parent >= 0 { link(index, into: Int(parent)) }
        return index
    }

    /// Makes a node the last child of a container.
    mutating func link(_ node: Int, into parent: Int) {
        nodes[node].parent = Int32(parent)
        nodes[node].next = -1
        nodes[node].isGone = false
        let last = Int(nodes[parent].lastChild)
        if last >= 0 { nodes[last].next = Int32(node) } else { nodes[parent].firstChild = Int32(node) }
        nodes[parent].lastChild = Int32(node)
    }

    /// Takes out the children of a container that are marked as gone.
    mutating func unlinkGone(in parent: Int) {
        var last: Int32 = -1
        var child = nodes[parent].firstChild
        nodes[parent].firstChild = -1
        while child >= 0 {
            let next = nodes[Int(child)].next
            if !nodes[Int(child)].isGone {
                if last >= 0 { nodes[Int(last)].next = child } else { nodes[parent].firstChild = child }
                nodes[Int(child)].next = -1
                last = child
            }
            child = next
        }
        nodes[parent].lastChild = last
    }

    /// Marks a node as gone and takes it out of its parent.
    mutating func remove(_ node: Int) {
        nodes[node].isGone = true
        if nodes[node].parent >= 0 { unlinkGone(in: Int(nodes[node].parent)) }
    }

    /// Takes out a node, and the containers around it in which `keep` then finds nothing.
    mutating func removeSearched(from node: Int) {
        remove(node)
        removeIfNothingFound(from: Int(nodes[node].parent))
    }

    /// Takes out a container in which `keep` finds nothing, and those around it that then hold nothing either, but for the
    /// root.
    mutating func removeIfNothingFound(from container: Int) {
        var current = container
        while current > Self.root, !holdsAnything(current) {
            remove(current)
            current = Int(nodes[current].parent)
        }
    }

    /// False for a container that goes since `keep` finds nothing in it.
    func holdsAnything(_ container: Int) -> Bool {
        guard nodes[container].isSearched else { return true }
        var child = nodes[container].firstChild
        while child >= 0 {
            if !nodes[Int(child)].isVoid || nodes[Int(child)].isFoundPlace { return true }
            child = nodes[Int(child)].next
        }
        return false
    }

    func isEmpty(_ container: Int) -> Bool { nodes[container].firstChild < 0 }

    // MARK: Names and values

    /// The unescaped output name of a member.
    func name(of node: Int) -> [UInt8] {
        let start = nodes[node].nameStart
        let spelling = text.bytes.extracting(start..<(start + nodes[node].nameCount))
        guard nodes[node].nameHasEscape else { return [UInt8](copying: spelling) }
        var content = ByteBuffer()
        _ = JSONText.appendContent(of: spelling, to: &content)
        return Array(content)
    }

    /// Whether two members have the same output name.
    func haveSameName(_ one: Int, _ other: Int) -> Bool {
        guard nodes[one].nameHasEscape || nodes[other].nameHasEscape else {
            return nodes[one].nameCount == nodes[other].nameCount
                && text.equals(
                    from: nodes[one].nameStart, length: nodes[one].nameCount, text, from: nodes[other].nameStart)
        }
        return name(of: one) == name(of: other)
    }

    /// Whether the output name of one member comes before that of the other, by UTF-8 bytes.
    func precedes(_ one: Int, _ other: Int) -> Bool {
        guard nodes[one].nameHasEscape || nodes[other].nameHasEscape else {
            let (mine, others) = (nodes[one], nodes[other])
            let bytes = text.bytes
            for offset in 0..<min(mine.nameCount, others.nameCount) {
                let (left, right) = (bytes[mine.nameStart + offset], bytes[others.nameStart + offset])
                if left != right { return left < right }
            }
            return mine.nameCount < others.nameCount
        }
        return name(of: one).lexicographicallyPrecedes(name(of: other))
    }

    /// The member of an object that bears this output name, the first if there are several; -1 for none.
    func member(named name: [UInt8], of object: Int) -> Int {
        var child = nodes[object].firstChild
        while child >= 0 {
            // No escape makes a name shorter.
            if nodes[Int(child)].nameCount >= name.count, self.name(of: Int(child)) == name { return Int(child) }
            child = nodes[Int(child)].next
        }
        return -1
    }

    /// All members of an object that bear this output name.
    func members(named name: [UInt8], of object: Int) -> [Int] {
        children(of: object).filter { nodes[$0].nameCount >= name.count && self.name(of: $0) == name }
    }

    func inputName(of node: Int) -> [UInt8] {
        let start = nodes[node].inputStart
        return [UInt8](copying: inputNames.bytes.extracting(start..<(start + nodes[node].inputCount)))
    }

    /// Whether two members have the same name in the same object of the input.
    func isSameInput(_ one: Int, _ other: Int) -> Bool {
        guard nodes[one].isOfInput, nodes[other].isOfInput else { return one == other }
        guard nodes[one].inputParent == nodes[other].inputParent, nodes[one].inputCount == nodes[other].inputCount,
            nodes[one].index == nodes[other].index
        else { return false }
        let names = inputNames.bytes
        for offset in 0..<nodes[one].inputCount
        where names[nodes[one].inputStart + offset] != names[nodes[other].inputStart + offset] {
            return false
        }
        return true
    }

    /// Pointer from the scope's root to a node, by the payload's names and indices.
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

    /// Adds a member that the input does not have, with its name in the form that output options ask for.
    mutating func make(named name: [UInt8], in object: Int, _ escapes: OutputOptions.Escapes) -> Int {
        let node = append(to: Int32(object))
        setName(of: node, to: name, escapes)
        return node
    }

    /// Gives a member of the input its names: spellings, without quotes, that stand in `source`.
    mutating func setNames(
        of node: Int, from source: borrowing ByteBuffer, output: Int, length outputLength: Int, input: Int,
        length inputLength: Int
    ) {
        nodes[node].nameStart = text.count
        nodes[node].nameCount = outputLength
        nodes[node].nameHasEscape = source.contains(ASCII.backslash, from: output, length: outputLength)
        text.append(source, from: output, length: outputLength)
        nodes[node].isOfInput = true
        nodes[node].inputStart = inputNames.count
        if source.contains(ASCII.backslash, from: input, length: inputLength) {
            _ = JSONText.appendContent(of: source.bytes.extracting(input..<(input + inputLength)), to: &inputNames)
        } else {
            inputNames.append(source, from: input, length: inputLength)
        }
        nodes[node].inputCount = inputNames.count - nodes[node].inputStart
    }

    /// Gives a member an output name in this spelling, without its quotes.
    mutating func setName(of node: Int, spelled spelling: [UInt8]) {
        nodes[node].nameStart = text.count
        nodes[node].nameCount = spelling.count
        nodes[node].nameHasEscape = spelling.contains(ASCII.backslash)
        text.append(spelling)
        text.padWithSlack()
    }

    /// Gives a member an output name, which is spelled as output options ask for.
    mutating func setName(of node: Int, to name: [UInt8], _ escapes: OutputOptions.Escapes) {
        nodes[node].nameStart = text.count
        JSONText.appendSpelling(of: name.span, to: &text, escapes == .ascii ? .ascii : .minimal)
        nodes[node].nameCount = text.count - nodes[node].nameStart
        nodes[node].nameHasEscape = nodes[node].nameCount != name.count
        text.padWithSlack()
    }
}
