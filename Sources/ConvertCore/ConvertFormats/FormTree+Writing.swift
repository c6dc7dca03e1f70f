import ConvertEngine
import ConvertText

// MARK: - The JSON object of a form

extension FormTree {
    /// A container whose children are being written.
    struct Open {
        let isObject: Bool
        /// The next child, or 0 after the last; with `elements`, the next index into them.
        var next: Int
        /// The children in order, if the object becomes a list; otherwise nil.
        var elements: [Int32]?
    }

    /// The work for a node, in addition to its bytes.
    private static var nodeWork: Int { 32 }

    /// Continues to write the JSON object; returns whether it is complete. Errors of a limit have offset 0, since they belong to the
    /// whole form.
    mutating func write(to assembler: inout JSONAssembler, _ work: inout Int) throws(FormatError) -> Bool {
        if open.isEmpty { try begin(0, &assembler) }
        while work > 0 {
            if let text = unwritten {
                let piece = text.prefix(work)
                assembler.append(texts.bytes.extracting(piece))
                work -= piece.count
                unwritten = piece.upperBound..<text.upperBound
                guard piece.upperBound == text.upperBound else { return false }
                unwritten = nil
                try assembler.end(.string, at: 0)
            }
            work -= Self.nodeWork
            guard let child = takeChild() else {
                assembler.close()
                open.removeLast()
                if open.isEmpty { return true }
                continue
            }
            if open[open.count - 1].isObject {
                let node = nodes[child]
                work -= node.nameCount
                assembler.begin(.name)
                assembler.append(texts.bytes.extracting(node.nameStart..<(node.nameStart + node.nameCount)))
                try assembler.end(.name, at: 0)
            }
            try begin(child, &assembler)
        }
        return false
    }

    /// The next child of the innermost container; nil after the last.
    private mutating func takeChild() -> Int? {
        let last = open.count - 1
        let next = open[last].next
        if let elements = open[last].elements {
            guard next < elements.count else { return nil }
            open[last].next += 1
            return Int(elements[next])
        }
        guard next > 0 else { return nil }
        open[last].next = Int(nodes[next].next)
        return next
    }

    /// Begins a value, or opens an object or list.
    private mutating func begin(_ index: Int, _ assembler: inout JSONAssembler) throws(FormatError) {
        let node = nodes[index]
        switch node.kind {
        case .nothing: try assembler.token("null", at: 0)
        case .value:
            assembler.begin(.string)
            unwritten = node.textStart..<(node.textStart + node.textCount)
        case .values, .list:
            try assembler.open(isObject: false, at: 0)
            open.append(Open(isObject: false, next: Int(node.firstChild)))
        case .object:
            let elements = index == 0 ? nil : elements(of: node)
            try assembler.open(isObject: elements == nil, at: 0)
            open.append(
                Open(isObject: elements == nil, next: elements == nil ? Int(node.firstChild) : 0, elements: elements))
        }
    }

    /// An object's children in the order of their keys, if these are exactly the numbers from 0 on; otherwise nil.
    private func elements(of object: Node) -> [Int32]? {
        var elements: [Int32] = []
        var child = Int(object.firstChild)
        while child > 0 {
            guard let number = number(nodes[child]), number < object.childCount else { return nil }
            if elements.isEmpty { elements = Array(repeating: 0, count: Int(object.childCount)) }
            elements[number] = Int32(child)
            child = Int(nodes[child].next)
        }
        return elements
    }

    /// The number that is a member's key, without leading zeros; nil for other keys and for numbers beyond any count.
    private func number(_ member: Node) -> Int? {
        guard 1...9 ~= member.nameCount else { return nil }
        let name = texts.bytes.extracting(member.nameStart..<(member.nameStart + member.nameCount))
        guard name[0] != ASCII.zero || name.count == 1 else { return nil }
        var number = 0
        for index in 0..<name.count {
            guard ASCII.isDigit(name[index]) else { return nil }
            number = number * 10 + Int(name[index] - ASCII.zero)
        }
        return number
    }
}
