public import ConvertEngine
public import ConvertProfiles
public import FoundationEssentials

/// Encodes `Codable` types to JSON, through a profile or without one.
///
/// The engine converts the type's JSON before it is returned. The default direction reverses what a `ConvertDecoder` of the same profile
/// did: the profile's inverse turns the type's keys into those on the wire. Apply a profile that describes the output
/// forward:
///
///     let encoder = try ConvertEncoder(profile)                         // code --inverse--> wire
///     let encoder = try ConvertEncoder(profile, applying: .forward)     // code --forward--> wire
///
/// The inverse leaves a key unchanged if `keys` would not restore it, since `lossyKey` is `keep`. Under
/// `.keys(.camelCase, from: .snakeCase)` the property `userID` is written as `userID`: with `acronyms: ["ID"], acronymStyle: .asListed`
/// it is `user_id`. With `.on(lossyKey: .error)` such a key is an error.
///
/// In the inverse, `keep`, `drop`, `prune`, `defaults`, `require`, and one-way values such as `mask` and `hash` do nothing, as the
/// profile format specifies. So values that they would hide are written. With `applying: .forward`, they apply to the encoded JSON.
///
/// Paths of the profile begin at the root of the encoded value. With `describing:` they begin at the named type, also in arrays
/// and dictionaries of it. The keys of dictionaries and of dynamic values are data and stay, unless ``rewritesDataKeys`` is set.
/// The documentation of `ConvertDecoder` explains both. The inverse does not protect those that are the new key of a rename with a
/// path: under `.rename("/u", to: "userName")` and `keys`, the key `userName` of any dictionary is written as `user_name`.
///
/// If a type catches the error of a value that it encodes, nothing of that value is written, and it can encode another one instead.
///
/// Members come in the order in which the type encodes them, and slashes are not escaped. Keys are compared by their bytes: `é` as one
/// scalar and as two are two members. Otherwise the output means the same as that of Foundation's `JSONEncoder`. Nesting beyond
/// `JSONValue.maxDepth`, not counted inside a `JSONValue`, is an error; a decoder reads 512 levels unless its ``Limits`` say otherwise.
/// A `Decimal` that is not a number is an error; Foundation writes `NaN`, which is not JSON.
/// Keys of any length are written; a decoder refuses those of more than 64 KiB, unless its ``Limits`` say otherwise.
public struct ConvertEncoder: Sendable {
    /// How dates are written; `.flexible()` writes RFC 3339.
    public var dateEncodingStrategy: JSONEncoder.DateEncodingStrategy = .deferredToDate
    /// How `Data` is written.
    public var dataEncodingStrategy: JSONEncoder.DataEncodingStrategy = .base64
    /// How infinities and NaN are written.
    public var nonConformingFloatEncodingStrategy: JSONEncoder.NonConformingFloatEncodingStrategy = .throw
    /// The values that `encode(to:)` finds in its encoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// Whether the profile's `keys` rewrites the keys of dictionaries and of dynamic values, too.
    public var rewritesDataKeys = false

    private enum Target {
        case plain
        case pool(EncodingPool)
        /// The profile describes one type.
        case rooted(RootedPlans<EncodingPool>)
    }

    private let target: Target

    /// Creates an encoder that does not convert the JSON of the types.
    public init(output: OutputOptions = OutputOptions()) {
        target = output == OutputOptions() ? .plain : .pool(EncodingPool(.minify(output: output, limits: .ofEncoder)))
    }

    /// Creates an encoder whose output is converted by `profile` and formatted as the profile's `output` says.
    ///
    /// - Throws: `ProfileError` if the profile cannot be compiled for that direction: `keys` without `from` has no inverse.
    public init(_ profile: Profile, applying direction: Profile.Direction = .inverse) throws(ProfileError) {
        target = .pool(try EncodingPool(profile, direction))
    }

