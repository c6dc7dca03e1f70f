public import FoundationEssentials

/// Encodes `Codable` types to JSON, through a profile or without one.
///
/// The type's JSON passes the engine on its way out. The default direction undoes what a `ConvertDecoder` of the same profile
/// did: its inverse turns what the type says into what goes over the wire. A profile that describes the way out is applied
/// forward:
///
///     let encoder = try ConvertEncoder(profile)                         // code --inverse--> wire
///     let encoder = try ConvertEncoder(profile, applying: .forward)     // code --forward--> wire
///
/// In the inverse, `keep`, `drop`, `prune`, `defaults` and `require` do nothing, as the profile format has it; applied forward, they
/// act on what is encoded.
///
/// Members come in the order in which the type encodes them, and slashes are not escaped; otherwise the output means what
/// that of Foundation's `JSONEncoder` means. A `Decimal` that is no number is an error; Foundation writes `NaN`, which is no JSON.
public struct ConvertEncoder: Sendable {
    /// How dates are written; `.flexible()` writes RFC 3339.
    public var dateEncodingStrategy: JSONEncoder.DateEncodingStrategy = .deferredToDate
    /// How `Data` is written.
    public var dataEncodingStrategy: JSONEncoder.DataEncodingStrategy = .base64
    /// How infinities and what is no number are written.
    public var nonConformingFloatEncodingStrategy: JSONEncoder.NonConformingFloatEncodingStrategy = .throw
    /// What `encode(to:)` finds in its encoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Nil where the text goes out as it is.
    private let plan: Plan?

    /// Creates an encoder that writes JSON as the types say it.
    public init(output: OutputOptions = OutputOptions()) {
        plan = output == OutputOptions() ? nil : .minify(output: output)
    }

    /// Creates an encoder whose output is converted by `profile`, in the form that the profile's `output` says.
    ///
    /// - Throws: `ProfileError` where the profile has no plan for that direction: `keys` without `from` has no inverse.
    public init(_ profile: Profile, applying direction: Profile.Direction = .inverse) throws(ProfileError) {
        plan = try profile.compile(direction)
    }

    /// The value as JSON text in UTF-8.
    ///
    /// - Throws: `EncodingError`, or what the type's own `encode(to:)` throws. What the profile's rules refuse is an
    ///   `EncodingError.invalidValue` with the engine's `ConversionError` as `underlyingError`.
    public func encode(_ value: some Encodable) throws -> [UInt8] { try encodeReporting(value).json }

    /// The value as JSON text in UTF-8, and how many records the profile's `records` left out or made null.
    ///
    /// - Throws: what `encode(_:)` throws.
    public func encodeReporting(_ value: some Encodable) throws -> EncodingReport {
        var output = ByteBuffer()
        let skippedRecords = try encode(value, into: &output)
        return EncodingReport(json: Array(output), skippedRecords: skippedRecords)
    }

    /// Appends the value as JSON text; after an error `output` may hold a beginning of it.
    ///
    /// - Returns: how many records the profile's `records` left out or made null.
    /// - Throws: what `encode(_:)` throws.
    @discardableResult
    public func encode(_ value: some Encodable, into output: inout ByteBuffer) throws -> Int {
        let session = EncodingSession(self)
        let root = EncodingNode()
        try session.encode(value, into: root, path: nil)
        guard root.shape != .empty else {
            let context = EncodingError.Context(
                codingPath: [], debugDescription: "\(type(of: value)) did not encode any value")
            throw EncodingError.invalidValue(value, context)
        }
        guard let plan else {
            root.write(session.arena, into: &output)
            return 0
        }
        var text = ByteBuffer()
        root.write(session.arena, into: &text)
        var converter = Converter(plan)
        do throws(ConversionError) {
            try converter.finish(text.bytes, into: &output)
            return converter.skippedRecords
        } catch {
            let context = EncodingError.Context(
                codingPath: [], debugDescription: "\(error.message) at \"\(error.pointer)\"", underlyingError: error)
            throw EncodingError.invalidValue(value, context)
        }
    }
}

/// What encoding gave, and what the profile took out of it.
public struct EncodingReport: Sendable, Hashable {
    /// JSON text in UTF-8.
    public let json: [UInt8]
    /// How many records the profile's `records` left out or made null.
    public let skippedRecords: Int
}

/// One run of an encoder: the texts of all scalars, and how values become text.
final class EncodingSession {
    var arena = ByteBuffer()
    let encoder: ConvertEncoder
    let userInfo: [CodingUserInfoKey: Any]

