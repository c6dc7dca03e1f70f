public import ConvertEngine
public import ConvertProfiles
public import FoundationEssentials

/// Decodes `Codable` types from JSON, through a profile or without one.
///
/// The engine converts the payload first, and the decoder reads its output. With the default direction, the profile's forward rules
/// turn the payload on the wire into the form that the type expects. If the profile describes the other direction, from readable
/// keys to short ones on the wire, apply its inverse:
///
///     let decoder = try ConvertDecoder(profile)                         // wire --forward--> code
///     let decoder = try ConvertDecoder(profile, applying: .inverse)     // wire --inverse--> code
///     let page = try decoder.decode(Page.self, from: bytes)
///
/// ## Paths begin at the root of the payload
///
/// A rule such as `.rename("/bets/*/amount", to: "a")` has a path from the root of the decoded payload. So the profile of a `User`
/// does not apply to `[User]`. If you name the type, the decoder applies the rules to each `User` of an array, a set or a dictionary.
/// It does not apply them to a `User` inside a `User`: for those, begin paths with `/**`. It refuses every other type. Plain keys, such
/// as `.drop("secret")`, and `prune` also apply to the array or dictionary around the values. For other payloads use
/// ``Profile/prefixed(with:)``:
///
///     let decoder = try ConvertDecoder(profile, describing: User.self)
///     let users = try decoder.decode([User].self, from: bytes)
///
/// `decodeReporting(_:from:)` lists the rules that matched nothing.
///
/// ## Keys that are data stay
///
/// `keys` rewrites the keys that a type asks for. The keys of dictionaries, and all keys inside a `JSONValue`, are data. They stay
/// unchanged, as with Foundation's key strategies. But Foundation converts keys of types other than `String` and `Int`
/// (`CodingKeyRepresentable`). To rewrite them too, set ``rewritesDataKeys``. All other rules apply to them as to any other key:
/// `rename`, `drop`, `prune`, and names in values.
///
/// The profile is applied before the type is known. So two keys that the case rule makes equal collide in a dictionary as well:
/// `user_id` and `userId` in one `[String: Int]` are an error. To read its keys unchanged, list them in `except` of `keys`: for a
/// dictionary at `/counts`, as `/counts/*`.
///
/// A dictionary's own keys may not be found again if the case rule also decided which members there are. Then the dictionary is an error:
///
/// - With `on(collision:)` `first` or `last`, if several keys of the payload became one key of the dictionary. With these two policies a
///   decoder remembers no keys between payloads, so it takes longer.
/// - If a `default` or a `move` writes a key that a member has only after the case rule.
///
/// These are differences from `convertFromSnakeCase`: `keys` also rewrites keys without `_` (`ID` becomes `id`), and refuses colliding
/// keys that the type does not ask for. It leaves the keys of a dictionary that a type reads by `[String: Int](from: decoder)`.
///
/// ## Duplicate keys
///
/// If an object has a key twice, the first member counts, as in Foundation, also for a `JSONValue` that this decoder reads.
/// `on(duplicateKey:)` of the profile changes that: with `keep`, a `JSONValue` has both members. `JSONValue(parsing:)` and
/// `SerializedValue` always keep both and return the first one. A `ValueSerializer` refuses the object.
///
/// ## Differences from JSONDecoder
///
/// Without a profile it agrees with Foundation's `JSONDecoder` on every value and every error, including the coding path and the
/// kind of an error. It differs where Foundation departs from RFC 8259 or changes a value:
///
/// | payload | here | `JSONDecoder` |
/// |---|---|---|
/// | `[1,]`, `{"a":1,}`, `[01]`, invalid UTF-8 anywhere | refused, since the grammar forbids them | read, or refused if decoded |
/// | `-0.0e5` | -0.0 | refused |
/// | UTF-16 and UTF-32 | refused (RFC 8259, section 8.1) | read |
/// | `1e-400` as an integer | refused: it is not whole | 0 |
/// | `3.4028236e38` as a `UInt128` | the integer | refused |
/// | a number that does not fit, in an unkeyed container that the type itself reads | `DecodingError.dataCorrupted` | an internal error of Foundation |
/// | half of a surrogate pair, `"\ud800"` | `dataCorrupted` with the path of the string | `dataCorrupted` without a path |
/// | a key as one scalar `é`, asked for as two | another key: keys are compared by their bytes | the same key |
/// | both spellings of that key in one dictionary | the last value | the first value |
/// | several values of a dictionary that cannot be decoded | the error of the first one | the error of any one |
/// | a key of more than 64 KiB | refused, see ``Limits`` | read |
/// | an unkeyed container, asked past its end for an optional | its index stays | its index grows |
///
/// Malformed text and errors of the profile's rules are `DecodingError.dataCorrupted` with the engine's `ConversionError` as
/// `underlyingError`. Its pointer uses the payload's keys. All other errors use the keys that the type sees. If the profile renamed
/// or moved the value, the description also has the pointer into the payload: for payloads up to 4 MiB and 131,072 values. No error
/// contains a value of the payload.
///
/// More than 512 nested containers, or the depth in `limits`, are an error. The limit is never above `JSONValue.maxDepth`. A container
/// takes up to 1.4 KB of stack in a release build. So on a thread with a stack of 512 KB, such as the secondary threads of Apple's
/// systems, use `Limits(maxDepth: 256)`.
///
/// A decoder is a value; copies share a pool of working memory, and any of them may be used from any task.
public struct ConvertDecoder: Sendable {
    /// How dates are read, after the profile; `.flexible()` reads every form that the profile's `auto` accepts.
    ///
    /// A profile changes the text of the payload and not this strategy: after `dates(.rfc3339)`, set `.flexible()` or `.iso8601`.
    public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy = .deferredToDate
    /// How `Data` is read.
    public var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy = .base64
    /// How infinities and NaN are read.
    public var nonConformingFloatDecodingStrategy: JSONDecoder.NonConformingFloatDecodingStrategy = .throw
    /// The values that `init(from:)` finds in its decoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// Whether the profile's `keys` rewrites the keys of dictionaries and of dynamic values, too.
    public var rewritesDataKeys = false
    /// The action for elements of arrays that cannot be decoded; the first rule that fits an array counts.
    ///
    /// Without a rule, such an element is an error of the whole payload, as malformed JSON always is. The rules apply to arrays and
    /// sets, not to dictionaries, other collections, unkeyed containers that a type reads itself, or `[Item](from: decoder)`.
    ///
    /// If a type catches the error of `container.decode`, the elements that were left out before it are not reported. The decoder does not
    /// see whether a type keeps the result of a direct `try? Item(from: decoder)`, so their elements are reported. Write
    /// `try? decoder.singleValueContainer().decode(Item.self)` instead.
    ///
    /// The caller must learn which elements were left out or replaced: use `decodeReporting`, or set ``onElementFailure``. Otherwise
    /// `decode` throws.
    public var elementFailures: [ElementFailureRule] = []
    /// Receives every element that `elementFailures` left out or replaced, after the whole payload is decoded.
    public var onElementFailure: (@Sendable (ElementFailure) -> Void)?

