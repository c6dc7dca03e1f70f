import ConvertEngine
import ConvertText
import FoundationEssentials

/// One run of an encoder: the text, and the code that turns values into text.
///
/// Encoders and containers identify the value that they write by its target: a scope's index, or, for a node, the complement of its index.
final class EncodingSession {
    let text: Cell<EncodingText>
    private var nodes: [EncodingNode] = []
    let encoder: ConvertEncoder
    let userInfo: [CodingUserInfoKey: Any]
    /// Protects the keys that are data from the case rule; nil if the profile has no case rule.
    private let dataKeys: DataKeys?

    init(_ encoder: ConvertEncoder, _ dataKeys: DataKeys?) {
        self.encoder = encoder
        self.dataKeys = dataKeys
        userInfo = encoder.userInfo
        text = Cell(EncodingText(dataKeys))
    }

    /// Encodes the whole value; false if it encoded nothing.
    func encodeRoot(_ value: some Encodable) throws -> Bool {
        if try appendScalar(value, { nil }) { return true }
        let scope = text.value.open()
        try encode(value, scope, nil)
        let isEmpty = text.value.scopes[scope].tree < 0 && text.value.scopes[scope].shape == .empty
        try close(scope, of: value, nil)
        return !isEmpty
    }

    // MARK: Containers

    func begin(_ shape: EncodingText.Shape, isData: Bool = false, in target: Int) {
        if let node = node(of: target) {
            nodes[node].begin(shape, isData: isData)
        } else {
            text.value.begin(shape, isData: isData, in: target)
        }
    }

    /// The node of a target; nil for a scope that is written in order.
    @inline(__always)
    private func node(of target: Int) -> Int? {
        if target < 0 { return ~target }
        let tree = text.value.scopes[target].tree
        return tree < 0 ? nil : tree
    }

    /// The node of a target; a scope that was written in order so far is turned into a node.
    private func tree(of target: Int) -> Int {
        if let node = node(of: target) { return node }
        precondition(target == text.value.scopes.count - 1, "a value is written to while another one in it is encoded")
        let scope = text.value.scopes[target]
        var node = EncodingNode(shape: scope.shape, isData: scope.isData)
        if scope.shape == .object {
            node.parts = text.value.members(of: target).map { .init(name: $0.name, value: .text($0.value)) }
        } else if scope.count > 0 {
            node.parts = [.init(name: 0..<0, value: .text(text.value.elements(of: target)))]
        }
        node.count = scope.count
        nodes.append(node)
        text.value.setTree(nodes.count - 1, of: target)
        return nodes.count - 1
    }

    func count(of target: Int) -> Int { node(of: target).map { nodes[$0].count } ?? text.value.scopes[target].count }

    /// A new node as the next element of an array; returns its target.
    func appendNode(to target: Int) -> Int {
        let parent = tree(of: target)
        nodes.append(EncodingNode())
        nodes[parent].append(.node(nodes.count - 1))
        return ~(nodes.count - 1)
    }

    /// The target of a member. If the member already is a container of the requested shape, that one; otherwise a new node.
    func memberNode(_ name: String, of target: Int, reopening shape: EncodingText.Shape?) -> Int {
        let parent = tree(of: target)
        let index = partIndex(name, in: parent)
        if let shape, case .node(let node) = nodes[parent].parts[index].value, nodes[node].shape == shape {
            return ~node
        }
        nodes.append(EncodingNode())
        nodes[parent].parts[index].value = .node(nodes.count - 1)
        return ~(nodes.count - 1)
    }

    /// The index of the part with this key; a missing part is appended.
    private func partIndex(_ name: String, in node: Int) -> Int {
        let start = text.value.bytes.count
        text.value.appendName(name, isData: nodes[node].isData)
        let range = start..<text.value.bytes.count
        if let index = nodes[node].index(of: range, in: text.value) {
            text.value.bytes.truncate(to: start)
            return index
        }
        nodes[node].parts.append(.init(name: range, value: .text(start..<start)))
        nodes[node].count += 1
        return nodes[node].parts.count - 1
    }

    // MARK: Scalars in containers

