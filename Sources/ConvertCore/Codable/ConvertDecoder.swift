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
/// Without a profile it agrees with Foundation's `JSONDecoder` value for value and error for error, but for strictness: text
/// that RFC 8259 forbids is refused, an integer of `1e-400` is not 0, and of two members with one name the first counts. Malformed text and faults of the
/// profile's rules are `DecodingError.dataCorrupted` with the engine's `ConversionError` as `underlyingError`.
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
                output: OutputOptions(), limits: limits,
                policies: Plan.Policies(duplicateKey: .first, badValue: .keep)))
    }

    /// Creates a decoder that converts what it is given by `profile` before it decodes.
    ///
    /// - Throws: `ProfileError` where the profile has no plan for that direction.
    public init(
        _ profile: Profile, applying direction: Profile.Direction = .forward, limits: Limits = Limits()
    ) throws(ProfileError) {
        var profile = profile
        profile.output = OutputOptions()
        pool = DecodingPool(try profile.compile(direction, limits: limits))
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
            return DecodingReport(value: value, failures: session.failures)
        }
    }
}

/// What decoding gave, and what it could not take.
public struct DecodingReport<Value> {
    /// The value, without what was left out.
    public let value: Value
    /// The elements that were left out or replaced, in the order in which they were found.
    public let failures: [ElementFailure]
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
