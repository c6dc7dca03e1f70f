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
        try JSONValue(self).bytes()
    }
}

extension JSONValue {
    /// The value as JSON.
    ///
    /// - Throws: an error with a pointer for dates and data, which JSON cannot represent, and for numbers that are not JSON numbers.
    public init(_ value: SerializedValue) throws(SerializationError) { try self.init(value, depth: 0) }

    private init(_ value: SerializedValue, depth: Int) throws(SerializationError) {
        guard depth <= Limits().maxDepth else {
            throw SerializationError(
                expected: "at most \(Limits().maxDepth) nested objects and arrays", found: value.kind)
        }
        switch value {
        case .null: self = .null
        case .boolean(let isTrue): self = .bool(isTrue)
        case .number(let text):
            guard let number = JSONNumber(text) else {
                throw SerializationError(expected: "a number that JSON can hold", found: "another number")
            }
            self = .number(number)
        case .string(let content): self = .string(content)
        case .date, .data: throw SerializationError(expected: "a value that JSON can hold", found: value.kind)
        case .array(let elements):
            var values: [JSONValue] = []
            for (index, element) in elements.enumerated() {
                values.append(try Self.part(element, String(index), depth: depth + 1))
            }
            self = .array(values)
        case .object(let members):
            var values: [JSONObject.Member] = []
            for member in members {
                let part = try Self.part(member.value, member.name, depth: depth + 1)
                values.append(JSONObject.Member(name: member.name, value: part))
            }
            self = .object(JSONObject(values))
        }
    }

    /// A member or element, with its key or index in the pointer of an error.
    private static func part(
        _ value: SerializedValue, _ segment: @autoclosure () -> String, depth: Int
    ) throws(SerializationError) -> JSONValue {
        do throws(SerializationError) {
            return try JSONValue(value, depth: depth)
        } catch {
            throw error.nested(in: segment())
        }
    }
}
