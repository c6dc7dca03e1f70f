import TestSupport
import Testing

@testable import ConvertEngine

struct DateRuleTests {
    /// `Tests/reference/dates_table.py` computes these with Python's library.
    @Test func `dates agree with an independent library`() throws {
        try check("computed.json", atLeast: 250)
    }

    /// Written by hand from the specification and the RFCs.
    @Test func `dates agree with the specification`() throws {
        try check("specified.json", atLeast: 150)
    }

    @Test func `the inverse writes the first form in the assumed zone`() throws {
        let paris = try Zone(named: "Europe/Paris")
        let pattern = DateForm.pattern(try DatePattern("dd/MM/yyyy HH:mm"))
        let forward = DateRule(
            from: [pattern, .auto], to: .date, precision: nil, zone: try Zone(named: "Asia/Tokyo"), assumeZone: paris,
            isScan: false)
        let inverse = try #require(forward.inverted())
        #expect(DateResult(forward, string: "01/07/2024 12:00").out == "2024-07-01")
        // Midnight in Tokyo is 17:00 of the day before in Paris, in summer.
        #expect(DateResult(inverse, string: "2024-07-01").out == "30/06/2024 17:00")

        let count = DateRule(
            from: [.rfc3339], to: .epochMilliseconds, precision: nil, zone: paris, assumeZone: nil, isScan: false)
        #expect(DateResult(try #require(count.inverted()), number: "1704164645678").out == "2024-01-02T03:04:05.678Z")
    }

    @Test func `the inverse leaves values unchanged if the first format cannot be written`() throws {
        func inverse(_ from: [DateForm], _ to: DateForm = .rfc3339, scan: Bool = false) -> DateRule? {
            DateRule(from: from, to: to, precision: nil, zone: .utc, assumeZone: nil, isScan: scan).inverted()
        }
        for form in [DateForm.auto, .iso8601, .asctime] {
            #expect(inverse([form]) == nil)
            #expect(inverse([.rfc3339, form]) != nil)
        }
        #expect(inverse([]) == nil)
        #expect(inverse([], scan: true) == nil)
        #expect(try inverse([.rfc3339], .pattern(DatePattern("HH:mm"))) == nil)
        #expect(try inverse([.pattern(DatePattern("yyyy-MM-dd HH:mm z"))]) == nil)
    }

    @Test func `a rule knows in advance whether it writes a string`() throws {
        func rule(_ to: DateForm) -> DateRule {
            DateRule(from: [], to: to, precision: nil, zone: .utc, assumeZone: nil, isScan: false)
        }
        for form in DateForm.names.compactMap({ DateForm(named: $0) }) where form.isWritable {
            let rule = rule(form)
            let result = DateResult(rule, string: "2024-01-02T03:04:05Z")
            #expect(result.outcome == (rule.writesString ? "string" : "number"), "\(form.name)")
            #expect(!rule.contentMayNeedEscaping)
        }
        #expect(try rule(.pattern(DatePattern("yyyy'\"'"))).contentMayNeedEscaping)
    }

    @Test func `messages contain the expected format and never the value`() {
        let rule = DateRule(
            from: [.rfc3339, .epochSeconds], to: .date, precision: nil, zone: .utc, assumeZone: nil, isScan: false)
        var output = ByteBuffer()
        let secret = Array("hunter2".utf8)
        let outcome = rule.rewrite(string: secret.span, into: &output)
        let isEmpty = output.isEmpty
        #expect(outcome == .bad("expected a date in the format rfc3339 or epoch-s"))
        #expect(isEmpty)
    }

    @Test func `the error says whether the year or the weekday is wrong`() throws {
        let (year, weekday) = ("expected a year from 0001 to 9999", "the weekday does not fit the date")
        let pattern = DateForm.pattern(try DatePattern("EEE dd/MM/yyyy"))
        // 14 July 2024 was a Sunday.
        let rows: [(form: DateForm, text: String, message: String?)] = [
            (.rfc3339, "0000-01-01T00:00:00Z", year), (.auto, "0000-01-01", year), (.date, "0000-02-31", year),
            (pattern, "Sat 01/01/0000", year), (.date, "0000-13-01", nil),
            (.auto, "Mon, 14 Jul 2024 10:00:00 +0200", weekday), (.rfc2822, "Mon, 14 Jul 2024 10:00 GMT", weekday),
            (.httpDate, "Mon, 14 Jul 2024 10:00:00 GMT", weekday), (pattern, "Mon 14/07/2024", weekday),
            (.httpDate, "Sun, 14 Jul 2024 10:00:00 +0200", nil), (.rfc3339, "Mon, 14 Jul 2024 10:00:00 GMT", nil),
            (.auto, "Mob, 14 Jul 2024 10:00:00 GMT", nil), (.auto, "Mon, 14", nil), (.auto, "Mon, ", nil),
        ]
        for row in rows {
            let outcome = Self.outcome(of: row.text, as: row.form)
            for message in [year, weekday] {
                #expect((outcome == .bad(message)) == (row.message == message), "\(row.text): \(outcome)")
            }
        }
    }

    private static func outcome(of text: String, as form: DateForm) -> ValueRule.Outcome {
        let rule = DateRule(from: [form], to: .date, precision: nil, zone: .utc, assumeZone: .utc, isScan: false)
        var output = ByteBuffer()
        return rule.rewrite(string: Array(text.utf8).span, into: &output)
    }

    @Test func `only for a day outside of its month, the error contains the text`() throws {
        let slashes = DateForm.pattern(try DatePattern("dd/MM/yyyy HH:mm"))
        let rows: [(form: DateForm, text: String, isMissing: Bool)] = [
            (slashes, "31/02/2026 10:00", true), (slashes, "29/02/2025 10:00", true),
            (slashes, "32/01/2026 10:00", false),
            (slashes, "01/13/2026 10:00", false), (slashes, "31/02/2026", false),
            (.rfc3339, "2026-02-31T10:00:00Z", true),
            (.date, "2026-04-31", true), (.date, "2026-04-3x", false), (.date, "2026-00-10", false),
            (.date, "x", false),
        ]
        for row in rows {
            let outcome = Self.outcome(of: row.text, as: row.form)
            #expect((outcome == .bad("the month has no such day")) == row.isMissing, "\(row.text): \(outcome)")
        }
    }

    @Test func `strings above the length limit are not dates`() {
        let fraction = String(repeating: "1", count: 2_000)
        for isScan in [false, true] {
            let rule = DateRule(from: [], to: .rfc3339, precision: 0, zone: .utc, assumeZone: nil, isScan: isScan)
            let fits = "2024-01-02T03:04:05." + fraction.prefix(rule.maxContentBytes - 21) + "Z"
            #expect(fits.utf8.count == rule.maxContentBytes)
            #expect(DateResult(rule, string: fits).out == "2024-01-02T03:04:05Z")
            #expect(
                DateResult(rule, string: "2024-01-02T03:04:05." + fraction + "Z").outcome
                    == (isScan ? "unchanged" : "bad"))
        }
    }

    private func check(_ fixture: String, atLeast expectedRows: Int) throws {
        var count = 0
        for group in try Fixtures.decode("dates/\(fixture)", as: [DateFixture].self) {
            let rule = try group.compiled()
            for row in group.rows {
                count += 1
                let expected = DateResult(outcome: row.outcome, out: row.out)
                if let string = row.string {
                    #expect(DateResult(rule, string: string) == expected, "\(group.title): \(string)")
                }
                if let number = row.number {
                    #expect(DateResult(rule, number: number) == expected, "\(group.title): \(number)")
                }
            }
        }
        #expect(count >= expectedRows)
    }
}
