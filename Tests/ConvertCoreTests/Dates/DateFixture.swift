@testable import ConvertEngine

/// Rows of `Tests/Fixtures/dates`: a rule, an input and the expected output.
struct DateFixture: Decodable {
    struct Rule: Decodable {
        var from: [Form]?
        var to: Form
        var precision: Int?
        var zone: String?
        var assumeZone: String?
        var scan: Bool?
    }

    /// A name, or an object with a pattern.
    struct Form: Decodable {
        var form: DateForm

        private enum CodingKeys: CodingKey { case pattern }

        init(from decoder: any Decoder) throws {
            if let name = try? decoder.singleValueContainer().decode(String.self) {
                guard let form = DateForm(named: name) else { throw UnknownForm(name: name) }
                self.form = form
            } else {
                let text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .pattern)
                form = .pattern(try DatePattern(text))
            }
        }
    }

    struct UnknownForm: Error { var name: String }

    struct Row: Decodable {
        var string: String?
        var number: String?
        var outcome: String
        var out: String
    }

    var title: String
    var rule: Rule
    var rows: [Row]

    func compiled() throws -> DateRule {
        try DateRule(
            from: (rule.from ?? []).map(\.form), to: rule.to.form, precision: rule.precision,
            zone: rule.zone.map { try Zone(named: $0) } ?? .utc,
            assumeZone: rule.assumeZone.map { try Zone(named: $0) },
            isScan: rule.scan ?? false)
    }
}

/// A rule's result for a value, in the words of the fixtures.
struct DateResult: Equatable, CustomStringConvertible {
    var outcome: String
    var out: String
    var description: String { "\(outcome) \(out)" }

    init(outcome: String, out: String) {
        self.outcome = outcome
        self.out = out
    }

    init(_ rule: DateRule, string: String) {
        let content = Array(string.utf8)
        var output = ByteBuffer()
        let outcome = rule.rewrite(string: content.span, into: &output)
        // A scan also leaves strings unchanged that are no dates.
        if outcome == .unchanged, !rule.isScan || DateRule.isPlainUTC(content.span) { output.append(content) }
        self.init(outcome, output)
    }

    init(_ rule: DateRule, number: String) {
        let text = Array(number.utf8)
        var output = ByteBuffer()
        self.init(rule.rewrite(number: text.span, into: &output), output)
    }

    private init(_ outcome: ValueRule.Outcome, _ output: borrowing ByteBuffer) {
        let out = String(decoding: [UInt8](output), as: UTF8.self)
        switch outcome {
        case .unchanged where out.isEmpty: self.init(outcome: "unchanged", out: out)
        case .string, .unchanged: self.init(outcome: "string", out: out)
        case .token: self.init(outcome: "number", out: out)
        case .embedded, .names, .bad: self.init(outcome: "bad", out: out)
        }
    }
}
