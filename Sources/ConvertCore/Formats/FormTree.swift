/// The fields of a form put together by their names; the order is that of each name's first field.
///
/// A name that comes more than once becomes a list. `[]` is a new element, unless the rest of the name finds room in the
/// last one, so that `a[][x]=1&a[][y]=2&a[][x]=3` is two elements. Members that are called 0 to n-1 make a list of n.
struct FormTree {
    private enum Kind {
        case nothing, value
        /// A plain name that came more than once.
        case values
        case object, list
    }

    private struct Node {
        var kind = Kind.nothing
        /// Of a value.
        var text: [UInt8] = []
        var children: [Int] = []
        /// The names of an object's children.
        var names: [[UInt8]] = []
    }

    private struct Place: Hashable {
        let object: Int
        let name: [UInt8]
    }

    private let limits: TranslationLimits
    /// The root comes first.
    private var nodes = [Node(kind: .object)]
    private var places: [Place: Int] = [:]

    init(_ limits: TranslationLimits) { self.limits = limits }

    // MARK: Reading

    /// Adds a field; `offset` is where the payload begins it.
    mutating func insert(_ value: [UInt8], named name: [UInt8], at offset: Int) throws(FormatFault) {
        guard name.count <= limits.maxKeyBytes else {
            throw FormatFault(
                code: .limit, message: "a name has more than \(limits.maxKeyBytes) bytes", offset: offset)
        }
        let steps = FormName(name).steps
        guard steps.count <= limits.maxDepth else {
            throw FormatFault(
                code: .limit, message: "nested deeper than \(limits.maxDepth) levels", offset: offset)
        }
        guard nodes.count <= limits.maxFormNodes - steps.count else {
            throw FormatFault(
                code: .limit, message: "the form has more than \(limits.maxFormNodes) names and values", offset: offset)
        }
        var node = 0
        for index in steps.indices {
            guard let next = step(from: node, steps[index...]) else {
                throw Self.conflict(steps[..<index], at: offset)
            }
            node = next
        }
        guard put(value, at: node) else { throw Self.conflict(steps[...], at: offset) }
    }

    /// The node that the first of `steps` leads to, nil where something of another kind stands.
    private mutating func step(from node: Int, _ steps: ArraySlice<FormName.Step>) -> Int? {
        switch (steps[steps.startIndex], nodes[node].kind) {
        case (.member(let name), .nothing), (.member(let name), .object):
            if let known = places[Place(object: node, name: name)] { return known }
            nodes[node].kind = .object
            nodes[node].names.append(name)
            places[Place(object: node, name: name)] = nodes.count
            return addChild(to: node)
        case (.element, .nothing):
            nodes[node].kind = .list
            return addChild(to: node)
        case (.element, .list):
            if let last = nodes[node].children.last, hasRoom(in: last, for: steps.dropFirst()) { return last }
            return addChild(to: node)
        default: return nil
        }
    }

    /// Whether a field can be put in below an element without a conflict and without repeating a name.
    private func hasRoom(in element: Int, for steps: ArraySlice<FormName.Step>) -> Bool {
        var node = element
        for step in steps {
            switch (nodes[node].kind, step) {
            case (.nothing, _), (.list, .element): return true
            case (.object, .member(let name)):
                guard let next = places[Place(object: node, name: name)] else { return true }
                node = next
            default: return false
            }
        }
        return false
    }

    private mutating func addChild(_ child: Node = Node(), to parent: Int) -> Int {
        nodes[parent].children.append(nodes.count)
        nodes.append(child)
        return nodes.count - 1
    }

    /// Puts a value where a name leads; false where an object or a list stands.
    private mutating func put(_ text: [UInt8], at node: Int) -> Bool {
        let value = Node(kind: .value, text: text)
        switch nodes[node].kind {
        case .nothing: nodes[node] = value
        case .value:
            let first = nodes[node]
            nodes[node] = Node(kind: .values)
            _ = addChild(first, to: node)
            _ = addChild(value, to: node)
        case .values: _ = addChild(value, to: node)
        case .object, .list: return false
        }
        return true
    }

    private static func conflict(_ steps: ArraySlice<FormName.Step>, at offset: Int) -> FormatFault {
        var pointer = ""
        for step in steps {
            guard case .member(let name) = step else { continue }
            pointer +=
                "/"
                + String(decoding: name, as: UTF8.self).split(separator: "~", omittingEmptySubsequences: false)
                .joined(separator: "~0").split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
        }
        return FormatFault(
            code: .form, message: "a name is given two of a value, members and elements", offset: offset,
            pointer: pointer)
    }

    // MARK: Writing

    private struct Open {
        let children: [Int]
        /// Names of the children; none for a list.
        let names: [[UInt8]]
        var next = 0
    }

    /// Writes the JSON object. Faults of length have no better place than the form's beginning.
    func write(to assembler: inout JSONAssembler) throws(FormatFault) {
        var open: [Open] = []
        try begin(0, &open, &assembler)
        while var top = open.popLast() {
            guard top.next < top.children.count else {
                assembler.close()
                continue
            }
            let index = top.next
            top.next += 1
            if !top.names.isEmpty { try assembler.name(top.names[index], at: 0) }
            let child = top.children[index]
            open.append(top)
            try begin(child, &open, &assembler)
        }
    }

    /// Writes a value, or opens an object or list.
    private func begin(
        _ node: Int, _ open: inout [Open], _ assembler: inout JSONAssembler
    ) throws(FormatFault) {
        switch nodes[node].kind {
        case .nothing: try assembler.token(Array("null".utf8), at: 0)
        case .value: try assembler.string(nodes[node].text, at: 0)
        case .values, .list:
            try assembler.open(isObject: false, at: 0)
            open.append(Open(children: nodes[node].children, names: []))
        case .object:
            if node != 0, let children = elements(of: node) {
                try assembler.open(isObject: false, at: 0)
                open.append(Open(children: children, names: []))
            } else {
                try assembler.open(isObject: true, at: 0)
                open.append(Open(children: nodes[node].children, names: nodes[node].names))
            }
        }
    }

    /// An object's children in the order of their names, where these are exactly the numbers from 0 on.
    private func elements(of object: Int) -> [Int]? {
        var elements = [Int](repeating: -1, count: nodes[object].children.count)
        for (name, child) in zip(nodes[object].names, nodes[object].children) {
            guard let first = name.first, name.allSatisfy(ASCII.isDigit), first != ASCII.zero || name.count == 1,
                let index = Int(String(decoding: name, as: UTF8.self)), index < elements.count
            else { return nil }
            elements[index] = child
        }
        return elements
    }
}
