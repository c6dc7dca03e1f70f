@testable import ConvertEngine
@testable import ConvertProfiles

/// The effect of one rule on one path of a payload.
struct ExplainedEffect {
    /// RFC 6901 pointer into the payload; nil for a value that the profile added.
    let input: String?
    /// RFC 6901 pointer into the output; nil if the value was removed.
    let output: String?
    /// JSON Pointer into the profile.
    let rule: String
    let what: String

    /// All effects of a profile on a document, in the order of the payload, each as `input > output < rule: what`.
    static func lines(
        of profile: Profile, on payload: [UInt8], _ direction: Profile.Direction = .forward
    ) throws -> [String] {
        let plan = try profile.compile(direction)
        let document = try JSONDocumentParser.parse(payload, maxDepth: plan.limits.maxDepth)
        var explained = ExplainedPayload(profile, plan, document)
        let notes = explained.effects()
        return explained.effects(notes).map { "\($0.input ?? "-") > \($0.output ?? "-") < \($0.rule): \($0.what)" }
    }
}

extension ExplainedPayload {
    /// The output text.
    mutating func outputText() -> [UInt8] {
        var formatter = OutputFormatter(OutputOptions(escapes: plan.output.escapes))
        formatter.text.append(plan.wrapText.beginning)
        resolved.object.tree.writeValue(HeldTree.root, sortsKeys: plan.output.sortKeys, into: &formatter.text)
        formatter.text.append(plan.wrapText.end)
        var text = ByteBuffer()
        formatter.write(into: &text)
        return [UInt8](text)
    }

    /// The effects that these notes describe, with their pointers.
    func effects(_ notes: [Note]) -> [ExplainedEffect] {
        let pointers = outputPointers()
        return notes.map { note in
            ExplainedEffect(
                input: note.node < document.nodes.count ? document.pointer(to: .init(index: note.node)) : nil,
                output: pointers[note.node], rule: note.rule, what: note.what)
        }
    }
}
