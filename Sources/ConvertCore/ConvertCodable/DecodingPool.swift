import ConvertEngine
import ConvertProfiles
import Synchronization

/// What the decoders of one profile share: its plans, and working memory that goes from one run to the next.
///
/// A run that begins while another has the memory makes its own; no run waits for another.
final class DecodingPool: Sendable {
    private struct Workspace: ~Copyable, Sendable {
        var converter: Converter
        let tape: Cell<JSONTape>
        /// A copy of the payload, where it may be converted twice.
        let input: Cell<ByteBuffer>?
    }

    let plan: Plan
    /// The plan without `keys`, for values whose keys are data; nil where keys keep their case in any event.
    private let plainPlan: Plan?
    /// Whether the members of dynamic values are put in order.
    let sortsMembers: Bool
    let warning: RootWarning
    private let kept = Mutex<Workspace?>(nil)

    /// The memory for larger texts is given back at once, in bytes.
    private static let maxKeptBytes = 1024 * 1024

    /// A pool for JSON as it is.
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
        // A decoder does not see how the text looks, and only a dynamic value shows the order of members.
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

    /// Converts `json` and hands out the tape of the output.
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
        // A type may keep its decoder, and then the tape is its own.
        if isKnownUniquelyReferenced(&box) { keep(workspace) }
        return result
    }

    /// The case rule acts before the type says that an object is a dictionary, whose keys it leaves.
    private static func advice(for error: ConversionError) -> String? {
        error.code == .collision ? "if that is a dictionary, list it in `opaque` of the profile's `keys`" : nil
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
    /// What the profile's `records` left out of it or made null.
    let skippedRecords: Int
    /// The payload as it came, where `plainPlan` is there.
    private let input: Cell<ByteBuffer>?
    /// The plan that leaves keys in their case; nil where the tape has them so.
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

    /// The tape whose tokens are those of this one, with the keys as they came but for renames.
    ///
    /// The case rule changes keys and nothing else, so the two texts have the same shape: unless a rule that uses output keys
    /// (`defaults`, `move`, collisions) found others there. Then the keys cannot be matched.
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
    /// A fault of the payload or of a rule, as decoders report it.
    static func dataCorrupted(_ error: ConversionError, advice: String? = nil) -> DecodingError {
        let place = error.pointer.isEmpty ? "" : " at \"\(error.pointer)\""
        let advice = advice.map { "; \($0)" } ?? ""
        let message = "\(error.line):\(error.column): \(error.message)\(place)\(advice)"
        return .dataCorrupted(Context(codingPath: [], debugDescription: message, underlyingError: error))
    }
}