    init(_ encoder: ConvertEncoder) {
        self.encoder = encoder
        userInfo = encoder.userInfo
    }

    /// Encodes a value of any type where its parent has a place for it.
    func part(_ value: some Encodable, path: @autoclosure () -> CodingPathNode?) throws -> EncodingNode.Part {
        if let part = try scalar(value, path) { return part }
        let node = EncodingNode()
        try encodeDeferred(value, into: node, path: path())
        return .node(node)
    }

    /// Encodes a value of any type into a node of its own.
    func encode(_ value: some Encodable, into node: EncodingNode, path: CodingPathNode?) throws {
        if let part = try scalar(value, { path }) {
            node.setScalar(part)
        } else {
            try encodeDeferred(value, into: node, path: path)
        }
    }

    /// Encodes what is no scalar: a date or data as its strategy says, all else as it encodes itself.
    private func encodeDeferred(_ value: some Encodable, into node: EncodingNode, path: CodingPathNode?) throws {
        let own = TextEncoder(session: self, node: node, path: path)
        if let date = value as? Date, case .custom(let write) = encoder.dateEncodingStrategy {
            try write(date, own)
        } else if let data = value as? Data, case .custom(let write) = encoder.dataEncodingStrategy {
            try write(data, own)
        } else {
            try value.encode(to: own)
        }
    }

    func text(_ text: String) -> EncodingNode.Part {
        let start = arena.count
        arena.append(wholeText: text)
        return .text(start: start, end: arena.count)
    }

    func quoted(_ text: String) -> EncodingNode.Part {
        let start = arena.count
        JSONText.appendString(text, to: &arena)
        return .text(start: start, end: arena.count)
    }

    func json(_ value: JSONValue) -> EncodingNode.Part {
        let start = arena.count
        value.write(into: &arena)
        return .text(start: start, end: arena.count)
    }

    /// The text of a value that has one without being asked to encode itself.
    private func scalar(_ value: some Encodable, _ path: () -> CodingPathNode?) throws -> EncodingNode.Part? {
        switch value {
        case let value as String: return quoted(value)
        case let value as Bool: return text(value ? "true" : "false")
        case let value as Int: return text(String(value))
        case let value as Double: return try float(value, value.description, path)
        case let value as Float: return try float(value, value.description, path)
        case let value as Int8: return text(String(value))
        case let value as Int16: return text(String(value))
        case let value as Int32: return text(String(value))
        case let value as Int64: return text(String(value))
        case let value as UInt: return text(String(value))
        case let value as UInt8: return text(String(value))
        case let value as UInt16: return text(String(value))
        case let value as UInt32: return text(String(value))
        case let value as UInt64: return text(String(value))
        case let value as Int128: return text(String(value))
        case let value as UInt128: return text(String(value))
        case let value as URL: return quoted(value.absoluteString)
        case let value as Decimal:
            // Foundation writes `NaN`, which is no JSON.
            guard !value.isNaN else { throw Self.unspeakable(value, value.description, path) }
            return text(value.description)
        case let value as Date: return try date(value, path)
        case let value as Data:
            guard case .base64 = encoder.dataEncodingStrategy else { return nil }
            return quoted(value.base64EncodedString())
        case let value as JSONValue: return json(value)
        default: return nil
        }
    }

    private func date(_ date: Date, _ path: () -> CodingPathNode?) throws -> EncodingNode.Part? {
        switch encoder.dateEncodingStrategy {
        case .secondsSince1970:
            return try float(date.timeIntervalSince1970, date.timeIntervalSince1970.description, path)
        case .millisecondsSince1970:
            let milliseconds = date.timeIntervalSince1970 * 1000
            return try float(milliseconds, milliseconds.description, path)
        case .iso8601: return quoted(date.formatted(.iso8601))
        default: return nil
        }
    }

    private func float<Value: BinaryFloatingPoint & Encodable>(
        _ value: Value, _ description: String, _ path: () -> CodingPathNode?
    ) throws -> EncodingNode.Part {
        if value.isFinite { return text(JSONNumber.shortest(description)) }
        guard case .convertToString(let positive, let negative, let nan) = encoder.nonConformingFloatEncodingStrategy
        else { throw Self.unspeakable(value, description, path) }
        return quoted(value.isNaN ? nan : value > 0 ? positive : negative)
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
