import APIDescriptions
import ConvertProfiles
import Testing
import YAMLText

/// References, compositions and arrays.
struct CompositionTests {
    @Test func `a schema under paths that differ in effect is split`() throws {
        try Rewriting.expect(
            """
            { "properties": { "first": { "$ref": "#/$defs/Order" }, "last": { "$ref": "#/$defs/Order" },
                "other": { "$ref": "#/$defs/Order" } },
              "$defs": { "Order": { "properties": { "id": {}, "next": { "$ref": "#/$defs/Order" } } } } }
            """,
            by: #"{ "rename": { "/last/id": "key" } }"#,
            becomes: """
                { "properties": { "first": { "$ref": "#/$defs/Order" }, "last": { "$ref": "#/$defs/Order_2" },
                    "other": { "$ref": "#/$defs/Order" } },
                  "$defs": {
                    "Order": { "properties": { "id": {}, "next": { "$ref": "#/$defs/Order" } } },
                    "Order_2": { "properties": { "key": {}, "next": { "$ref": "#/$defs/Order" } } } } }
                """)
    }

    @Test func `a recursive document keeps its references to itself`() throws {
        try Rewriting.expect(
            ##"{ "properties": { "sub_node": { "$ref": "#" }, "node_id": { "$ref": "#/properties/other_id" }, "other_id": { "type": "string" } } }"##,
            by: "{ \(Rewriting.snake) }",
            becomes: """
                { "properties": { "subNode": { "$ref": "#" }, "nodeId": { "$ref": "#/$defs/other_id" },
                    "otherId": { "type": "string" } },
                  "$defs": { "other_id": { "type": "string" } } }
                """)
    }

    @Test func `oneOf stays while values stay apart, and becomes anyOf when they may become equal`() throws {
        try Rewriting.expect(
            """
            { "oneOf": [{ "required": ["a_b"] }, { "required": ["c"] }], "properties": {
              "at": { "oneOf": [{ "type": "integer" }, { "type": "string", "format": "date-time" }] } } }
            """,
            by: #"{ \#(Rewriting.snake), "dates": { "at": "at", "from": ["rfc3339", "epoch-s"], "to": "epoch-ms" } }"#,
            becomes: """
                { "oneOf": [{ "required": ["aB"] }, { "required": ["c"] }], "properties": {
                  "at": { "anyOf": [{ "type": "integer" }, { "type": "integer" }] } } }
                """)
    }

    @Test func `allOf, not, if, then and else follow keys`() throws {
        try Rewriting.expect(
            """
            { "allOf": [{ "properties": { "a_b": {} } }], "not": { "required": ["b_c"] },
              "if": { "required": ["a_b"] }, "then": { "required": ["c_d"] }, "else": false }
            """,
            by: "{ \(Rewriting.snake) }",
            becomes: """
                { "allOf": [{ "properties": { "aB": {} } }], "not": { "required": ["bC"] },
                  "if": { "required": ["aB"] }, "then": { "required": ["cD"] }, "else": false }
                """)
    }

