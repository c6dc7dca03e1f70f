import ConvertEngine

/// The fields of a form as a tree, by their names. The order is that of each name's first field.
///
/// A name that occurs more than once becomes a list. `[]` is a new element, unless the last element has room for the rest of the
/// name. So `a[][x]=1&a[][y]=2&a[][x]=3` has two elements. Members with the keys 0 to n-1 become a list of n.
///
/// Nodes are plain values in one array, each linked to the next child of its parent; their keys and values are in `texts`. So there
/// is no reference counting, and freeing a hundred thousand nodes is one step.
struct FormTree: ~Copyable {
    enum Kind: UInt8, BitwiseCopyable {
        case nothing, value
        /// A plain name that occurred more than once.
        case values
        case object, list
    }

    struct Node: BitwiseCopyable {
        var kind = Kind.nothing
        /// The start of an object member's key in `texts`.
        var nameStart = 0
        var nameCount = 0
        /// The start of a value's text in `texts`.
        var textStart = 0
        var textCount = 0
        /// The hash of a member's key and its object, for the look-up.
        var hash: UInt64 = 0
        var parent: Int32 = 0
        var firstChild: Int32 = 0
        var lastChild: Int32 = 0
        /// The next child of the parent; 0, the index of the root, if there is none.
        var next: Int32 = 0
        var childCount: Int32 = 0
    }

    let limits: TranslationLimits
    /// All nodes; the first is the root.
    private(set) var nodes = UniqueArray<Node>()
    /// Keys and values. The reader decodes a value to the end of this buffer, and then inserts it.
    var texts: ByteBuffer
    /// Containers that are being written.
    var open: [Open] = []
    /// The rest of the current value that is still to be written.
    var unwritten: Range<Int>?
    /// Members by object and key, in a hash table with open addressing; 0 is an empty slot.
    private var slots = UniqueArray<Int32>(repeating: 0, count: 64)
    private var memberCount = 0
    private var name = FormName()
    private let seed = UInt64.random(in: .min ... .max)

    init(_ limits: TranslationLimits, payloadBytes: Int) {
        self.limits = limits
        // Decoded text is never longer than its encoded form.
        texts = ByteBuffer(capacity: payloadBytes + ByteBuffer.slackBytes)
        nodes.append(Node(kind: .object))
    }

    var heldBytes: Int { nodes.storedBytes + texts.count + slots.storedBytes }

    /// Adds the value at the end of `texts`, which begins at `start`. `offset` is that of the field in the payload.
    mutating func insert(
        valueFrom start: Int, named name: borrowing ByteBuffer, at offset: Int
    ) throws(FormatError) {
        guard name.count <= limits.maxKeyBytes else {
            throw .limit("a key is longer than \(limits.maxKeyBytes) bytes", at: offset)
        }
        self.name.read(name.bytes)
        let steps = self.name.steps
        guard steps.count <= limits.maxDepth else {
            throw .limit("nested deeper than \(limits.maxDepth) levels", at: offset)
        }
        guard nodes.count <= limits.maxFormNodes - steps.count else {
            throw .limit("the form has more than \(limits.maxFormNodes) names and values", at: offset)
        }
        let textCount = texts.count - start
        var node = 0
        for index in steps.indices {
            guard let next = step(from: node, steps[index...], name) else {
                throw Self.conflict(steps[..<index], name, at: offset)
            }
            node = next
        }
        guard put(start, textCount, at: node) else { throw Self.conflict(steps[...], name, at: offset) }
    }

    /// The node that the first of `steps` leads to; nil if a node of another kind is there.
    private mutating func step(
        from node: Int, _ steps: ArraySlice<FormName.Step>, _ name: borrowing ByteBuffer
    ) -> Int? {
        switch (steps[steps.startIndex], nodes[node].kind) {
        case (.member(let range), .nothing), (.member(let range), .object):
            let hash = hash(name, range, in: node)
            if let known = member(name, range, in: node, hash) { return known }
            nodes[node].kind = .object
            return addMember(name, range, to: node, hash)
        case (.element, .nothing):
            nodes[node].kind = .list
            return addChild(Node(), to: node)
        case (.element, .list):
            let last = Int(nodes[node].lastChild)
            if last > 0, hasRoom(in: last, for: steps.dropFirst(), name) { return last }
            return addChild(Node(), to: node)
        default: return nil
        }
    }

