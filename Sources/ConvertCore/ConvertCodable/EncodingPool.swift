import ConvertEngine
import ConvertProfiles
import Synchronization

/// What the encoders of one profile share: its plan, and a converter that goes from one run to the next.
final class EncodingPool: Sendable {
    private let plan: Plan
    let warning: RootWarning
    private let profile: Profile?
    private let direction: Profile.Direction
    /// Keeps the keys that are data from the case rule; nil where there is none.
    let dataKeys: DataKeys?
    /// Finds keys that are equal without their markers; nil if no rule brings other keys to those of a dictionary.
    private let unmarked: Plan?
    private let kept = Mutex<Converter?>(nil)

    init(_ plan: Plan) {
        self.plan = plan
        warning = RootWarning(nil, of: "ConvertEncoder")
        profile = nil
        direction = .forward
        dataKeys = nil
        unmarked = nil
    }

    init(_ profile: Profile, _ direction: Profile.Direction) throws(ProfileError) {
        plan = try profile.compile(direction)
        warning = RootWarning(profile, of: "ConvertEncoder")
        self.profile = profile
        self.direction = direction
        dataKeys = DataKeys(profile, direction, plan)
        unmarked = dataKeys == nil ? nil : try Self.unmarked(profile)
    }

    private static func unmarked(_ profile: Profile) throws(ProfileError) -> Plan? {
        let (policies, meets) = (profile.policies, profile.renames.count + profile.moves.count + profile.flattens.count)
        guard meets > 0, policies.collision != .keep, policies.duplicateKey != .keep else { return nil }
        var check = try Profile(.on(duplicateKey: policies.collision))
        check.output = profile.output
        return try check.compile(.forward)
    }

    /// The rules that matched nothing. Selectors name what the forward direction reads, which is what the inverse writes.
    func unmatchedRules(_ text: borrowing ByteBuffer, _ output: [UInt8]) throws -> [UnmatchedRule] {
        guard let profile else { return [] }
        guard direction == .forward else { return try profile.unmatchedRules(in: output, applying: .inverse) }
        return try profile.unmatchedRules(in: [UInt8](copying: text.bytes))
    }

    /// Converts `text` to the end of `output`.
    ///
    /// - Returns: how many records were left out or made null.
    func convert(
        _ text: borrowing ByteBuffer, into output: inout ByteBuffer, hasMarkers: Bool
    ) throws(ConversionError) -> Int {
        var converter = take()
        if hasMarkers, let dataKeys {
            var marked = ByteBuffer(capacity: text.count + text.count / 4)
            do throws(ConversionError) {
                try converter.finish(text.bytes, into: &marked)
            } catch {
                throw dataKeys.unmarked(error)
            }
            guard let unmarked else {
                dataKeys.removeMarkers(from: marked, into: &output)
                return end(converter)
            }
            var clean = ByteBuffer(capacity: marked.count)
            dataKeys.removeMarkers(from: marked, into: &clean)
            var check = Converter(unmarked)
            try check.finish(clean.bytes, into: &output)
        } else {
            try converter.finish(text.bytes, into: &output)
        }
        return end(converter)
    }

    /// Keeps a converter for the next run; returns how many records it left out or made null.
    private func end(_ converter: consuming Converter) -> Int {
        let skippedRecords = converter.skippedRecords
        converter.reset()
        keep(converter)
        return skippedRecords
    }

    private func take() -> Converter {
        let last = kept.withLock { converter in converter.take() }
        if let last { return last }
        return Converter(plan)
    }

    private func keep(_ converter: consuming Converter) {
        var returned = Optional(converter)
        kept.withLock { $0 = returned.take() }
    }
}
