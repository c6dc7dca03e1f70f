public import ConvertEngine
import ConvertText

/// The result of checking a profile document: the report of `check` and of `POST /v1/profiles/check`.
public struct ProfileReport: Sendable, Equatable {
    /// The profile; nil if it has errors.
    public let profile: Profile?
    /// In the order of the document.
    public let faults: [ProfileFault]
    /// In the order of the document.
    public let warnings: [ProfileFault]
    /// Whether the profile is reversible; nil if it has errors.
    public let invertibility: Invertibility?
    /// Examples with another result. The examples of a reversible profile must also hold backwards.
    ///
    /// After 1000 failures, or 1 MiB of messages, no more examples are run. An example that would take too long is the
    /// last one. An example that needs a buffer of more than 4 MiB fails.
    public let failedExamples: [ProfileFault]

    /// Checks a document. Any bytes give a report.
    ///
    /// `keys` limits the keys that examples of a profile with `hash` may use.
    public init(checking document: [UInt8], keys: HashKeys = .none) {
        self.init(checking: document, keys, fault: nil)
    }

    /// Checks the document of a request. `fault` is an error of the request itself; nil if there is none.
    init(checking document: [UInt8], _ keys: HashKeys = .none, fault: ProfileFault?) {
        let reading = Profile.read(document)
        faults = (fault.map { [$0] } ?? []) + reading.faults
        profile = faults.isEmpty ? reading.profile : nil
        warnings = ProfileReader.inOrder(
            reading.profile.warnings + (reading.faults.isEmpty ? Self.outputKeys(in: reading.profile, keys) : []))
        invertibility = profile?.invertibility
        failedExamples =
            profile.map { Self.failedExamples(of: $0, isInvertible: $0.invertibility.isInvertible, keys) } ?? []
    }

    /// Whether the profile has no errors and its examples hold, so that `check` would end with 0.
    public var isValid: Bool { faults.isEmpty && failedExamples.isEmpty }

    /// The most values of examples that are searched for output keys, and the most pairs of a value and a rule.
    private static let maxExampleNodes = 1000
    private static let maxExamplePairs = 100_000
    /// The most values that rules make of the examples.
    private static let maxMadeNodes = 10_000

    /// Warnings about selectors that match nothing in the input of the examples, but keys of the output.
    private static func outputKeys(in profile: Profile, _ keys: HashKeys) -> [ProfileFault] {
        guard !profile.examples.isEmpty,
            let plan = try? profile.compile(
                .forward, limits: Limits(maxHeldBytes: ExplainedPayload.shortBytes), keys: keys)
        else { return [] }
        var tally = ExplanationTally(profile, .forward)
        var count = 0
        var made = 0
        for example in profile.examples where !example.isReversed {
            guard let document = try? JSONDocumentParser.parse(example.input) else { continue }
            count += document.nodes.count
            guard count <= maxExampleNodes, count * (1 + tally.labels.count) <= maxExamplePairs else { return [] }
            let explained = ExplainedPayload(profile, plan, document)
            made += explained.tree.nodes.count - document.nodes.count
            if explained.isTooLong || made > maxMadeNodes { return [] }
            tally.add(explained)
        }
        return IdleRules(tally).all().filter { $0.namesOutput }.compactMap { rule in
            rule.location.map {
                ProfileFault(at: $0, "\(rule.label) matches nothing in the examples", hint: rule.reason)
            }
        }
    }

    private static func failedExamples(
        of profile: Profile, isInvertible: Bool, _ keys: HashKeys
    ) -> [ProfileFault] {
        guard !profile.examples.isEmpty else { return [] }
        do throws(ProfileError) {
            var profile = profile
            // The spelling of the result does not count, and indentation could make it a thousand times as long.
            profile.output = OutputOptions(escapes: .minimal, sortKeys: profile.output.sortKeys)
            let limits = Limits(maxHeldBytes: ExampleRunner.maxHeldBytes)
            var failed: [ProfileFault] = []
            var runner = ExampleRunner(try profile.compile(.forward, limits: limits, keys: keys), areReversed: false)
            guard runner.run(profile.examples, into: &failed), isInvertible else { return failed }
            var backwards = ExampleRunner(try profile.compile(.inverse, limits: limits), areReversed: true)
            _ = backwards.run(profile.examples, into: &failed)
            return failed
        } catch {
            return error.faults
        }
    }

    /// The report as a minified JSON text in UTF-8.
    ///
    ///     {"valid":false,
    ///      "faults":[{"pointer":"/renme","line":1,"column":2,"message":"…","hint":"…"}],
    ///      "warnings":[]}
    ///
    /// `hint` is absent if there is none. A profile without errors also has:
    ///
    /// - `"examples"`, their number, and `"failedExamples"`;
    /// - `"invertible"`, `"losses"` (the rules that cannot be undone) and `"conditions"` (which payloads come back).
    ///
    /// Each list has at most 1000 elements in the form of `"faults"`. If there are more errors, the last element says
    /// so.
    public func json() -> [UInt8] {
        var text = ByteBuffer()
        text.append(utf8: "{\"valid\":\(isValid)")
        Self.append(faults, named: "faults", to: &text)
        Self.append(warnings, named: "warnings", to: &text)
        if let profile, let invertibility {
            text.append(utf8: ",\"examples\":\(profile.examples.count)")
            Self.append(failedExamples, named: "failedExamples", to: &text)
            text.append(utf8: ",\"invertible\":\(invertibility.isInvertible)")
            Self.append(invertibility.losses.prefix(ProfileReader.maxFaults), named: "losses", to: &text)
            Self.append(invertibility.conditions.prefix(ProfileReader.maxFaults), named: "conditions", to: &text)
        }
        text.append(ASCII.closeBrace)
        return Array(text)
    }
}

// MARK: - Writing

extension ProfileReport {
    package static func append(_ faults: some Sequence<ProfileFault>, named name: String, to text: inout ByteBuffer) {
        text.append(utf8: ",\"\(name)\":[")
        for (index, fault) in faults.enumerated() {
            if index > 0 { text.append(ASCII.comma) }
            append(fault, to: &text)
        }
        text.append(ASCII.closeBracket)
    }

    private static func append(_ fault: ProfileFault, to text: inout ByteBuffer) {
        text.append(utf8: "{\"pointer\":\(JSONText.quoted(fault.pointer)),\"line\":\(fault.line),")
        text.append(utf8: "\"column\":\(fault.column),\"message\":\(JSONText.quoted(fault.message))")
        if let hint = fault.hint { text.append(utf8: ",\"hint\":\(JSONText.quoted(hint))") }
        text.append(ASCII.closeBrace)
    }
}
