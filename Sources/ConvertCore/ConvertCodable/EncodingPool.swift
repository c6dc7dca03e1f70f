import ConvertEngine
import ConvertProfiles

/// The converter that the encoders of one profile share, and its checks.
final class EncodingPool: Sendable {
    private let converter: SharedConverter
    private let profile: Profile?
    private let direction: Profile.Direction
    /// Protects the keys that are data from the case rule; nil if the profile has no case rule.
    let dataKeys: DataKeys?
    /// Sorts keys without their markers, and finds those that are equal. Nil if keys are not sorted, and no rule writes other keys beside
    /// those of a dictionary.
    private let keyCheck: SharedConverter?

    init(_ plan: Plan) {
        converter = SharedConverter(plan)
        profile = nil
        direction = .forward
        dataKeys = nil
        keyCheck = nil
    }

    init(_ profile: Profile, _ direction: Profile.Direction) throws(ProfileError) {
        let plan = try profile.compile(direction, limits: .ofEncoder)
        converter = SharedConverter(plan)
        self.profile = profile
        self.direction = direction
        dataKeys = DataKeys(profile, direction, plan)
        keyCheck = dataKeys == nil ? nil : try Self.keyCheck(profile)
    }

    private static func keyCheck(_ profile: Profile) throws(ProfileError) -> SharedConverter? {
        let (policies, meets) = (profile.policies, profile.renames.count + profile.moves.count + profile.flattens.count)
        let mayCollide = meets > 0 && policies.collision != .keep && policies.duplicateKey != .keep
        guard mayCollide || profile.output.sortKeys else { return nil }
        var check = try Profile(.on(duplicateKey: mayCollide ? policies.collision : .keep))
        check.output = profile.output
        return SharedConverter(try check.compile(.forward, limits: .ofEncoder))
    }

    /// The rules that matched nothing. Selectors use the keys of the forward direction's input, which is the inverse's output.
    func unmatchedRules(_ text: borrowing ByteBuffer, _ output: [UInt8]) throws -> [UnmatchedRule] {
        guard let profile else { return [] }
        guard direction == .forward else { return try profile.unmatchedRules(in: output, applying: .inverse) }
        return try profile.unmatchedRules(in: [UInt8](copying: text.bytes))
    }

    /// Converts `text` and appends the result to `output`.
    ///
    /// - Returns: how many records were left out or made null.
    func convert(
        _ text: borrowing ByteBuffer, into output: inout ByteBuffer, hasMarkers: Bool
    ) throws(ConversionError) -> Int {
        guard hasMarkers, let dataKeys else { return try converter.convert(text, into: &output) }
        var marked = ByteBuffer(capacity: text.count + text.count / 4)
        let skippedRecords: Int
        do throws(ConversionError) {
            skippedRecords = try converter.convert(text, into: &marked)
        } catch {
            throw dataKeys.unmarked(error)
        }
        guard let keyCheck else {
            dataKeys.removeMarkers(from: marked, into: &output)
            return skippedRecords
        }
        var clean = ByteBuffer(capacity: marked.count)
        dataKeys.removeMarkers(from: marked, into: &clean)
        do throws(ConversionError) {
            _ = try keyCheck.convert(clean, into: &output)
        } catch {
            throw Self.collision(error)
        }
        return skippedRecords
    }

    /// A duplicate key of the output, reported as a collision of the input's keys.
    private static func collision(_ error: ConversionError) -> ConversionError {
        guard error.code == .duplicateKey else { return error }
        var error = error
        error.code = .collision
        error.message = "two values would get this key; to accept this, set `on.collision` in the profile"
        return error
    }
}

extension Limits {
    /// The limits for what an encoder writes: its depth is limited already, a rule may put containers around it, and its keys may have any
    /// length.
    static var ofEncoder: Limits { Limits(maxDepth: Limits.depths.upperBound, maxKeyBytes: .max) }
}

/// A plan, and converters for it that one run passes to the next.
private final class SharedConverter: Sendable {
    private let plan: Plan
    private let spares = Spares<Converter>(maxBytes: 4 * 1024 * 1024)

    init(_ plan: Plan) { self.plan = plan }

    /// Converts `text` and appends the result to `output`.
    ///
    /// - Returns: how many records were left out or made null.
    func convert(_ text: borrowing ByteBuffer, into output: inout ByteBuffer) throws(ConversionError) -> Int {
        var converter = spares.take() ?? Converter(plan)
        try converter.finish(text.bytes, into: &output)
        let skippedRecords = converter.skippedRecords
        converter.reset()
        let bytes = converter.storedBytes
        spares.keep(converter, bytes: bytes)
        return skippedRecords
    }
}
