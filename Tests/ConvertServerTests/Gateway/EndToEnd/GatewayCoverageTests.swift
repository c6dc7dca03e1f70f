import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertServer

/// Every test that the table of promises lists exists.
struct GatewayCoverageTests {
    @Test func `every promise of the table has a test`() throws {
        let tests = URL(filePath: BuiltProgram.project).appending(path: "Tests")
        let table = String(decoding: try Data(contentsOf: tests.appending(path: "gateway/coverage.md")), as: UTF8.self)
        let folder = tests.appending(path: "ConvertServerTests/Gateway/EndToEnd")
        let sources = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
            .map { String(decoding: try Data(contentsOf: folder.appending(path: $0)), as: UTF8.self) }.joined()
        let rows = table.split(separator: "\n").filter { $0.wholeMatch(of: /\| [A-Z][0-9]+ \|.*/) != nil }
        #expect(rows.count > 100)
        for row in rows {
            let test = String(row.split(separator: "|")[2].dropFirst().dropLast())
            #expect(sources.contains("@Test func `\(test)`"), "\(test)")
        }
        #expect(Set(rows.map { $0.split(separator: "|")[0] }).count == rows.count)
    }
}