    /// Whether a field fits below an element, without a conflict and without a duplicate key.
    private func hasRoom(
        in element: Int, for steps: ArraySlice<FormName.Step>, _ name: borrowing ByteBuffer
    ) -> Bool {
        var node = element
        for step in steps {
            switch (nodes[node].kind, step) {
            case (.nothing, _), (.list, .element): return true
            case (.object, .member(let range)):
                guard let next = member(name, range, in: node, hash(name, range, in: node)) else { return true }
                node = next
            default: return false
            }
        }
        return false
    }

    /// Puts a value into a field's node; false if an object or a list is there.
    private mutating func put(_ start: Int, _ count: Int, at node: Int) -> Bool {
        let value = Node(kind: .value, textStart: start, textCount: count)
        switch nodes[node].kind {
        case .nothing:
            nodes[node].kind = .value
            nodes[node].textStart = start
            nodes[node].textCount = count
        case .value:
            let first = Node(kind: .value, textStart: nodes[node].textStart, textCount: nodes[node].textCount)
            nodes[node].kind = .values
            _ = addChild(first, to: node)
            _ = addChild(value, to: node)
        case .values: _ = addChild(value, to: node)
        case .object, .list: return false
        }
        return true
    }

    private static func conflict(
        _ steps: ArraySlice<FormName.Step>, _ name: borrowing ByteBuffer, at offset: Int
    ) -> FormatError {
        var pointer = ByteBuffer()
        for step in steps {
            guard case .member(let range) = step else { continue }
            PayloadPointer.appendStep(name.bytes.extracting(range), to: &pointer)
        }
        return FormatError(
            code: .form, message: "this name cannot have two of these: a value, keys below it, elements",
            offset: offset, pointer: pointer.string(from: 0, to: pointer.count))
    }

    // MARK: Nodes

    private mutating func addChild(_ child: Node, to parent: Int) -> Int {
        let index = Int32(nodes.count)
        let last = Int(nodes[parent].lastChild)
        if last > 0 { nodes[last].next = index } else { nodes[parent].firstChild = index }
        nodes[parent].lastChild = index
        nodes[parent].childCount += 1
        nodes.append(child)
        return Int(index)
    }

    private mutating func addMember(
        _ name: borrowing ByteBuffer, _ range: Range<Int>, to object: Int, _ hash: UInt64
    ) -> Int {
        if (memberCount + 1) * 4 > slots.count * 3 { growSlots() }
        let nameStart = texts.count
        texts.append(name.bytes.extracting(range))
        let member = addChild(
            Node(nameStart: nameStart, nameCount: range.count, hash: hash, parent: Int32(object)), to: object)
        insert(member)
        memberCount += 1
        return member
    }

    // MARK: Members by name

    private func hash(_ name: borrowing ByteBuffer, _ range: Range<Int>, in object: Int) -> UInt64 {
        name.hash(
            from: range.lowerBound, length: range.count, seed: seed &+ UInt64(truncatingIfNeeded: object) &* (seed | 1))
    }

    private func member(
        _ name: borrowing ByteBuffer, _ range: Range<Int>, in object: Int, _ hash: UInt64
    ) -> Int? {
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let node = nodes[Int(slots[slot])]
            if node.hash == hash, Int(node.parent) == object, node.nameCount == range.count,
                texts.equals(from: node.nameStart, length: node.nameCount, name, from: range.lowerBound)
            {
                return Int(slots[slot])
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private mutating func insert(_ member: Int) {
        var slot = Int(truncatingIfNeeded: nodes[member].hash) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(member)
    }

    private mutating func growSlots() {
        let old = UniqueArray<Int32>(repeating: 0, count: slots.count * 2)
        let known = exchange(&slots, with: old)
        for index in 0..<known.count where known[index] != 0 { insert(Int(known[index])) }
    }

    /// Frees the memory that only reading needs.
    mutating func endReading() { slots = UniqueArray(repeating: 0, count: 1) }
}