    /// Writes a scalar as a member.
    @inline(__always)
    func member(_ name: String, _ target: Int, _ write: (inout ByteBuffer) -> Void) throws {
        try checkKey(name, target)
        if node(of: target) == nil, text.value.beginMember(name, in: target) { return write(&text.value.bytes) }
        let node = tree(of: target)
        set(name, piece { write(&text.value.bytes) }, in: node)
    }

    /// Writes a scalar as an element.
    @inline(__always)
    func element(_ target: Int, _ write: (inout ByteBuffer) -> Void) {
        if let node = node(of: target) {
            nodes[node].append(.text(piece { write(&text.value.bytes) }))
        } else {
            text.value.beginElement(in: target)
            write(&text.value.bytes)
        }
    }

    /// Writes a scalar as the whole value.
    @inline(__always)
    func single(_ target: Int, _ write: (inout ByteBuffer) -> Void) {
        if let node = node(of: target) {
            setSingle(piece { write(&text.value.bytes) }, of: node)
        } else {
            text.value.beginScalar(in: target)
            write(&text.value.bytes)
        }
    }

    /// The range of what `write` appends to the text, for a part of a node.
    @inline(__always)
    private func piece(_ write: () throws -> Void) rethrows -> Range<Int> {
        let start = text.value.bytes.count
        try write()
        return start..<text.value.bytes.count
    }

    private func set(_ name: String, _ piece: Range<Int>, in node: Int) {
        let index = partIndex(name, in: node)
        nodes[node].parts[index].value = .text(piece)
    }

    private func setSingle(_ piece: Range<Int>, of node: Int) {
        precondition(nodes[node].shape == .empty, "a value is encoded twice")
        nodes[node].shape = .scalar
        nodes[node].append(.text(piece))
    }

    private func checkKey(_ name: String, _ target: Int) throws {
        guard let dataKeys else { return }
        let isData = node(of: target).map { nodes[$0].isData } ?? text.value.scopes[target].isData
        if isData { try dataKeys.check(name) }
    }

    // MARK: Values in containers

    /// Writes a value. If that fails, its text is removed, since the caller may catch the error and write another value instead.
    @inline(__always)
    private func attempt(_ write: () throws -> Void) throws {
        let mark = text.value.mark()
        do {
            try write()
        } catch {
            text.value.rollBack(to: mark)
            throw error
        }
    }

    /// Writes a value of any type as a member.
    func member(_ name: String, _ target: Int, _ value: some Encodable, _ path: () -> CodingPathNode?) throws {
        try checkKey(name, target)
        try attempt {
            if node(of: target) == nil, text.value.beginMember(name, in: target) { return try append(value, path) }
            let node = tree(of: target)
            set(name, try piece { try append(value, path) }, in: node)
        }
    }

    /// Writes a value of any type as an element.
    func element(_ target: Int, _ value: some Encodable, _ path: () -> CodingPathNode?) throws {
        try attempt {
            if let node = node(of: target) {
                return nodes[node].append(.text(try piece { try append(value, path) }))
            }
            text.value.beginElement(in: target)
            try append(value, path)
        }
    }

    /// Writes a value of any type as the whole value.
    func single(_ target: Int, _ value: some Encodable, _ path: CodingPathNode?) throws {
        try attempt {
            if let node = node(of: target) {
                return setSingle(try piece { try append(value) { path } }, of: node)
            }
            let start = text.value.bytes.count
            guard try appendScalar(value, { path }) else { return try encode(value, target, path) }
            precondition(start == text.value.scopes[target].start && text.value.scopes[target].shape == .empty)
            text.value.beginScalar(in: target)
        }
    }

    /// Appends the text of a value of any type, scalar or container.
    func append(_ value: some Encodable, _ path: () -> CodingPathNode?) throws {
        if try appendScalar(value, path) { return }
        let path = path()
        guard path.depth < JSONValue.maxDepth else { throw Self.tooDeep(value, path) }
        let scope = text.value.open()
        try encode(value, scope, path)
        try close(scope, of: value, path)
    }