    @Test func `not and if are removed, with a warning, if the profile removes what they check`() throws {
        try Rewriting.expect(
            """
            { "not": { "required": ["secret"] }, "if": { "required": ["secret"] }, "then": { "required": ["id"] },
              "minProperties": 0 }
            """,
            by: #"{ "drop": "secret" }"#, becomes: "{}", warnings: 2)
    }

    @Test func `elements, tuples and indices have paths of their own`() throws {
        try Rewriting.expect(
            """
            { "properties": { "list": { "items": { "properties": { "a_b": {} } }, "minItems": 1, "uniqueItems": true },
              "pair": { "prefixItems": [{ "properties": { "x": {} } }, { "properties": { "x": {} } }] } } }
            """,
            by: #"{ \#(Rewriting.snake), "rename": { "/pair/1/x": "y" } }"#,
            becomes: """
                { "properties": { "list": { "items": { "properties": { "aB": {} } }, "minItems": 1 },
                  "pair": { "prefixItems": [{ "properties": { "x": {} } }, { "properties": { "y": {} } }] } } }
                """)
    }

    @Test func `arrays whose elements may go have no least length`() throws {
        try Rewriting.expect(
            #"{ "properties": { "list": { "type": "array", "items": { "type": "integer" }, "minItems": 2 } } }"#,
            by: #"{ "drop": "/list/0" }"#,
            becomes: #"{ "properties": { "list": { "type": "array", "items": { "type": "integer" } } } }"#)
    }

    @Test func `references to other documents and to nothing are errors with their pointers`() throws {
        let external = try Rewriting.error(
            of: #"{ "items": { "$ref": "order.json" } }"#, by: "{}")
        #expect(external.pointer == "/items/$ref")
        #expect(external.hint?.contains("bundle") == true)
        let missing = try Rewriting.error(of: ##"{ "items": { "$ref": "#/$defs/A" } }"##, by: "{}")
        #expect(missing.description == "the reference `#/$defs/A` leads nowhere (/items/$ref)")
    }

    @Test func `unwrap takes a schema out, and wrap puts one in`() throws {
        try Rewriting.expect(
            """
            { "$ref": "#/$defs/Page", "$defs": { "Page": { "properties": { "data": { "items": { "$ref": "#/$defs/User" } } } },
              "User": { "properties": { "first_name": {} } } } }
            """,
            by:
                #"{ "unwrap": "/data", "rename": { "/data/*/first_name": "name" }, "wrap": { "at": "/all", "with": { "ok": true } } }"#,
            becomes: """
                { "type": "object", "properties": { "ok": { "enum": [true] }, "all": { "items": { "$ref": "#/$defs/User" } } },
                  "required": ["ok", "all"],
                  "$defs": { "Page": { "properties": { "data": { "items": { "$ref": "#/$defs/User_2" } } } },
                    "User": { "properties": { "name": {} } }, "User_2": { "properties": { "first_name": {} } } } }
                """)
        let error = try Rewriting.error(of: #"{ "type": "object" }"#, by: #"{ "unwrap": "/data" }"#)
        #expect(error.rule == "/unwrap")
    }

    @Test func `objects and arrays in values of an unwrapped schema keep their brackets and keys`() throws {
        func values(_ name: String, _ inner: String) -> String {
            """
            { "properties": { "list": { "default": ["a", ["b"]] }, "pair": { "enum": [[1, 2], []] },
                "object": { "default": { "\(name)": { "\(inner)": 1 }, "c": [{}] } } }, "example": { "\(name)": 7, "n": [1] } }
            """
        }
        try Rewriting.expect(
            #"{ "properties": { "data": { "properties": { "body": \#(values("a_b", "b_c")) } } } }"#,
            by: #"{ \#(Rewriting.snake), "unwrap": "/data/body" }"#, becomes: values("aB", "bC"))
        try Rewriting.expect(
            #"{ "type": "object", "properties": { "data": \#(values("aB", "bC")) } }"#,
            by: #"{ \#(Rewriting.snake), "wrap": "data" }"#, direction: .inverse, becomes: values("a_b", "b_c"))
    }

    @Test func `schemas that include each other many times are looked at once`() throws {
        // Each schema has the next one twice, so there are 2^60 ways from the first to the last.
        let schemas = (0..<60).map { number in
            let next = ##"{ "$ref": "#/$defs/S\##(number + 1)" }"##
            return ##""S\##(number)": { "anyOf": [\##(next), \##(next)], "allOf": [\##(next)] }"##
        }
        let definitions = (schemas + [#""S60": { "properties": { "a_b": {} } }"#]).joined(separator: ", ")
        let text = try Rewriting.text(
            of:
                ##"{ "required": ["at"], "properties": { "at": { "$ref": "#/$defs/S0" } }, "$defs": { \##(definitions) } }"##,
            by: #"{ \#(Rewriting.snake), "prune": { "null": true } }"#
        ).text
        #expect(text.contains(#""aB""#) && !text.contains("required"))
    }

    @Test func `deep and hostile documents are refused`() throws {
        let deep = String(repeating: #"{"items":"#, count: 300) + "{}" + String(repeating: "}", count: 300)
        #expect(throws: DescriptionError.self) { try Rewriting.text(of: deep, by: "{}") }
        let nested = String(repeating: #"{"items":"#, count: 190) + "{}" + String(repeating: "}", count: 190)
        #expect(try Rewriting.text(of: nested, by: "{ \(Rewriting.snake) }").text == nested)
        if YAMLDocument.isReadable {
            let aliases = (1...40).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined()
            let bomb = try Rewriting.error(of: "a0: &a0 [xxxxxxxxxx]\n" + aliases, by: "{}")
            #expect(bomb.message.hasSuffix("bytes with its aliases replaced"))
        } else {
            let yaml = try Rewriting.error(of: "openapi: 3.0.0\n", by: "{}")
            #expect(yaml.hint?.contains("yq -o json") == true)
        }
        let swagger = try Rewriting.error(of: #"{ "swagger": "2.0" }"#, by: "{}")
        #expect(swagger.pointer == "/swagger")
        for version in ["3.2.0", "4.0.0"] {
            let future = try Rewriting.error(of: #"{ "openapi": "\#(version)" }"#, by: "{}")
            #expect(future.pointer == "/openapi")
            #expect(future.message == "expected OpenAPI 3.0 or 3.1")
        }
    }
}