    /// Creates an encoder of one type and of arrays, sets and dictionaries of it, whose profile's paths begin at that type.
    ///
    /// - Parameters:
    ///   - profile: the rules that convert the output.
    ///   - direction: the direction in which the profile is applied.
    ///   - root: the type that the profile describes. Every other type is refused.
    /// - Throws: `ProfileError` if the profile cannot be compiled for that direction.
    public init<Root>(
        _ profile: Profile, applying direction: Profile.Direction = .inverse, describing root: Root.Type
    ) throws(ProfileError) {
        target = .rooted(
            try RootedPlans(profile, describing: root) { profile throws(ProfileError) in
                try EncodingPool(profile, direction)
            })
    }

    /// The value as JSON text in UTF-8.
    ///
    /// - Throws: `EncodingError`, or the error of the type's own `encode(to:)`. An error of the profile's rules is an
    ///   `EncodingError.invalidValue` with the engine's `ConversionError` as `underlyingError`.
    public func encode(_ value: some Encodable) throws -> [UInt8] {
        var output = ByteBuffer()
        try encode(value, into: &output)
        return Array(output)
    }

    /// The value as JSON text in UTF-8, with the number of skipped records and the rules that matched nothing.
    ///
    /// - Throws: the same errors as `encode(_:)`.
    public func encodeReporting<Value: Encodable>(_ value: Value) throws -> EncodingReport {
        let pool = try pool(for: Value.self, value)
        let text = try text(of: value, pool)
        var output = ByteBuffer()
        let skippedRecords = try convert(value, text, pool, into: &output)
        let json = Array(output)
        return EncodingReport(
            json: json, skippedRecords: skippedRecords,
            unmatchedRules: try pool?.unmatchedRules(text.value.bytes, json) ?? [])
    }

    /// Appends the value as JSON text; after an error `output` may contain a part of it.
    ///
    /// - Returns: how many records the profile's `records` left out or made null.
    /// - Throws: the same errors as `encode(_:)`.
    @discardableResult
    public func encode<Value: Encodable>(_ value: Value, into output: inout ByteBuffer) throws -> Int {
        let pool = try pool(for: Value.self, value)
        let text = try text(of: value, pool)
        return try convert(value, text, pool, into: &output)
    }

    /// The text of the value, before the profile.
    private func text(of value: some Encodable, _ pool: EncodingPool?) throws -> Cell<EncodingText> {
        let session = EncodingSession(self, rewritesDataKeys ? nil : pool?.dataKeys)
        guard try session.encodeRoot(value) else {
            let context = EncodingError.Context(
                codingPath: [], debugDescription: "\(type(of: value)) did not encode any value")
            throw EncodingError.invalidValue(value, context)
        }
        return session.text
    }

    private func convert(
        _ value: some Encodable, _ text: Cell<EncodingText>, _ pool: EncodingPool?, into output: inout ByteBuffer
    ) throws -> Int {
        guard let pool else {
            output.append(first: text.value.bytes.count, of: text.value.bytes)
            return 0
        }
        do throws(ConversionError) {
            return try pool.convert(text.value.bytes, into: &output, hasMarkers: text.value.hasMarkers)
        } catch {
            let context = EncodingError.Context(
                codingPath: [], debugDescription: "\(error.message) at \"\(error.pointer)\"", underlyingError: error)
            throw EncodingError.invalidValue(value, context)
        }
    }

    private func pool(for type: any Any.Type, _ value: some Encodable) throws -> EncodingPool? {
        switch target {
        case .plain: return nil
        case .pool(let pool): return pool
        case .rooted(let plans):
            if let pool = try plans.pool(for: type) { return pool }
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: [], debugDescription: plans.refusal(of: type)))
        }
    }
}

/// Encoded JSON, the number of skipped records, and the rules that matched nothing.
public struct EncodingReport: Sendable, Hashable {
    /// JSON text in UTF-8.
    public let json: [UInt8]
    /// How many records the profile's `records` left out or made null.
    public let skippedRecords: Int
    /// The rules of the profile whose selectors matched nothing: in the type's JSON, or in the output if the inverse is applied.
    public let unmatchedRules: [UnmatchedRule]
}