    private func close(_ scope: Int, of value: some Encodable, _ path: CodingPathNode?) throws {
        let tree = text.value.scopes[scope].tree
        guard tree >= 0 else { return text.value.close() }
        var assembled = ByteBuffer(capacity: text.value.bytes.count - text.value.scopes[scope].start)
        guard write(tree, depth: path.depth, into: &assembled) else { throw Self.tooDeep(value, path) }
        text.value.close(writing: assembled)
    }

    /// Appends the text of a node inside `depth` containers; false if it is nested too deep.
    private func write(_ index: Int, depth: Int, into output: inout ByteBuffer) -> Bool {
        let node = nodes[index]
        guard depth < JSONValue.maxDepth || node.shape == .scalar else { return false }
        if node.shape == .array { output.append(ASCII.openBracket) }
        if node.shape == .object || node.shape == .empty { output.append(ASCII.openBrace) }
        for (position, part) in node.parts.enumerated() {
            if position > 0 { output.append(ASCII.comma) }
            if node.shape == .object {
                Self.copy(part.name, of: text.value.bytes, into: &output)
                output.append(ASCII.colon)
            }
            switch part.value {
            case .text(let range): Self.copy(range, of: text.value.bytes, into: &output)
            case .node(let inner): guard write(inner, depth: depth + 1, into: &output) else { return false }
            }
        }
        if node.shape == .array { output.append(ASCII.closeBracket) }
        if node.shape == .object || node.shape == .empty { output.append(ASCII.closeBrace) }
        return true
    }

    private static func tooDeep(_ value: some Encodable, _ path: CodingPathNode?) -> EncodingError {
        let message = "the value has more than \(JSONValue.maxDepth) nested objects and arrays"
        return .invalidValue(value, EncodingError.Context(codingPath: path.keys, debugDescription: message))
    }

    private static func copy(_ range: Range<Int>, of text: borrowing ByteBuffer, into output: inout ByteBuffer) {
        output.append(text.bytes.extracting(range))
    }

    /// Encodes a value that is not a scalar: a date or data by its strategy, any other value by its own `encode(to:)`.
    private func encode(_ value: some Encodable, _ target: Int, _ path: CodingPathNode?) throws {
        let own = TextEncoder(session: self, target: target, path: path)
        if let date = value as? Date, case .custom(let write) = encoder.dateEncodingStrategy {
            try write(date, own)
        } else if let data = value as? Data, case .custom(let write) = encoder.dataEncodingStrategy {
            try write(data, own)
        } else {
            try value.encode(to: own)
        }
    }
}

// MARK: - Scalars

extension EncodingSession {
    /// Appends the text of a value that needs no `encode(to:)`; false for any other.
    @inline(__always)
    private func appendScalar<Value: Encodable>(_ value: Value, _ path: () -> CodingPathNode?) throws -> Bool {
        if Value.self == Date.self, let date = value as? Date { return try appendDate(date, path) }
        if Value.self == URL.self, let url = value as? URL {
            JSONText.appendString(url.absoluteString, to: &text.value.bytes)
            return true
        }
        if Value.self == Data.self, let data = value as? Data {
            guard case .base64 = encoder.dataEncodingStrategy else { return false }
            JSONText.appendString(data.base64EncodedString(), to: &text.value.bytes)
            return true
        }
        if Value.self == Decimal.self, let number = value as? Decimal {
            // Foundation writes `NaN`, which is not JSON.
            guard !number.isNaN else { throw Self.unspeakable(number, number.description, path) }
            text.value.bytes.append(wholeText: number.description)
            return true
        }
        if Value.self == JSONValue.self, let json = value as? JSONValue {
            try append(json)
            return true
        }
        return try appendPlain(value, path)
    }

