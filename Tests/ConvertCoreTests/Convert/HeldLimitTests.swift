import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// A limit bounds the data that is buffered until an object, a record or a value ends, whatever a profile adds to it.
struct HeldLimitTests {
    private static let long = String(repeating: "v", count: 1_000)

    /// The code of the error; nil if the whole payload was converted.
    private static func errorCode(
        _ profile: String, _ payload: String, maxHeldBytes: Int
    ) throws -> ConversionError.Code? {
        let plan = try Profile(profile.replacing("LONG", with: long)).compile(
            .forward, limits: Limits(maxHeldBytes: maxHeldBytes))
        var converter = Converter(plan)
        var output = ByteBuffer()
        let bytes = Array(payload.utf8)
        do throws(ConversionError) {
            // Servers also feed small slices, so that one slice cannot add too much.
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

    @Test func `buffered data is limited, for each way of buffering`() throws {
        let objects = "[" + Array(repeating: "{}", count: 100).joined(separator: ",") + "]"
        let rows: [(profile: String, payload: String, needed: Int)] = [
            // 100 times about 1,000 bytes.
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
            // 100 times 101 nodes of 56 bytes, without text.
            (
                #"{"defaults":{"/a/*/x":[\#(Array(repeating: "[]", count: 100).joined(separator: ","))]},"on":{"collision":"last"},"records":{"at":"/b/*","onError":"skip"}}"#,
                "{\"a\":\(objects)}", 565_600
            ),
            (
                #"{"move":{"/a/*/m":"/a/*\#(String(repeating: "/x", count: 100))/b"},"on":{"collision":"last"},"records":{"at":"/b/*","onError":"skip"}}"#,
                "{\"a\":[" + Array(repeating: #"{"m":1}"#, count: 100).joined(separator: ",") + "]}", 560_000
            ),
        ]
        for row in rows {
            #expect(try Self.errorCode(row.profile, row.payload, maxHeldBytes: .max) == nil, "\(row.profile)")
            #expect(try Self.errorCode(row.profile, row.payload, maxHeldBytes: 4 * row.needed) == nil, "\(row.profile)")
            #expect(
                try Self.errorCode(row.profile, row.payload, maxHeldBytes: row.needed / 2) == .limit, "\(row.profile)")
        }
    }

    @Test func `defaults that add to what other defaults add have a limit`() throws {
        // Each pair of rules adds two objects to each object that the pair before it made, so `count` pairs make 2^(count + 1) - 2.
        func profile(_ count: Int) -> String {
            let paths = (1...count).map { String(repeating: "/*", count: $0) }
            return "{\"defaults\":{" + paths.map { "\"\($0)/a\":{},\"\($0)/b\":{}" }.joined(separator: ",") + "}}"
        }
        let plan = try Profile(profile(8)).compile(.forward)
        #expect(try plan.convert("[{}]").count { $0 == "{" } == 1 + 510)
        #expect(try Self.errorCode(profile(20), "[{}]", maxHeldBytes: .max) == .limit)
        // A piece of a payload gets shorter: each object has at least the six bytes `"a":{}`, and comes from three bytes, `{},`.
        #expect(plan.maxGrowth > 510 * 6 / 3)
        #expect(try Profile(profile(20)).compile(.forward).maxGrowth > (1 << 21 - 2) * 6 / 3)
    }

    /// The record of an error that may still be withdrawn is small, wherever the error is, and such records have a limit.
    @Test func `errors in a buffered object use little memory`() throws {
        let count = 5_000
        let name = String(repeating: "k", count: 60_000)
        let elements = Array(repeating: "1", count: count).joined(separator: ",\n")
        let payload = Array("{\"\(name)\":[\(elements)]".utf8)
        let profile = #"{"on":{"duplicateKey":"last"},"values":{"at":"/*/*","as":"uuid"}}"#
        var converter = Converter(try Profile(profile).compile(.forward))
        var output = ByteBuffer()
        for start in stride(from: 0, to: payload.count, by: 1_000) {
            try converter.convert(payload.span.extracting(start..<min(start + 1_000, payload.count)), into: &output)
        }
        #expect(converter.engine.hold.object.errors.count == count)
        #expect(converter.engine.hold.object.errors.allSatisfy { $0.tail.isEmpty && $0.missing.isEmpty })
        #expect(converter.engine.hold.object.errors.count { $0.message != nil } == HeldObject.DeferredError.maxWorded)
        #expect(converter.heldBytes < 60_000 * 50)
        let error = #expect(throws: ConversionError.self) {
            try converter.convert(Array("}".utf8).span, into: &output)
            try converter.finish(into: &output)
        }
        #expect(error?.pointer == "/\(name)/0")
        #expect(error?.line == 1)
        #expect(error?.column == 60_006)

        let bytes = count * MemoryLayout<HeldObject.DeferredError>.stride
        let text = String(decoding: payload, as: UTF8.self) + "}"
        #expect(try Self.errorCode(profile, text, maxHeldBytes: 2 * bytes) == .badValue)
        #expect(try Self.errorCode(profile, text, maxHeldBytes: bytes / 2) == .limit)
    }

    /// A few errors keep their own messages; when there are many, the rest get the general message of their kind.
    @Test func `the final error is reported after any number of skipped records`() throws {
        let records = (0..<2_000).map { #"{"id":\#($0),"n":"x"}"# }.joined(separator: ",\n")
        let profile = #"""
            {"on":{"duplicateKey":"last"},"records":{"at":"/items/*","onError":"skip"},
             "values":[{"at":"/items/*/n","as":"integer"},{"at":"/total","as":"integer"}]}
            """#
        var converter = Converter(try Profile(profile).compile(.forward))
        var output = ByteBuffer()
        let payload = Array("{\"items\":[\n\(records)],\n \"total\":[]}".utf8)
        let error = #expect(throws: ConversionError.self) {
            try converter.convert(payload.span, into: &output)
            try converter.finish(into: &output)
        }
        #expect(error?.code == .badValue)
        #expect(error?.pointer == "/total")
        #expect(error?.rule == "/values/1")
        #expect(error?.message == "the rule does not accept the value")
        #expect(error?.line == 2_002)
        #expect(error?.column == 10)
    }

    /// Thousands of states may add the same text; none of them keeps a copy of a long text.
    @Test(arguments: [(10, true), (70_000, false)])
    func `states store the short texts of defaults`(length: Int, keepsText: Bool) throws {
        let long = String(repeating: "v", count: length)
        let plan = try Profile(#"{"defaults":{"/*/*/d":"\#(long)"},"drop":["/**/n/*/x"]}"#).compile(.forward)
        var converter = Converter(plan)
        var output = ByteBuffer()
        for member in ["{\"a\":{\"b\":{", "}},\"n\":{\"b\":{"] {
            try converter.convert(Array(member.utf8).span, into: &output)
            let additions = converter.engine.keys.paths.contract(of: converter.engine.containers.top.state).additions
            #expect(additions.map(\.name) == [Array("d".utf8)])
            #expect(additions.allSatisfy { ($0.text != nil) == keepsText })
        }
    }

    /// Defaults whose text no state keeps are written where they are missing, in order and with the additions of other defaults.
    @Test(arguments: [1, 70_000])
    func `long defaults are added like short ones`(length: Int) throws {
        let long = String(repeating: "v", count: length)
        let profile = #"{"defaults":{"/a":"\#(long)","/b":{"x":1},"/*/z":"n","/b/y":2,"/c/*/d":3}}"#
        let plan = try Profile(profile).compile(.forward)
        let rows = [
            (#"{"k":{}}"#, #"{"k":{"z":"n"},"a":"\#(long)","b":{"x":1,"z":"n","y":2}}"#),
            (#"{"b":{},"c":[{}]}"#, #"{"b":{"z":"n","y":2},"c":[{"d":3}],"a":"\#(long)"}"#),
            (#"{"a":null}"#, #"{"a":null,"b":{"x":1,"z":"n","y":2}}"#),
            (#"{"b":1,"a":2}"#, #"{"b":1,"a":2}"#),
        ]
        for (payload, expected) in rows {
            let output = try plan.convert(Array(payload.utf8))
            #expect(String(decoding: output, as: UTF8.self) == expected)
        }
    }

    @Test func `data that is not buffered has no limit`() throws {
        let objects = "[" + Array(repeating: "{}", count: 100).joined(separator: ",") + "]"
        let plain = #"{"defaults":{"/*/x":"LONG"}}"#
        #expect(try Self.errorCode(plain, objects, maxHeldBytes: 10) == nil)
    }

    @Test func `JSON in a short string counts only what is read of it`() throws {
        let profile = #"{"values":{"at":"n","as":"json"}}"#
        var converter = Converter(try Profile(profile).compile(.forward))
        var output = ByteBuffer()
        let before = converter.heldBytes
        try converter.convert(Array(#"{"n":"[1,{}]"#.utf8).span, into: &output)
        #expect(converter.heldBytes - before < 4096, "\(converter.heldBytes), \(before) before")
    }
}
