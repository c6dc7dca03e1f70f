import ConvertCore
import FoundationEssentials
import TestSupport
import Testing

/// Forms written by urllib and property lists written by plistlib become the JSON of their original values.
struct FormatDifferentialTests {
    private struct Row: Decodable {
        var payload: Data
        var json: Data
    }

    @Test(.enabled(if: PythonReference.isAvailable, "needs python3"), arguments: [PayloadFormat.form, .plist])
    func `property lists by Python are read`(_ format: PayloadFormat) throws {
        let count = TestVariable.number("CONVERT_PAIRS", 2_000)
        let result = try PythonReference.run("generate_formats.py", [format.rawValue, "--count", "\(count)"])
        try #require(result.status == 0, "\(result.errors)")
        var compared = 0
        for line in result.output.split(separator: UInt8(ascii: "\n")) {
            let row = try JSONDecoder().decode(Row.self, from: Data(line))
            let found = try format.json(of: [UInt8](row.payload))
            compared += 1
            #expect(found == [UInt8](row.json), "\(String(decoding: row.payload, as: UTF8.self))")
        }
        #expect(compared == count)
    }
}
