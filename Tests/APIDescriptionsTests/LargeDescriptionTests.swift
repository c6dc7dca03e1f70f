import APIDescriptions
import Testing

/// Descriptions that are large in one respect. The time limit includes the time that a test waits for its turn, so it allows for a busy
/// machine.
@Suite(.timeLimit(.minutes(10)))
struct LargeDescriptionTests {
    @Test func `long chains of references are followed`() throws {
        func chain(_ count: Int, _ link: (String) -> String) -> String {
            let schemas = (0..<count).map { number in
                let next = ##"{"$ref":"#/$defs/S\##(number + 1)"}"##
                return #""S\#(number)":\#(link(next))"#
            }
            let definitions = (schemas + [#""S\#(count)":{"type":"string"}"#]).joined(separator: ",")
            return ##"{"properties":{"a":{"$ref":"#/$defs/S0"}},"required":["a"],"$defs":{\##(definitions)}}"##
        }
        for description in [chain(8_000) { $0 }, chain(5_000) { #"{"allOf":[\#($0)]}"# }] {
            #expect(try Rewriting.text(of: description, by: #"{ "prune": { "null": true } }"#).text == description)
        }
    }

    @Test func `copies of a long chain that differ at its end are distinguished`() throws {
        let count = 1_200
        let schemas = (0..<count).map {
            ##""S\##($0)": { "properties": { "next": { "$ref": "#/$defs/S\##($0 + 1)" } } }"##
        }
        let definitions = (schemas + [#""S\#(count)": { "properties": { "id": {} } }"#]).joined(separator: ", ")
        let text = try Rewriting.text(
            of: ##"""
                { "properties": { "first": { "$ref": "#/$defs/S0" }, "last": { "$ref": "#/$defs/S0" } },
                  "$defs": { \##(definitions) } }
                """##,
            by: #"{ "rename": { "/last/**/id": "key" } }"#
        ).text
        #expect(text.contains(##""S0_2":{"properties":{"next":{"$ref":"#/$defs/S1_2"}}}"##))
        #expect(text.contains(#""S\#(count)_2":{"properties":{"key":{}}}"#))
    }

    @Test func `many required keys keep their order`() throws {
        let names = (0..<20_000).map { "\"key\($0)\"" }.joined(separator: ",")
        let description = #"{"required":[\#(names)]}"#
        #expect(try Rewriting.text(of: description, by: #"{ "drop": "secret" }"#).text == description)
    }
}
