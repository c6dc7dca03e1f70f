import ConvertEngine
import ConvertText

/// A request for a check over HTTP: a report on a profile and, with a payload, an explanation of the profile's effects.
///
///     {"profile": {…}, "payload": …, "direction": "inverse"}
///
/// A body without `profile` and `payload` is the profile. `direction` is `forward` if it is missing.
package struct CheckRequest {
    /// The most values of a payload that is explained, and the most pairs of a value and a rule. An explanation runs to its end
    /// without a pause, so these limit its time.
    private static let maxNodes = 5000
    private static let maxPairs = 500_000
    /// The most effects that are listed.
    private static let maxEffects = 1000

    private let profile: [UInt8]
    private let payload: [UInt8]?
    private var direction = Profile.Direction.forward
    /// The error of the request itself; nil if there is none.
    private var fault: ProfileFault?

    /// Creates the request from a profile and a payload that are not in one document.
    package init(profile: [UInt8], payload: [UInt8]?, direction: Profile.Direction) {
        (self.profile, self.payload, self.direction) = (profile, payload, direction)
    }

    package init(_ body: [UInt8]) {
        guard let document = try? JSONDocumentParser.parse(body, maxDepth: Limits().maxDepth + 1) else {
            (profile, payload) = (body, nil)
            return
        }
        func member(_ name: String) -> JSONDocument.NodeID? {
            document[JSONDocument.root].children.first { document[$0].step.name == Array(name.utf8) }
        }
        guard let profile = member("profile"), let payload = member("payload") else {
            (self.profile, self.payload) = (body, nil)
            return
        }
        (self.profile, self.payload) = (document.source(of: profile), document.source(of: payload))
        guard let stated = member("direction") else { return }
        if case .string(let text) = document[stated].kind,
            let direction = Profile.Direction(rawValue: String(decoding: text, as: UTF8.self))
        {
            self.direction = direction
        } else {
            let location = DocumentLocation(of: stated, at: document[stated].start, in: document)
            fault = ProfileFault(at: location, "expected \"forward\" or \"inverse\"")
        }
    }

    /// The report as JSON; with a payload and a profile without errors it has the member `explanation`.
    package func report() -> [UInt8] {
        let report = ProfileReport(checking: profile, fault: fault)
        guard let payload, let profile = report.profile else { return report.json() }
        var text = ByteBuffer()
        text.append(utf8: ",\"explanation\":")
        appendExplanation(of: profile, on: payload, to: &text)
        return report.json().dropLast() + Array(text) + [ASCII.closeBrace]
    }

    /// Whether a payload with this number of values is explained in a short time.
    package static func isShort(_ nodes: Int, _ profile: Profile) -> Bool {
        nodes <= maxNodes && nodes * (1 + RuleLabels(profile).count) <= maxPairs
    }

    // MARK: Writing

    private func appendExplanation(of profile: Profile, on payload: [UInt8], to text: inout ByteBuffer) {
        let nodes = (try? JSONDocumentParser.parse(payload, maxDepth: Limits().maxDepth))?.nodes.count ?? 0
        var refusal = "the payload is too large to be explained here; use `convert-server check --explain`"
        do throws(ProfileError) {
            if Self.isShort(nodes, profile) {
                let limits = Limits(maxHeldBytes: ExplainedPayload.shortBytes)
                let explanation = try Explanation(of: profile, on: payload, direction, limits: limits, keys: .none)
                if !explanation.isTooLong { return append(explanation, to: &text) }
            }
        } catch {
            refusal = error.faults.first.map { $0.message } ?? "the profile cannot be used"
        }
        text.append(utf8: "{\"effects\":[],\"idleRules\":[],\"error\":{\"message\":\(JSONText.quoted(refusal))}}")
    }

    private func append(_ explanation: Explanation, to text: inout ByteBuffer) {
        text.append(utf8: "{\"effects\":[")
        for (index, group) in explanation.groups.prefix(Self.maxEffects).enumerated() {
            if index > 0 { text.append(ASCII.comma) }
            append(group, to: &text)
        }
        text.append(utf8: "],\"idleRules\":[")
        for (index, rule) in explanation.idleRules.enumerated() {
            if index > 0 { text.append(ASCII.comma) }
            text.append(utf8: "{\"pointer\":\(JSONText.quoted(rule.rule)),\"rule\":\(JSONText.quoted(rule.label)),")
            text.append(utf8: "\"reason\":\(JSONText.quoted(rule.reason))}")
        }
        text.append(ASCII.closeBracket)
        if let error = explanation.fault {
            text.append(utf8: ",\"error\":{\"code\":\(JSONText.quoted(error.code.rawValue)),")
            text.append(utf8: "\"message\":\(JSONText.quoted(error.message)),")
            text.append(utf8: "\"pointer\":\(JSONText.quoted(error.pointer))}")
        }
        text.append(ASCII.closeBrace)
    }

    private func append(_ group: Explanation.Group, to text: inout ByteBuffer) {
        text.append(utf8: "{")
        if let input = group.input { text.append(utf8: "\"in\":\(JSONText.quoted(input)),") }
        if let output = group.output { text.append(utf8: "\"out\":\(JSONText.quoted(output)),") }
        text.append(utf8: "\"pointer\":\(JSONText.quoted(group.rule)),\"rule\":\(JSONText.quoted(group.label)),")
        text.append(utf8: "\"what\":\(JSONText.quoted(group.what)),\"count\":\(group.count)}")
    }
}
