import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Values that name keys.
struct NamesInValuesTests {
    private static let rules =
        #""keys": {"case": "camelCase", "from": "snake_case", "opaque": "/raw"}, "rename": {"/items/*/user_name": "un", "/x.y_z": "xy"}, "drop": "/gone""#

    @Test func `a text of more than 64 KiB is not searched for keys`() throws {
        let profile = #"{"keys": "camelCase", "values": {"at": "v", "as": "path"}}"#
        let plan = try Profile(parsing: profile).compile(.forward)
        let indices = String(repeating: "[0]", count: (65_536 - 4) / 3)
        #expect(try plan.convert(#"{"v":"a_bc\#(indices)"}"#) == #"{"v":"aBc\#(indices)"}"#)
        #expect(try plan.convert(#"{"v":"a_bc\#(indices)[0]"}"#) == #"{"v":"a_bc\#(indices)[0]"}"#)
    }

    @Test func `a value that contains keys is converted by the profile`() throws {
        let rows: [(form: String, value: String, output: String)] = [
            (#""as": "name""#, "user_name", "userName"), (#""as": "name", "of": "/items/*""#, "user_name", "un"),
            (#""as": "name""#, "x.y_z", "xy"), (#""as": "path""#, "x.y_z", "x.yZ"),
            (#""as": "path""#, "items[0].user_name", "items[0].un"),
            (#""as": "path""#, "items.0.user_name.x_y", "items.0.un.xY"),
            (#""as": "path""#, "items[1][2].a_b", "items[1][2].aB"),
            (#""as": "path""#, "raw.a_b.c_d", "raw.a_b.c_d"), (#""as": "path""#, "gone.a_b", "gone.a_b"),
            (#""as": "path""#, "x_y.gone.a_b", "xY.gone.aB"), (#""as": "path""#, "", ""),
            (#""as": "path""#, "a_b..c_d", "aB..cD"),
            (#""as": "path", "separator": "::""#, "a_b::c_d", "aB::cD"),
            (#""as": "path", "of": "/items/*", "separator": "/""#, "user_name/a_b", "un/aB"),
            (#""as": "names""#, "-user_name,+items.0.user_name,a_b", "-userName,+items.0.un,aB"),
            (#""as": "names""#, "-a_b, items.0.user_name,x_y", "-aB, items.0.un,xY"),
            (#""as": "names""#, "a_b desc,items.0.user_name:ASC,c_d+asc", "aB desc,items.0.un:ASC,cD+asc"),
            (#""as": "names", "separator": "::""#, "a_b::asc,x_y::c_d:desc", "aB::asc,xY::cD:desc"),
            (#""as": "pointer""#, "/items/0/user_name/a~1b_c", "/items/0/un/a~1b_c"), (#""as": "pointer""#, "", ""),
            (#""as": "pointer""#, "/a_b/~2", "/a_b/~2"), (#""as": "pointer""#, "a_b", "a_b"),
            (#""as": "pointer""#, "/a_b/m~0n", "/aB/m~0n"),
            (#""as": "pointer""#, "#/items/0/user_name", "#/items/0/un"),
            (#""as": "pointer""#, "#", "#"), (#""as": "pointer""#, "#a_b", "#a_b"),
            (#""as": "pointer""#, "##/a_b", "##/a_b"),
        ]
        for row in rows {
            let profile = try Profile(parsing: #"{\#(Self.rules), "values": {"at": "/v", \#(row.form)}}"#)
            let (payload, expected) = (#"{"v":"\#(row.value)"}"#, #"{"v":"\#(row.output)"}"#)
            #expect(try profile.compile(.forward).convert(payload) == expected, "\(row)")
            var converter = Converter(try profile.compile(.forward))
            let bytes = Array(payload.utf8)
            let whole = ConverterTrial(&converter, bytes)
            #expect(
                ConverterTrial(&converter, bytes, cuts: Array(0..<bytes.count)).agrees(with: whole, otherWords: false))
            #expect(try profile.compile(.inverse).convert(expected) == payload, "\(row)")
        }
    }

    @Test func `an unchanged key keeps its escapes, and a new key is written without them`() throws {
        let plan = try Profile(parsing: #"{"keys": "camelCase", "values": {"at": "/v", "as": "name"}}"#).compile(
            .forward)
        #expect(try plan.convert(#"{"v":"us\u0065r"}"#) == #"{"v":"us\u0065r"}"#)
        #expect(try plan.convert(#"{"v":"us\u0065r_id"}"#) == #"{"v":"userId"}"#)
        let long = String(repeating: "a_b.", count: 10_000)
        let paths = try Profile(parsing: #"{"keys": "camelCase", "values": {"at": "/v", "as": "path"}}"#).compile(
            .forward)
        let output = try paths.convert(#"{"v":"\#(long)"}"#)
        #expect(output == #"{"v":"\#(String(repeating: "aB.", count: 256) + String(repeating: "a_b.", count: 9744))"}"#)
        #expect(throws: ConversionError.self) { try plan.convert(#"{"v":1}"#) }
    }

    @Test func `values that contain keys are refused beside moves`() {
        for row in [#""move": {"/a/b": "/b"}"#, #""unwrap": "/a""#, #""wrap": "a""#] {
            let faults = profileFaults(Array(#"{"values": {"at": "/a/v", "as": "path"}, \#(row)}"#.utf8))
            #expect(faults.map(\.pointer) == ["/values"], "\(row)")
        }
        for row in [
            (#""as": "pointer", "of": "/a""#, "/values/of"), (#""as": "name", "separator": "/""#, "/values/separator"),
            (#""as": "path", "separator": """#, "/values/separator"), (#""as": "string", "of": "/a""#, "/values/of"),
            (#""as": "path", "of": "/**""#, "/values/of"),
        ] {
            #expect(
                profileFaults(Array(#"{"values": {"at": "v", \#(row.0)}}"#.utf8)).map(\.pointer) == [row.1], "\(row)")
        }
    }
}
