/// Writing parts of a tree at once; of a scope that ends, `ScopeWriter` is asked for piece by piece.
extension ScopeTree {
    /// Appends a node's value, minified, with members and escapes as `options` say.
    mutating func writeValue(_ node: Int, _ options: OutputOptions, into output: inout ByteBuffer) {
        text.padWithSlack()
        var writer = ScopeWriter()
        writer.begin(node, options, in: self, into: &output)
        writer.write(&self, upTo: .max, into: &output)
    }

    /// Appends quoted name, colon and value of a member, minified.
    mutating func writeMember(_ node: Int, _ options: OutputOptions, into output: inout ByteBuffer) {
        text.padWithSlack()
        output.append(ASCII.quote)
        output.append(text, from: nodes[node].nameStart, length: nodes[node].nameCount)
        output.append(ASCII.quote)
        output.append(ASCII.colon)
        writeValue(node, options, into: &output)
    }

    /// Makes a member of an object the next one after another, or the first; -1 is for the end.
    mutating func chain(_ member: Int, after last: Int, in object: Int) {
        if last >= 0 { nodes[last].next = Int32(member) } else { nodes[object].firstChild = Int32(member) }
        if member >= 0 { nodes[member].previous = Int32(last) } else { nodes[object].lastChild = Int32(last) }
    }
}
