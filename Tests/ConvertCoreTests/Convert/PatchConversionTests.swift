import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// The conversion of a JSON Patch's operations, and the operations that are refused.
struct PatchConversionTests {
    private static let profile = """
        { "keys": { "case": "camelCase", "from": "snake_case", "opaque": "/labels" },
          "rename": { "/items/*/id": "number" },
          "dates": { "at": "created_at", "from": "epoch-s", "to": "rfc3339" },
          "values": { "at": "/status", "map": { "0": "off", "1": "on" } } }
        """

    private static func converter(_ profile: String = profile, _ direction: Profile.Direction = .inverse) throws -> Plan
    {
        try Profile(parsing: Array(profile.utf8)).compile(direction)
    }

    private static func convert(
        _ patch: String, _ plan: Plan, readsDocument: Bool = true
    ) throws(ConversionError) -> String {
        var converter = Converter(plan)
        var output = ByteBuffer()
        try converter.convert(patch: Array(patch.utf8), readsDocument: readsDocument, into: &output)
        return String(decoding: Array(output), as: UTF8.self)
    }

    @Test func `paths and values are converted to those of the other side`() throws {
        let plan = try Self.converter()
        let rows = [
            (#"[]"#, #"[]"#),
            (
                #"[{"op":"replace","path":"/homeAddress/zipCode","value":{"streetName":"x"}}]"#,
                #"[{"op":"replace","path":"/home_address/zip_code","value":{"street_name":"x"}}]"#
            ),
            // The rules for the value are those of its path, wherever `path` is in the operation.
            (
                #" [ { "value" : "on" , "path" : "/status" , "op" : "add" } ] "#,
                #"[{"value":1,"path":"/status","op":"add"}]"#
            ),
            (
                #"[{"op":"add","path":"/items/-","value":{"number":1,"createdAt":"1970-01-01T00:00:07Z"}}]"#,
                #"[{"op":"add","path":"/items/-","value":{"id":1,"created_at":7}}]"#
            ),
            (
                #"[{"op":"test","path":"/items/0/number","value":1.10}]"#,
                #"[{"op":"test","path":"/items/0/id","value":1.10}]"#
            ),
            (#"[{"op":"remove","path":"/items/0/createdAt"}]"#, #"[{"op":"remove","path":"/items/0/created_at"}]"#),
            (
                #"[{"op":"replace","path":"/x/createdAt","value":null}]"#,
                #"[{"op":"replace","path":"/x/created_at","value":null}]"#
            ),
            (
                #"[{"op":"move","from":"/aB","path":"/cD"},{"op":"copy","path":"/items/1","from":"/items/0"}]"#,
                #"[{"op":"move","from":"/a_b","path":"/c_d"},{"op":"copy","path":"/items/1","from":"/items/0"}]"#
            ),
            (
                #"[{"op":"add","path":"/labels/dayTime","value":{"aB":1}}]"#,
                #"[{"op":"add","path":"/labels/dayTime","value":{"aB":1}}]"#
            ),
            (#"[{"op":"replace","path":"","value":{"aB":1}}]"#, #"[{"op":"replace","path":"","value":{"a_b":1}}]"#),
            (#"[{"op":"add","path":"/a~1bC/~0dE","value":1}]"#, #"[{"op":"add","path":"/a~1bC/~0d_e","value":1}]"#),
            (#"[{"op":"\u0061dd","path":"\u002faB","value":1}]"#, #"[{"op":"\u0061dd","path":"/a_b","value":1}]"#),
            // RFC 6902 ignores unknown keys, and therefore a value that the operation does not have.
            (
                #"[{"op":"remove","path":"/aB","value":{"aB":1},"aB":[{"aB": 1}]}]"#,
                #"[{"op":"remove","path":"/a_b","value":{"aB":1},"aB":[{"aB": 1}]}]"#
            ),
            // A key that cannot be restored is not changed, as in documents.
            (#"[{"op":"remove","path":"/a_b"}]"#, #"[{"op":"remove","path":"/a_b"}]"#),
            ("\u{FEFF}[{\"op\":\"remove\",\"path\":\"/aB\"}]", #"[{"op":"remove","path":"/a_b"}]"#),
        ]
        for (patch, expected) in rows { #expect(try Self.convert(patch, plan) == expected, "\(patch)") }
    }

    @Test func `an invalid patch is refused, with the path in the patch`() throws {
        let plan = try Self.converter()
        let rows: [(patch: String, code: ConversionError.Code, pointer: String, column: Int)] = [
            (#"{"op":"add"}"#, .badValue, "", 1), (#"[1]"#, .badValue, "/0", 2), (#"[{}]"#, .badValue, "/0", 2),
            (#"[{"op":"remove","path":"/a"},{"op":"spam","path":"/a"}]"#, .badValue, "/1", 30),
            (#"[{"op":1,"path":"/a"}]"#, .badValue, "/0", 2), (#"[{"op":"add","value":1}]"#, .badValue, "/0", 2),
            (#"[{"op":"add","path":"/a"}]"#, .badValue, "/0", 2), (#"[{"op":"move","path":"/a"}]"#, .badValue, "/0", 2),
            (#"[{"op":"remove","path":"a"}]"#, .badValue, "/0", 24),
            (#"[{"op":"remove","path":"/~2"}]"#, .badValue, "/0", 24),
            (#"[{"op":"remove","path":null}]"#, .badValue, "/0", 24),
            (#"[{"op":"remove","path":"/a","path":"/b"}]"#, .duplicateKey, "/0", 29),
            (#"[{"op":"copy","from":"/aB","path":"/items/0"}]"#, .badValue, "/0", 2),
            (#"[{"op":"move","from":"/status","path":"/other"}]"#, .badValue, "/0", 2),
            (#"[{"op":"copy","from":"/x/createdAt","path":"/x/text"}]"#, .badValue, "/0", 2),
            (#"[{"op":"add","path":"/status","value":"maybe"}]"#, .badValue, "/0/value", 39),
            (#"[{"op":"add","path":"/x","value":{"y":{"createdAt":"soon"}}}]"#, .badValue, "/0/value/y/createdAt", 52),
            (#"[{"op":"add","path":"/x","value":{"aB":1,"a_b":2}}]"#, .collision, "/0/value/a_b", 42),
            ("[{\"op\":\"add\"}\n", .json, "", 1), ("", .json, "", 1),
            (#"[{"op":"add","path":"/a","value":tru}]"#, .json, "/0/value", 34),
        ]
        for row in rows {
            let error = #expect(throws: ConversionError.self, "\(row.patch)") { try Self.convert(row.patch, plan) }
            #expect(error?.code == row.code, "\(row.patch): \(String(describing: error))")
            guard row.code != .json else { continue }
            #expect(
                error?.pointer == row.pointer && error?.column == row.column,
                "\(row.patch): \(String(describing: error))")
        }
    }

    @Test func `keys that cannot be restored are refused if the profile requires it`() throws {
        let plan = try Self.converter(
            #"{ "keys": { "case": "camelCase", "from": "snake_case" }, "on": { "lossyKey": "error" } }"#)
        let error = #expect(throws: ConversionError.self) {
            try Self.convert(#"[{"op":"remove","path":"/a_b"}]"#, plan)
        }
        #expect(error?.code == .lossyKey && error?.column == 24)
    }

    @Test func `operations that read the document can be refused`() throws {
        let plan = try Self.converter()
        for patch in [
            #"[{"op":"copy","from":"/a","path":"/b"}]"#, #"[{"op":"move","from":"/a","path":"/b"}]"#,
            #"[{"op":"test","path":"/a","value":1}]"#,
        ] {
            let error = #expect(throws: ConversionError.self) { try Self.convert(patch, plan, readsDocument: false) }
            #expect(error?.message.contains("withholds data") == true)
        }
        let patch =
            #"[{"op":"add","path":"/aB","value":1},{"op":"remove","path":"/a"},{"op":"replace","path":"/a","value":1}]"#
        #expect(try Self.convert(patch, plan, readsDocument: false).contains("/a_b"))
    }

    @Test func `the length of a patch and the steps of its paths are limited`() throws {
        let plan = try Self.converter()
        let long =
            #"[{"op":"add","path":"/a","value":""# + String(repeating: "x", count: Converter.maxPatchBytes) + #""}]"#
        let path = String(repeating: "/a", count: Converter.maxPatchSteps - 1)
        let deep = #"[{"op":"remove","path":"\#(path)"}]"#
        #expect(try Self.convert(deep, plan) == deep)
        for patch in [long, #"[{"op":"remove","path":"\#(path)/b"}]"#] {
            let error = #expect(throws: ConversionError.self) { try Self.convert(patch, plan) }
            #expect(error?.code == .limit)
        }
    }

    @Test func `a converter converts patches and documents in turn`() throws {
        var converter = Converter(try Self.converter())
        for _ in 0..<3 {
            var output = ByteBuffer()
            try converter.convert(
                patch: Array(#"[{"op":"add","path":"/items/0","value":{"number":1}}]"#.utf8), into: &output)
            #expect(Array(output) == Array(#"[{"op":"add","path":"/items/0","value":{"id":1}}]"#.utf8))
            output.removeAll()
            #expect(throws: ConversionError.self) {
                try converter.convert(patch: Array(#"[{"op":"add","path":"/status","value":{}}]"#.utf8), into: &output)
            }
            output.removeAll()
            try converter.finish(Array(#"{"items":[{"number":1}],"aB":1}"#.utf8).span, into: &output)
            #expect(Array(output) == Array(#"{"items":[{"id":1}],"a_b":1}"#.utf8))
            converter.reset()
        }
    }

    @Test func `a plan names the rules that cannot apply to a part of a document`() throws {
        let rows: [(profile: String, direction: Profile.Direction, hindrance: String?)] = [
            (Self.profile, .inverse, nil), (Self.profile, .forward, nil), (#"{ "drop": "a" }"#, .inverse, nil),
            (#"{ "move": { "/a": "/b" } }"#, .inverse, "`move`"), (#"{ "wrap": "a" }"#, .forward, "`wrap`"),
            (#"{ "prune": { "null": true } }"#, .forward, "`prune`"),
            (#"{ "prune": { "null": true } }"#, .inverse, nil),
            (#"{ "keep": "/a" }"#, .forward, "`keep`"), (#"{ "keep": "/a" }"#, .inverse, nil),
            (#"{ "require": "/a" }"#, .forward, "`require`"), (#"{ "require": "/a" }"#, .inverse, nil),
            (#"{ "defaults": { "/a": 1 } }"#, .forward, "`defaults`"), (#"{ "defaults": { "/a": 1 } }"#, .inverse, nil),
            (#"{ "records": { "at": "/a/*", "onError": "null" } }"#, .inverse, "`records`"),
            (
                #"{ "dates": { "at": "a", "from": "epoch-s" }, "on": { "badValue": "null" } }"#, .inverse,
                "`badValue: null`"
            ),
            (#"{ "values": { "at": "a", "as": "json" } }"#, .inverse, "`as: json`"),
            (#"{ "values": { "at": "a", "as": "json" } }"#, .forward, "`as: json`"),
            (#"{ "values": { "at": "a", "map": { "x": null } } }"#, .forward, "`map` to null"),
            (#"{ "values": { "at": "a", "as": "mask" } }"#, .forward, "`mask`"),
            (#"{ "values": { "at": "a", "as": "mask" } }"#, .inverse, nil),
            (#"{ "keys": "camelCase", "on": { "collision": "first" } }"#, .forward, "`collision`"),
        ]
        for row in rows {
            let hindrance = try Self.converter(row.profile, row.direction).patchHindrance
            #expect((hindrance == nil) == (row.hindrance == nil), "\(row.profile) \(row.direction)")
            if let expected = row.hindrance { #expect(hindrance?.contains(expected) == true, "\(row.profile)") }
        }
    }
}
