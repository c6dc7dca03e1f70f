import ConvertEngine
import ConvertProfiles

/// The plans that the decoders of one profile share, and working memory that one run passes to the next.
final class DecodingPool: Sendable {
    /// The profile, as the decoder was given it; nil for JSON without a profile.
    let profile: Profile?
    let direction: Profile.Direction
    let plan: Plan
    /// The plan without `keys`, for values whose keys are data; nil if the profile does not change the case of keys.
    private let plainPlan: Plan?
    private let spares = Spares<DecodingWorkspace>(maxBytes: 16 * maxKeptBytes)

    /// The largest text, in bytes, whose memory is kept between runs. After a larger one, only the converter is kept.
    private static let maxKeptBytes = 2 * 1024 * 1024

    /// A pool for JSON without a profile.
    init(limits: Limits) {
        (profile, direction) = (nil, .forward)
        plan = Plan(
            PlanSettings(
                output: OutputOptions(), limits: limits.forValues, policies: Policies(duplicateKey: .first)))
        plainPlan = nil
    }

    init(_ profile: Profile, _ direction: Profile.Direction, _ limits: Limits) throws(ProfileError) {
        (self.profile, self.direction) = (profile, direction)
        var profile = profile
        // A decoder does not see how the text is formatted. Only a dynamic value shows the order of members: it sorts them itself.
        profile.output = OutputOptions()
        // As in Foundation, unless the profile says otherwise.
        if profile.policyLocations["duplicateKey"] == nil { profile.policies.duplicateKey = .first }
        plan = try profile.compile(direction, limits: limits.forValues)
        guard let keys = profile.keys, keys.target != .preserve else {
            plainPlan = nil
            return
        }
        profile.keys?.target = .preserve
        profile.policies.lossyKey = .keep
        profile.roundTrip = .ignore
        plainPlan = try profile.compile(direction, limits: limits.forValues)
    }

    /// Whether the members of dynamic values are sorted by key.
    var sortsMembers: Bool { profile?.output.sortKeys == true }

    /// Converts `json` and passes the workspace with the tape of the output to `body`.
    func withTape<Result>(of json: Span<UInt8>, _ body: (DecodingWorkspace) throws -> Result) throws -> Result {
        var workspace = spares.take() ?? makeWorkspace(Cell(Converter(plan)))
        let tape = workspace.tape
        tape.value.text.removeAll()
        tape.value.text.reserve(json.count)
        do throws(ConversionError) {
            try workspace.converter.value.finish(json, into: &tape.value.text)
        } catch {
            throw DecodingError.dataCorrupted(error, advice: plainPlan == nil ? nil : Self.advice(for: error))
        }
        tape.value.index()
        workspace.keys?.value.begin(json)
        let result = try body(workspace)
        // A type may keep its decoder; then that decoder owns the workspace.
        if isKnownUniquelyReferenced(&workspace) {
            workspace.converter.value.reset()
            keep(workspace)
        }
        return result
    }

    /// The hint for a collision. The case rule acts before the type shows that an object is a dictionary, whose keys are data.
    private static func advice(for error: ConversionError) -> String? {
        guard error.code == .collision else { return nil }
        let parent = error.pointer.prefix(upTo: error.pointer.lastIndex(of: "/") ?? error.pointer.startIndex)
        return "if that is a dictionary, list \"\(parent)/*\" in `except` of the profile's `keys`"
    }

    private func makeWorkspace(_ converter: Cell<Converter>) -> DecodingWorkspace {
        var tape = JSONTape()
        tape.mayHoldDuplicates = plan.policies.duplicateKey == .keep || plan.policies.collision == .keep
        let keys = plainPlan.map { Cell(PayloadKeys($0, mayHoldDuplicates: tape.mayHoldDuplicates)) }
        return DecodingWorkspace(converter, Cell(tape), keys)
    }

    private func keep(_ workspace: DecodingWorkspace) {
        // If collisions remove members, keys of one payload could make those of the next one unknown (`PayloadKeys`).
        guard plainPlan == nil || plan.policies.collision == .error || plan.policies.collision == .keep else { return }
        let isLarge = workspace.tape.value.text.capacity > Self.maxKeptBytes
        let next = isLarge ? makeWorkspace(workspace.converter) : workspace
        spares.keep(next, bytes: next.storedBytes)
    }
}

/// The converter of one run and the tape of its output, which the run's containers share.
final class DecodingWorkspace: Sendable {
    let converter: Cell<Converter>
    let tape: Cell<JSONTape>
    /// The payload's own keys; nil if those in the tape never differ from them.
    let keys: Cell<PayloadKeys>?

    init(_ converter: Cell<Converter>, _ tape: Cell<JSONTape>, _ keys: Cell<PayloadKeys>?) {
        (self.converter, self.tape, self.keys) = (converter, tape, keys)
    }

    /// The approximate bytes of memory that it takes.
    var storedBytes: Int {
        tape.value.storedBytes + converter.value.storedBytes + (keys?.value.storedBytes ?? 0)
    }

    /// How many records the profile's `records` left out or made null.
    var skippedRecords: Int { converter.value.skippedRecords }
}

extension DecodingError {
    /// The `DecodingError` for an error in the payload or of a rule.
    static func dataCorrupted(_ error: ConversionError, advice: String? = nil) -> DecodingError {
        let pointer = error.pointer.isEmpty ? "" : " at \"\(error.pointer)\""
        let advice = advice.map { "; \($0)" } ?? ""
        let message = "\(error.line):\(error.column): \(error.message)\(pointer)\(advice)"
        return .dataCorrupted(Context(codingPath: [], debugDescription: message, underlyingError: error))
    }

    /// The same error with another context.
    func mapContext(_ map: (Context) -> Context) -> DecodingError {
        switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, map(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, map(context))
        case .keyNotFound(let key, let context): .keyNotFound(key, map(context))
        case .dataCorrupted(let context): .dataCorrupted(map(context))
        @unknown default: self
        }
    }
}
