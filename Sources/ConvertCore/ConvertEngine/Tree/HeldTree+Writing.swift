import ConvertText

/// `output.sortKeys`, and the text of parts of a tree.
extension HeldTree {
    /// Sorts the members of every object at or below a node, except inside containers that become strings.
    mutating func sortMembers(below top: Int, _ sorter: inout NameSorter) {
        var node = top
        while node >= 0 {
            if nodes[node].kind == .object, isOpen(node) { sortMembers(of: node, &sorter) }
            node = next(after: node, below: top)
        }
    }

    private mutating func sortMembers(of object: Int, _ sorter: inout NameSorter) {
        var child = nodes[object].firstChild
        while child >= 0 {
            let member = nodes[Int(child)]
            sorter.add(
                Int(child), named: member.nameStart, count: member.nameCount, hasEscape: member.nameHasEscape, in: text)
            child = member.next
        }
        if !sorter.isInOrder {
            sorter.sort(text)
            var last: Int32 = -1
            for position in 0..<sorter.count {
                let member = Int32(sorter[position])
                chain(member, after: last, in: object)
                last = member
            }
            chain(-1, after: last, in: object)
            nodes[object][.isReordered] = true
        }
        sorter.removeAll()
    }

    /// Appends a node's value, minified.
    package mutating func writeValue(_ node: Int, sortsKeys: Bool, into output: inout ByteBuffer) {
        text.padWithSlack()
        if sortsKeys {
            var sorter = NameSorter()
            sortMembers(below: node, &sorter)
        }
        var writer = HeldWriter()
        writer.begin(node, in: self, into: &output)
        writer.write(self, upTo: .max, into: &output)
    }

    /// Appends the quoted key, colon and value of a member, minified.
    mutating func writeMember(_ node: Int, sortsKeys: Bool, into output: inout ByteBuffer) {
        text.padWithSlack()
        output.append(ASCII.quote)
        output.append(text, from: nodes[node].nameStart, length: nodes[node].nameCount)
        output.append(ASCII.quote)
        output.append(ASCII.colon)
        writeValue(node, sortsKeys: sortsKeys, into: &output)
    }
}