    /// Appends scalars that reach a container through its generic method, because their type is generic or erased.
    private func appendPlain<Value: Encodable>(_ value: Value, _ path: () -> CodingPathNode?) throws -> Bool {
        switch Value.self {
        case is String.Type: (value as? String).map { JSONText.appendString($0, to: &text.value.bytes) }
        case is Bool.Type: (value as? Bool).map { text.value.bytes.append($0) }
        case is Int.Type: (value as? Int).map { text.value.bytes.append(integer: $0) }
        case is Double.Type: try (value as? Double).map { try append($0, path) }
        case is Float.Type: try (value as? Float).map { try append($0, path) }
        case is Int8.Type: (value as? Int8).map { text.value.bytes.append(integer: $0) }
        case is Int16.Type: (value as? Int16).map { text.value.bytes.append(integer: $0) }
        case is Int32.Type: (value as? Int32).map { text.value.bytes.append(integer: $0) }
        case is Int64.Type: (value as? Int64).map { text.value.bytes.append(integer: $0) }
        case is Int128.Type: (value as? Int128).map { text.value.bytes.append(integer: $0) }
        case is UInt.Type: (value as? UInt).map { text.value.bytes.append(integer: $0) }
        case is UInt8.Type: (value as? UInt8).map { text.value.bytes.append(integer: $0) }
        case is UInt16.Type: (value as? UInt16).map { text.value.bytes.append(integer: $0) }
        case is UInt32.Type: (value as? UInt32).map { text.value.bytes.append(integer: $0) }
        case is UInt64.Type: (value as? UInt64).map { text.value.bytes.append(integer: $0) }
        case is UInt128.Type: (value as? UInt128).map { text.value.bytes.append(integer: $0) }
        default: return false
        }
        return true
    }

    /// Appends a dynamic value and marks its keys, which are data.
    func append(_ value: JSONValue) throws {
        guard let dataKeys else { return value.write(into: &text.value.bytes) }
        let marked = try value.renamingMembers { name in
            try dataKeys.check(name)
            return dataKeys.marks(name) ? String(decoding: dataKeys.marker, as: UTF8.self) + name : name
        }
        text.value.append(marked: marked)
    }

    private func appendDate(_ date: Date, _ path: () -> CodingPathNode?) throws -> Bool {
        switch encoder.dateEncodingStrategy {
        case .secondsSince1970: try append(date.timeIntervalSince1970, path)
        case .millisecondsSince1970: try append(date.timeIntervalSince1970 * 1000, path)
        case .iso8601: JSONText.appendString(date.formatted(.iso8601), to: &text.value.bytes)
        default: return false
        }
        return true
    }

    /// Appends a floating-point number; for infinities and NaN, the string that the strategy gives.
    func append<Value: BinaryFloatingPoint & Encodable & CustomStringConvertible>(
        _ value: Value, _ path: () -> CodingPathNode?
    ) throws {
        if value.isFinite { return text.value.bytes.append(wholeText: JSONNumber.shortest(value.description)) }
        JSONText.appendString(try nonConforming(value, path), to: &text.value.bytes)
    }

    /// The strategy's string for an infinity or NaN, which JSON cannot represent.
    func nonConforming<Value: BinaryFloatingPoint & Encodable & CustomStringConvertible>(
        _ value: Value, _ path: () -> CodingPathNode?
    ) throws -> String {
        guard case .convertToString(let positive, let negative, let nan) = encoder.nonConformingFloatEncodingStrategy
        else { throw Self.unspeakable(value, value.description, path) }
        return value.isNaN ? nan : value > 0 ? positive : negative
    }

    private static func unspeakable(
        _ value: some Encodable, _ description: String, _ path: () -> CodingPathNode?
    ) -> EncodingError {
        let context = EncodingError.Context(
            codingPath: path().keys,
            debugDescription: "expected a finite number, found \(description), which JSON cannot represent")
        return .invalidValue(value, context)
    }
}

extension ByteBuffer {
    @inline(__always)
    mutating func append(_ value: Bool) { append(wholeText: value ? "true" : "false") }

    /// Appends the decimal digits of an integer.
    @inline(__always)
    mutating func append(integer: some FixedWidthInteger) {
        guard let small = Int64(exactly: integer) else { return append(wholeText: String(integer)) }
        append(small)
    }

    @inline(never)
    private mutating func append(_ integer: Int64) {
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var (start, rest) = (20, integer.magnitude)
        repeat {
            start -= 1
            digits[start] = ASCII.zero + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        if integer < 0 { append(ASCII.minus) }
        append(digits.span.extracting(start..<20))
    }
}
