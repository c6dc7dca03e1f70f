import Testing

@testable import ConvertCore

struct DateRuleTests {
    /// `Tests/reference/dates_table.py` computes these with Python's library.
    @Test func `dates are what an independent library says`() throws {
        try check("computed.json", atLeast: 250)
    }

    /// Written by hand from the specification and the RFCs.
    @Test func `dates are what the specification says`() throws {
        try check("specified.json", atLeast: 150)
    }

    private func check(_ fixture: String, atLeast expectedRows: Int) throws {
        var count = 0
        for group in try DateFixture.load(fixture) {
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
