/// What one encoder was told: a scalar's text, or elements and members in the order in which they came.
///
/// Containers of `Codable` may be open side by side and be filled in any order, so the text cannot be written straight away.
final class EncodingNode {
    enum Shape { case empty, scalar, array, object }

    /// One element or the value of one member.
    enum Part {
        /// JSON text in the session's arena.
        case text(start: Int, end: Int)
        case node(EncodingNode)
    }

    private(set) var shape = Shape.empty
    private(set) var parts: [Part] = []
    /// One name a part, in objects.
    private(set) var names: [String] = []
    /// Where each name is, once an object has many.
    private var places: [UTF8Name: Int] = [:]

    /// Members up to which they are searched one by one.
    private static let maxSearchedMembers = 16

    /// Begins a container; it may be begun again as long as it is of one shape.
    func begin(_ shape: Shape) {
        precondition(self.shape == .empty || self.shape == shape, "a value is encoded twice, as different things")
        self.shape = shape
    }

    func setScalar(_ part: Part) {
        precondition(shape == .empty, "a value is encoded twice")
        shape = .scalar
        parts = [part]
    }

    func append(_ part: Part) { parts.append(part) }

    /// Puts a member in; one of the same name gives way to it.
    func set(_ name: String, _ part: Part) {
        if let index = place(of: name) {
            parts[index] = part
            return
        }
        if names.count >= Self.maxSearchedMembers {
            if places.isEmpty { for (index, name) in names.enumerated() { places[UTF8Name(name)] = index } }
            places[UTF8Name(name)] = names.count
        }
        names.append(name)
        parts.append(part)
    }

    /// The container of that name, where one of this shape is there already.
    func node(named name: String) -> EncodingNode? {
        guard let index = place(of: name), case .node(let node) = parts[index] else { return nil }
        return node
    }

    private func place(of name: String) -> Int? {
        guard places.isEmpty else { return places[UTF8Name(name)] }
        return names.firstIndex { $0.utf8.elementsEqual(name.utf8) }
    }

    /// Appends the JSON text; the nesting is that of the types encoded. A value that encoded nothing is `{}`.
    func write(_ arena: borrowing ByteBuffer, into output: inout ByteBuffer) {
        switch shape {
        case .scalar: Self.write(parts[0], arena, into: &output)
        case .array:
            output.append(ASCII.openBracket)
            for (index, part) in parts.enumerated() {
                if index > 0 { output.append(ASCII.comma) }
                Self.write(part, arena, into: &output)
            }
            output.append(ASCII.closeBracket)
        case .empty, .object:
            output.append(ASCII.openBrace)
            for (index, part) in parts.enumerated() {
                if index > 0 { output.append(ASCII.comma) }
                JSONText.appendString(names[index], to: &output)
                output.append(ASCII.colon)
                Self.write(part, arena, into: &output)
            }
            output.append(ASCII.closeBrace)
        }
    }

    private static func write(_ part: Part, _ arena: borrowing ByteBuffer, into output: inout ByteBuffer) {
        switch part {
        case .text(let start, let end): output.append(arena.bytes.extracting(start..<end))
        case .node(let node): node.write(arena, into: &output)
        }
    }
}
