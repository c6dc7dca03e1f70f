import Synchronization

/// Working memory that decoders of one plan share: a converter that knows the names, and the storage of one tape.
///
/// Who comes while another has it works with fresh memory; nobody waits while anything is converted.
final class DecodingPool: Sendable {
    private struct Workspace: ~Copyable, Sendable {
        var converter: Converter
        var tape: JSONTape
    }

    private let plan: Plan
    private let kept = Mutex<Workspace?>(nil)

    /// The memory for larger texts is given back at once, in bytes.
    private static let maxKeptBytes = 1024 * 1024

    init(_ plan: Plan) { self.plan = plan }

    /// Converts `json` and hands out the tape of the output.
    func withTape<Result>(of json: Span<UInt8>, _ body: (TapeBox) throws -> Result) throws -> Result {
        var workspace = take()
        workspace.tape.text.removeAll()
        workspace.tape.text.reserve(json.count)
        do throws(ConversionError) {
            try workspace.converter.finish(json, into: &workspace.tape.text)
        } catch {
            let context = DecodingError.Context(
                codingPath: [], debugDescription: "\(error.message) at \"\(error.pointer)\"", underlyingError: error)
            throw DecodingError.dataCorrupted(context)
        }
        var box = TapeBox()
        box.skippedRecords = workspace.converter.skippedRecords
        workspace.converter.reset()
        workspace.tape.index()
        swap(&box.tape, &workspace.tape)
        let result = try body(box)
        // A type may keep its decoder, and then the tape is its own.
        if isKnownUniquelyReferenced(&box) {
            swap(&box.tape, &workspace.tape)
            keep(workspace)
        }
        return result
    }

    private func take() -> Workspace {
        let last = kept.withLock { workspace in workspace.take() }
        if let last { return last }
        var tape = JSONTape()
        tape.mayHoldDuplicates = plan.policies.duplicateKey == .keep || plan.policies.collision == .keep
        return Workspace(converter: Converter(plan), tape: tape)
    }

    private func keep(_ workspace: consuming Workspace) {
        guard workspace.tape.text.capacity <= Self.maxKeptBytes else { return }
        var returned = Optional(workspace)
        kept.withLock { $0 = returned.take() }
    }
}

/// A tape that the containers of one run share.
final class TapeBox {
    var tape = JSONTape()
    /// What the profile's `records` left out of it or made null.
    var skippedRecords = 0
}
