/// Writing the text of a scope from its nodes.
extension ScopeTree {
    /// Appends a node's value, minified.
    func writeValue(_ node: Int, sorted: Bool, into output: inout ByteBuffer) {
        var waiting = [Step.value(node)]
        while let step = waiting.popLast() {
            switch step {
            case .text(let byte): output.append(byte)
            case .member(let node):
                writeName(node, into: &output)
                waiting.append(.value(node))
            case .value(let node):
                guard nodes[node].kind != .scalar else {
                    let start = nodes[node].valueStart
                    output.append(text.bytes.extracting(start..<(start + nodes[node].valueCount)))
                    continue
                }
                let isObject = nodes[node].kind == .object
                output.append(isObject ? ASCII.openBrace : ASCII.openBracket)
                waiting.append(.text(isObject ? ASCII.closeBrace : ASCII.closeBracket))
                let children = children(of: node, sorted: sorted && isObject)
                for (position, child) in children.enumerated().reversed() {
                    waiting.append(isObject ? .member(child) : .value(child))
                    if position > 0 { waiting.append(.text(ASCII.comma)) }
                }
            }
        }
    }

    /// Appends quoted name, colon and value of a member, minified.
    func writeMember(_ node: Int, sorted: Bool, into output: inout ByteBuffer) {
        writeName(node, into: &output)
        writeValue(node, sorted: sorted, into: &output)
    }

    private enum Step {
        case value(Int)
        case member(Int)
        case text(UInt8)
    }

    private func writeName(_ node: Int, into output: inout ByteBuffer) {
        output.append(ASCII.quote)
        output.append(text.bytes.extracting(nodes[node].nameStart..<(nodes[node].nameStart + nodes[node].nameCount)))
        output.append(ASCII.quote)
        output.append(ASCII.colon)
    }

    /// In their order, or that of their names' bytes; members of one name stay as they were among each other.
    private func children(of container: Int, sorted: Bool) -> [Int] {
        var children: [Int] = []
        var child = nodes[container].firstChild
        while child >= 0 {
            children.append(Int(child))
            child = nodes[Int(child)].next
        }
        guard sorted, children.count > 1 else { return children }
        let names = children.map { (name: name(of: $0), child: $0) }
        return names.enumerated().sorted { one, other in
            one.element.name == other.element.name
                ? one.offset < other.offset : one.element.name.lexicographicallyPrecedes(other.element.name)
        }.map(\.element.child)
    }
}