    private enum Source {
        case pool(DecodingPool)
        /// The profile describes one type.
        case rooted(RootedPlans<DecodingPool>)
    }

    private let source: Source

    /// Creates a decoder that reads JSON unchanged.
    public init(limits: Limits = Limits()) { source = .pool(DecodingPool(limits: limits)) }

    /// Creates a decoder that converts its input by `profile` before it decodes.
    ///
    /// - Throws: `ProfileError` if the profile cannot be compiled for that direction.
    public init(
        _ profile: Profile, applying direction: Profile.Direction = .forward, limits: Limits = Limits()
    ) throws(ProfileError) {
        source = .pool(try DecodingPool(profile, direction, limits))
    }

    /// Creates a decoder of one type and of arrays, sets and dictionaries of it, whose profile's paths begin at that type.
    ///
    /// - Parameters:
    ///   - profile: the rules that convert the input.
    ///   - direction: the direction in which the profile is applied.
    ///   - root: the type that the profile describes. Every other type is refused, subclasses of it too.
    ///   - limits: the limits for the input.
    /// - Throws: `ProfileError` if the profile cannot be compiled for that direction.
    public init<Root>(
        _ profile: Profile, applying direction: Profile.Direction = .forward, describing root: Root.Type,
        limits: Limits = Limits()
    ) throws(ProfileError) {
        source = .rooted(
            try RootedPlans(profile, describing: root) { profile throws(ProfileError) in
                try DecodingPool(profile, direction, limits)
            })
    }

