@testable import ConvertEngine
@testable import ConvertProfiles

extension Explanation {
    /// Each effect as `input > output < rule: what`.
    var lines: [String] { groups.map { "\($0.input ?? "-") > \($0.output ?? "-") < \($0.rule): \($0.what)" } }
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
}
