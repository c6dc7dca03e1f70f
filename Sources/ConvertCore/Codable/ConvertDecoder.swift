public import FoundationEssentials

/// Decodes `Codable` types from JSON, through a profile or without one.
///
/// What comes in passes the engine first and is decoded from its output: with the default direction the profile's forward
/// rules turn what is on the wire into what the type expects. Where the profile describes the other way, from readable names
/// to short ones on the wire, apply its inverse:
///
///     let decoder = try ConvertDecoder(profile)                         // wire --forward--> code
///     let decoder = try ConvertDecoder(profile, applying: .inverse)     // wire --inverse--> code
///     let page = try decoder.decode(Page.self, from: bytes)
///
/// Without a profile it agrees with Foundation's `JSONDecoder` value for value and error for error, the coding path and the kind
/// of an error included. It differs where Foundation leaves RFC 8259 or a value:
///
/// - Text that the grammar forbids is refused, and what it allows is taken: `-0.0e5`, which Foundation calls corrupted, is a zero.
/// - An integer with a fraction or an exponent is read digit by digit, by Foundation by way of `Double`: one of `1e-400` is refused,
///   since it is not whole, where Foundation reads 0, and `3.4028236e38` is read as a `UInt128`, which Foundation refuses.
/// - Names are compared by their bytes: `é` as one scalar and as two are two members.
/// - An unkeyed container that is asked behind its end for what may be absent stays where it is; Foundation's counts on.
///
/// Malformed text and faults of the profile's rules are `DecodingError.dataCorrupted` with the engine's `ConversionError` as
/// `underlyingError`; its pointer is by the names of the payload, those of all other errors by the names that the type sees.
/// No error repeats a value of the payload.
///
/// Nesting is refused beyond 512 containers, or what `limits` say, but never more than `JSONValue.maxDepth`.
///
/// A decoder is a value; copies share a pool of working memory, and any of them may be used from any task.
public struct ConvertDecoder: Sendable {
    /// How dates are read; `.flexible()` reads every form that the profile's `auto` knows.
    public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy = .deferredToDate
    /// How `Data` is read.
    public var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy = .base64
    /// How infinities and what is no number are read.
    public var nonConformingFloatDecodingStrategy: JSONDecoder.NonConformingFloatDecodingStrategy = .throw
    /// What `init(from:)` finds in its decoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// What happens to an array's elements that cannot be decoded, array by array; the first rule that fits counts.
    ///
    /// Without a rule such an element fails the whole. Malformed JSON always does.
    public var elementFailures: [ElementFailureRule] = []

    private let pool: DecodingPool

    /// Creates a decoder that takes JSON as it is.
    public init(limits: Limits = Limits()) {
        pool = DecodingPool(
            Plan(
                output: OutputOptions(), limits: limits.forValues,
                policies: Policies(duplicateKey: .first, badValue: .keep)))
    }

    /// Creates a decoder that converts what it is given by `profile` before it decodes.
    ///
    /// - Throws: `ProfileError` where the profile has no plan for that direction.
    public init(
        _ profile: Profile, applying direction: Profile.Direction = .forward, limits: Limits = Limits()
    ) throws(ProfileError) {
        var profile = profile
        // How text looks is nothing to a decoder; in what order members stand is, to a `JSONValue`.
        profile.output = OutputOptions(sortKeys: profile.output.sortKeys)
        pool = DecodingPool(try profile.compile(direction, limits: limits.forValues))
    }

    /// Decodes one value.
    ///
    /// - Throws: `DecodingError`, or what the type's own `init(from:)` throws.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from json: Span<UInt8>) throws -> Value {
        try decodeReporting(type, from: json).value
    }

    /// Decodes one value; see `decode(_:from:)` over a span.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from json: [UInt8]) throws -> Value {
        try decode(type, from: json.span)
    }

    /// Decodes one value; see `decode(_:from:)` over a span.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from json: Data) throws -> Value {
        try decode(type, from: json.span)
    }

    /// Decodes one value; see `decode(_:from:)` over a span.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from json: String) throws -> Value {
        try decode(type, from: Array(json.utf8).span)
    }

    /// Decodes one value and says which elements were left out or replaced by `elementFailures`.
    ///
    /// - Throws: `DecodingError`, or what the type's own `init(from:)` throws.
    public func decodeReporting<Value: Decodable>(
        _ type: Value.Type = Value.self, from json: Span<UInt8>
    ) throws -> DecodingReport<Value> {
        let settings = DecodingSettings(
            dates: dateDecodingStrategy, data: dataDecodingStrategy, floats: nonConformingFloatDecodingStrategy,
            userInfo: userInfo, failures: elementFailures)
        return try pool.withTape(of: json) { tape in
            let session = DecodingSession(tape, settings)
            let value = try session.value(type, at: 0, path: nil)
            return DecodingReport(
                value: value, failures: session.failures, skippedRecords: tape.skippedRecords)
        }
    }

    /// Decodes one value and reports; see `decodeReporting(_:from:)` over a span.
    public func decodeReporting<Value: Decodable>(
        _ type: Value.Type = Value.self, from json: [UInt8]
    ) throws -> DecodingReport<Value> {
        try decodeReporting(type, from: json.span)
    }

    /// Decodes one value and reports; see `decodeReporting(_:from:)` over a span.
    public func decodeReporting<Value: Decodable>(
        _ type: Value.Type = Value.self, from json: Data
    ) throws -> DecodingReport<Value> {
        try decodeReporting(type, from: json.span)
    }

    /// Decodes one value and reports; see `decodeReporting(_:from:)` over a span.
    public func decodeReporting<Value: Decodable>(
        _ type: Value.Type = Value.self, from json: String
    ) throws -> DecodingReport<Value> {
        try decodeReporting(type, from: Array(json.utf8).span)
    }
}

/// What decoding gave, and what it could not take.
public struct DecodingReport<Value> {
    /// The value, without what was left out.
    public let value: Value
    /// The elements that were left out or replaced by `elementFailures`, in the order in which they were found.
    public let failures: [ElementFailure]
    /// How many records the profile's `records` left out or made null before anything was decoded.
    public let skippedRecords: Int
}

extension DecodingReport: Sendable where Value: Sendable {}

/// What a decoder was told, gathered for one run.
struct DecodingSettings {
    var dates: JSONDecoder.DateDecodingStrategy
    var data: JSONDecoder.DataDecodingStrategy
    var floats: JSONDecoder.NonConformingFloatDecodingStrategy
    var userInfo: [CodingUserInfoKey: any Sendable]
    var failures: [ElementFailureRule]
}