    /// Decodes one value.
    ///
    /// - Throws: `DecodingError`, or the error of the type's own `init(from:)`. When a rule of `elementFailures` would leave out or replace
    ///   an element and no ``onElementFailure`` is set, `dataCorrupted` with the element's error.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from json: Span<UInt8>) throws -> Value {
        try run(type, json) { value, pool, _, session in
            if !session.failures.isEmpty { try report(pool.withPayloadPointers(session.failures, json)) }
            return value
        }
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

    /// Decodes one value and reports which elements were left out or replaced by `elementFailures`, and which rules of the profile
    /// and of `elementFailures` matched nothing.
    ///
    /// - Throws: `DecodingError`, or the error of the type's own `init(from:)`.
    public func decodeReporting<Value: Decodable>(
        _ type: Value.Type = Value.self, from json: Span<UInt8>
    ) throws -> DecodingReport<Value> {
        try run(type, json) { value, pool, workspace, session in
            let failures = pool.withPayloadPointers(session.failures, json)
            for failure in failures { onElementFailure?(failure) }
            return DecodingReport(
                value: value, failures: failures, skippedRecords: workspace.skippedRecords,
                firstSkippedRecords: workspace.skippedRecords > 0 ? pool.skippedRecords(json) : [],
                unmatchedRules: try pool.unmatchedRules(json, workspace),
                unmatchedElementRules: session.unmatchedFailureRules)
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

    private func pool(for type: any Any.Type) throws -> DecodingPool {
        switch source {
        case .pool(let pool): return pool
        case .rooted(let plans):
            if let pool = try plans.pool(for: type) { return pool }
            throw DecodingError.typeMismatch(
                type, DecodingError.Context(codingPath: [], debugDescription: plans.refusal(of: type)))
        }
    }

    /// Decodes a value and passes it on with its run. An error that has the pointer as the type sees it also gets the pointer into
    /// the payload.
    @inline(__always)
    private func run<Value: Decodable, Result>(
        _ type: Value.Type, _ json: Span<UInt8>,
        _ finish: (Value, DecodingPool, DecodingWorkspace, DecodingSession) throws -> Result
    ) throws -> Result {
        let pool = try pool(for: type)
        return try pool.withTape(of: json) { workspace in
            let session = DecodingSession(workspace.tape, self, sortsMembers: pool.sortsMembers, workspace)
            let value: Value
            do {
                value = try session.value(type, at: 0, path: nil)
            } catch let error as DecodingError {
                throw pool.withPayloadPointers(error, json, rangeErrorPath: session.rangeErrorPath)
            }
            return try finish(value, pool, workspace, session)
        }
    }

    private func report(_ failures: [ElementFailure]) throws {
        if let onElementFailure {
            for failure in failures { onElementFailure(failure) }
            return
        }
        let message =
            "the element at \"\(failures[0].pointer)\" cannot be decoded and would be left out or replaced without a report: "
            + "set `onElementFailure`, or use `decodeReporting`"
        throw DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: [], debugDescription: message, underlyingError: failures[0].error))
    }
}
