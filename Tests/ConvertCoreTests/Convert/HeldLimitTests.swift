import Testing

@testable import ConvertCore

/// What is held until an object, a record or a value ends does not grow beyond its limit, whatever a profile adds to it.
struct HeldLimitTests {
    private static let long = String(repeating: "v", count: 1_000)

    /// The code of the fault, or nil where the whole payload was converted.
    private static func fault(
        _ profile: String, _ payload: String, maxHeldBytes: Int
    ) throws -> ConversionError.Code? {
        let plan = try Profile(profile.replacing("LONG", with: long)).compile(
            .forward, limits: Limits(maxHeldBytes: maxHeldBytes))
        var converter = Converter(plan)
        var output = ByteBuffer()
        let bytes = Array(payload.utf8)
        do throws(ConversionError) {
            // As servers do, which take no more at a time than cannot become too much.
            for start in stride(from: 0, to: bytes.count, by: 16) {
                let end = min(start + 16, bytes.count)
                try converter.convert(bytes.span.extracting(start..<end), into: &output)
            }
            try converter.finish(into: &output)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `what is held is bounded, in each way that something is held`() throws {
        let objects = "[" + Array(repeating: "{}", count: 100).joined(separator: ",") + "]"
        let deep = String(repeating: "[", count: 100) + "1,1,1,1,1" + String(repeating: "]", count: 100)
        let rows: [(profile: String, payload: String, needed: Int)] = [
            // 100 times 1,000 bytes and a few.
            (#"{"defaults":{"/a/*/x":"LONG"},"on":{"collision":"last"}}"#, "{\"a\":\(objects)}", 100_000),
            (#"{"defaults":{"/b/*/x":"LONG"},"move":{"/a":"/b"}}"#, "{\"a\":\(objects)}", 100_000),
            (
                #"{"defaults":{"/*/*/x":"LONG"},"records":{"at":"/*","onError":"skip"}}"#, "[\(objects)]", 100_000
            ),
            (#"{"defaults":{"/a/*/x":"LONG"},"output":{"sortKeys":true}}"#, "{\"a\":\(objects)}", 100_000),
            (
                #"{"values":{"at":"/a/*","map":{"1":"LONG"}},"output":{"sortKeys":true}}"#,
                "{\"a\":[" + Array(repeating: "1", count: 100).joined(separator: ",") + "]}", 100_000
            ),
            // 205 lines, 105 of them indented by about 800 spaces.
            (#"{"values":{"at":"/a","as":"json"},"output":{"indent":8}}"#, "{\"a\":\"\(deep)\"}", 80_000),
            (
                #"{"defaults":{"/a":\#(String(repeating: "[", count: 60) + "1,1,1" + String(repeating: "]", count: 60))},"output":{"indent":16}}"#,
                "{}", 50_000
            ),
        ]
        for row in rows {
            #expect(try Self.fault(row.profile, row.payload, maxHeldBytes: .max) == nil, "\(row.profile)")
            #expect(try Self.fault(row.profile, row.payload, maxHeldBytes: 4 * row.needed) == nil, "\(row.profile)")
            #expect(try Self.fault(row.profile, row.payload, maxHeldBytes: row.needed / 2) == .limit, "\(row.profile)")
        }
        // What is not held has no limit.
        let plain = #"{"defaults":{"/*/x":"LONG"}}"#
        #expect(try Self.fault(plain, objects, maxHeldBytes: 10) == nil)
    }
}
