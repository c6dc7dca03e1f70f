/// Writing the text of a scope from its nodes.
extension ScopeTree {
    /// One container whose children are being written.
    private struct OpenContainer {
        var node: Int
        /// The child that comes next, or -1, where children are in their own order.
        var next: Int32 = -1
        /// The children in the order of their names, where that is asked for, and how many of them are written.
        var sorted: [Int] = []
        var written = 0
    }

    /// Appends a node's value, minified, with members and escapes as `options` say.
    mutating func writeValue(_ node: Int, _ options: OutputOptions, into output: inout ByteBuffer) {
        text.padWithSlack()
        write(node, options, into: &output)
    }

    private func write(_ node: Int, _ options: OutputOptions, into output: inout ByteBuffer) {
        let sorted = options.sortKeys
        var open: [OpenContainer] = []
        begin(node, sorted: sorted, &open, into: &output)
        while let last = open.indices.last {
            let container = open[last].node
            let isObject = nodes[container].kind == .object
            let child: Int
            if sorted, isObject {
                child = open[last].written < open[last].sorted.count ? open[last].sorted[open[last].written] : -1
            } else {
                child = Int(open[last].next)
                if child >= 0 { open[last].next = nodes[child].next }
            }
            guard child >= 0 else {
                output.append(isObject ? ASCII.closeBrace : ASCII.closeBracket)
                open.removeLast()
                continue
            }
            if open[last].written > 0 { output.append(ASCII.comma) }
            open[last].written += 1
            if isObject { writeName(child, into: &output) }
            if nodes[child].isQuoted {
                writeQuoted(child, options.escapes, into: &output)
            } else {
                begin(child, sorted: sorted, &open, into: &output)
            }
        }
    }

    /// Appends quoted name, colon and value of a member, minified.
    mutating func writeMember(_ node: Int, _ options: OutputOptions, into output: inout ByteBuffer) {
        text.padWithSlack()
        writeName(node, into: &output)
        write(node, options, into: &output)
    }

    /// Appends a string that holds the container's text, whose members keep their order.
    private func writeQuoted(_ node: Int, _ escapes: OutputOptions.Escapes, into output: inout ByteBuffer) {
        var value = ByteBuffer()
        write(node, OutputOptions(), into: &value)
        output.append(ASCII.quote)
        JSONText.appendSpelling(of: value.bytes, to: &output, escapes == .ascii ? .ascii : .minimal)
        output.append(ASCII.quote)
    }

    private func begin(_ node: Int, sorted: Bool, _ open: inout [OpenContainer], into output: inout ByteBuffer) {
        switch nodes[node].kind {
        case .scalar: output.append(text, from: nodes[node].valueStart, length: nodes[node].valueCount)
        case .array:
            output.append(ASCII.openBracket)
            open.append(OpenContainer(node: node, next: nodes[node].firstChild))
        case .object:
            output.append(ASCII.openBrace)
            open.append(
                sorted
                    ? OpenContainer(node: node, sorted: sortedMembers(of: node))
                    : OpenContainer(node: node, next: nodes[node].firstChild))
        }
    }

    private func writeName(_ node: Int, into output: inout ByteBuffer) {
        output.append(ASCII.quote)
        output.append(text, from: nodes[node].nameStart, length: nodes[node].nameCount)
        output.append(ASCII.quote)
        output.append(ASCII.colon)
    }

    /// Members of one name stay as they were among each other.
    private func sortedMembers(of object: Int) -> [Int] {
        var members = children(of: object)
        // A stable merge sort, from the smallest runs up.
        var width = 1
        var merged = members
        while width < members.count {
            var start = 0
            while start < members.count {
                let middle = min(start + width, members.count)
                let end = min(start + 2 * width, members.count)
                var (left, right) = (start, middle)
                for position in start..<end {
                    if left < middle, right >= end || !precedes(members[right], members[left]) {
                        merged[position] = members[left]
                        left += 1
                    } else {
                        merged[position] = members[right]
                        right += 1
                    }
                }
                start = end
            }
            swap(&members, &merged)
            width *= 2
        }
        return members
    }
}
