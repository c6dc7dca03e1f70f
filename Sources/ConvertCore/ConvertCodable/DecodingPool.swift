import ConvertEngine
import ConvertProfiles
import Synchronization

/// The plans that the decoders of one profile share, and working memory that one run passes to the next.
///
/// A run that begins while another uses the memory allocates its own; no run waits for another.
final class DecodingPool: Sendable {
    private struct Workspace: ~Copyable, Sendable {
        var converter: Converter
        let tape: Cell<JSONTape>
        /// A copy of the payload, kept if it may have to be converted twice.
        let input: Cell<ByteBuffer>?
    }

    let plan: Plan
    /// The plan without `keys`, for values whose keys are data; nil if the profile does not change the case of keys.
    private let plainPlan: Plan?
    /// Whether the members of dynamic values are sorted by key.
    let sortsMembers: Bool
    let warning: RootWarning
    private let kept = Mutex<Workspace?>(nil)

    /// The largest text, in bytes, whose memory is kept between runs.
    private static let maxKeptBytes = 1024 * 1024

    /// A pool for JSON without a profile.
    init(limits: Limits) {
        plan = Plan(
            output: OutputOptions(), limits: limits.forValues,
            policies: Policies(duplicateKey: .first, badValue: .keep))
        plainPlan = nil
        sortsMembers = false
        warning = RootWarning(nil, of: "ConvertDecoder")
    }

    init(_ profile: Profile, _ direction: Profile.Direction, _ limits: Limits) throws(ProfileError) {
        var profile = profile
        // A decoder does not see how the text is formatted, and only a dynamic value shows the order of members.
        sortsMembers = profile.output.sortKeys
        warning = RootWarning(profile, of: "ConvertDecoder")
        profile.output = OutputOptions()
        // As in Foundation, unless the profile says otherwise.
        if profile.policyPlaces["duplicateKey"] == nil { profile.policies.duplicateKey = .first }
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

    /// Converts `json` and passes the tape of the output to `body`.
    func withTape<Result>(of json: Span<UInt8>, _ body: (TapeBox) throws -> Result) throws -> Result {
        var workspace = take()
        let tape = workspace.tape
        tape.value.text.removeAll()
        tape.value.text.reserve(json.count)
        do throws(ConversionError) {
            try workspace.converter.finish(json, into: &tape.value.text)
        } catch {
            throw DecodingError.dataCorrupted(error, advice: plainPlan == nil ? nil : Self.advice(for: error))
        }
        tape.value.index()
        workspace.input?.value.removeAll()
        workspace.input?.value.append(json)
        let skippedRecords = workspace.converter.skippedRecords
        var box = TapeBox(tape, workspace.input, plainPlan, skippedRecords: skippedRecords)
        workspace.converter.reset()
        let result = try body(box)
        // A type may keep its decoder; then that decoder owns the tape.
        if isKnownUniquelyReferenced(&box) { keep(workspace) }
        return result
    }

    /// The hint for a collision. The case rule acts before the type shows that an object is a dictionary, whose keys are data.
    private static func advice(for error: ConversionError) -> String? {
        guard error.code == .collision else { return nil }
        let parent = error.pointer.prefix(upTo: error.pointer.lastIndex(of: "/") ?? error.pointer.startIndex)
        return "if that is a dictionary, list \"\(parent)/*\" in `except` of the profile's `keys`"
    }

    private func take() -> Workspace {
        let last = kept.withLock { workspace in workspace.take() }
        if let last { return last }
        var tape = JSONTape()
        tape.mayHoldDuplicates = plan.policies.duplicateKey == .keep || plan.policies.collision == .keep
        return Workspace(
            converter: Converter(plan), tape: Cell(tape), input: plainPlan == nil ? nil : Cell(ByteBuffer()))
    }

    private func keep(_ workspace: consuming Workspace) {
        guard workspace.tape.value.text.capacity <= Self.maxKeptBytes else { return }
        var returned = Optional(workspace)
        kept.withLock { $0 = returned.take() }
    }
}

/// A tape that the containers of one run share.
final class TapeBox {
    let tape: Cell<JSONTape>
    /// How many records the profile's `records` left out or made null.
    let skippedRecords: Int
    /// The payload before conversion; nil without a `plainPlan`.
    private let input: Cell<ByteBuffer>?
    /// The plan that does not change the case of keys; nil if the tape already has those keys.
    let plainPlan: Plan?
    private var plainBox: TapeBox?

    init(
        _ tape: Cell<JSONTape>, _ input: Cell<ByteBuffer>? = nil, _ plainPlan: Plan? = nil, skippedRecords: Int = 0
    ) {
        self.tape = tape
        self.input = input
        self.plainPlan = plainPlan
        self.skippedRecords = skippedRecords
    }

    /// The tape with the same tokens as this one and the original keys, apart from renames.
    ///
    /// The case rule changes only keys, so the two texts have the same shape. The exception is a rule that uses output keys
    /// (`defaults`, `move`, collisions) and found other ones there. Then the keys cannot be matched, and this throws.
    func plain(_ path: CodingPathNode?) throws -> TapeBox {
        guard let plainPlan, let input else { return self }
        if let plainBox { return plainBox }
        var plain = JSONTape()
        var converter = Converter(plainPlan)
        do throws(ConversionError) {
            try Self.convert(input.value, with: &converter, into: &plain.text)
        } catch {
            throw DecodingError.dataCorrupted(error)
        }
        plain.mayHoldDuplicates = tape.value.mayHoldDuplicates
        plain.index()
        guard plain.hasShape(of: tape.value) else {
            let message =
                "the profile's defaults, moves or collisions depend on the keys that its case rule writes, so the input's keys of this "
                + "value cannot be found again; name it in `opaque` of the profile's `keys`, at \"\(path.pointer)\""
            throw DecodingError.dataCorrupted(.init(codingPath: path.keys, debugDescription: message))
        }
        let box = TapeBox(Cell(plain))
        plainBox = box
        return box
    }
}

extension TapeBox {
    private static func convert(
        _ input: borrowing ByteBuffer, with converter: inout Converter, into output: inout ByteBuffer
    ) throws(ConversionError) {
        try converter.finish(input.bytes, into: &output)
    }
}

extension DecodingError {
    /// The `DecodingError` for an error in the payload or of a rule.
    static func dataCorrupted(_ error: ConversionError, advice: String? = nil) -> DecodingError {
        let place = error.pointer.isEmpty ? "" : " at \"\(error.pointer)\""
        let advice = advice.map { "; \($0)" } ?? ""
        let message = "\(error.line):\(error.column): \(error.message)\(place)\(advice)"
        return .dataCorrupted(Context(codingPath: [], debugDescription: message, underlyingError: error))
    }
}
