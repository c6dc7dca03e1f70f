import ConvertEngine
import ConvertProfiles

extension SerializedValue {
    /// Parses one JSON text (RFC 8259, UTF-8). Numbers keep their text, members their order, and duplicate members are
    /// kept.
    ///
    /// - Throws: an error if the text is not JSON, nests deeper than 512 containers, or has half of a surrogate pair in a string.
    public init(parsingJSON text: [UInt8]) throws(SerializationError) {
        let document: JSONDocument
        do throws(ProfileFault) {
            document = try JSONDocumentParser.parse(text, maxDepth: Limits().maxDepth)
        } catch {
            throw SerializationError(
                expected: "JSON", found: "an error on line \(error.line), column \(error.column) (\(error.message))",
                pointer: error.pointer)
        }
        // Children come after their parents, so a walk from the end has finished the children before their parent.
        var values = [SerializedValue](repeating: .null, count: document.nodes.count)
        for (index, node) in document.nodes.enumerated().reversed() {
            do throws(SerializationError) {
                values[index] = try Self.value(of: node, in: document, &values)
            } catch {
                let pointer = document.pointer(to: JSONDocument.NodeID(index: index))
                throw SerializationError(expected: error.expected, found: error.found, pointer: pointer)
            }
        }
        self = values[0]
    }

    private static func value(
        of node: JSONDocument.Node, in document: JSONDocument, _ values: inout [SerializedValue]
    ) throws(SerializationError) -> SerializedValue {
        switch node.kind {
        case .null: return .null
        case .boolean(let isTrue): return .boolean(isTrue)
        case .number(let text): return .number(String(decoding: text, as: UTF8.self))
        case .string(let content): return .string(try Self.text(content))
        case .array: return .array(node.children.map { values[$0.index] })
        case .object:
            var members: [Member] = []
            members.reserveCapacity(node.children.count)
            for child in node.children {
                guard case .member(let name, _) = document[child].step else { continue }
                members.append(Member(try Self.text(name), values[child.index]))
            }
            return .object(members)
        }
    }

    private static func text(_ content: [UInt8]) throws(SerializationError) -> String {
        guard let text = String(validating: content, as: UTF8.self) else {
            throw SerializationError(expected: "JSON in Unicode", found: "half of a surrogate pair")
        }
        return text
    }

    /// The value as a minified JSON text, UTF-8.
    ///
    /// - Throws: an error with a pointer for dates and data, which JSON cannot represent, and for numbers that are not JSON numbers.
    public func json() throws(SerializationError) -> [UInt8] {
        var writer = JSONTextWriter()
        return try writer.write(self)
    }
}

/// Writes a value as JSON.
///
/// The writer keeps a stack of open containers, innermost last, each with the index of its next value. So it needs no recursion.
private struct JSONTextWriter {
    private var text = RuleText()
    private var open: [OpenContainer] = []

    mutating func write(_ value: SerializedValue) throws(SerializationError) -> [UInt8] {
        try writeChild(value)
        while var container = open.popLast() {
            let index = container.next
            guard index < container.children.count else {
                text.append(container.names == nil ? "]" : "}")
                continue
            }
            container.next += 1
            open.append(container)
            if index > 0 { text.append(",") }
            if let names = container.names {
                text.append(RuleText(names[index]))
                text.append(":")
            }
            try writeChild(container.children[index])
        }
        return text.bytes
    }

    private mutating func writeChild(_ value: SerializedValue) throws(SerializationError) {
        guard open.count <= Limits().maxDepth else {
            throw error("at most \(Limits().maxDepth) nested objects and arrays", value)
        }
        switch value {
        case .null: text.append("null")
        case .boolean(let isTrue): text.append(RuleText(isTrue))
        case .number(let number):
            guard NumberText.isNumber(Array(number.utf8).span) else {
                throw error("a number that JSON can hold", value)
            }
            text.append(number)
        case .string(let content): text.append(RuleText(content))
        case .date, .data: throw error("a value that JSON can hold", value)
        case .array(let elements):
            text.append("[")
            open.append(OpenContainer(children: elements))
        case .object(let members):
            text.append("{")
            open.append(OpenContainer(children: members.map(\.value), names: members.map(\.name)))
        }
    }

    private func error(_ expected: String, _ found: SerializedValue) -> SerializationError {
        open.error(expected: expected, found: found.number == nil ? found.kind : "another number")
    }
}
