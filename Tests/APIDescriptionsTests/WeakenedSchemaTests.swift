import APIDescriptions
import ConvertProfiles
import Testing

/// Keywords that a profile makes untrue for some payloads, although it does not name them.
struct WeakenedSchemaTests {
    @Test func `uniqueItems stays only if nothing in the elements can change`() throws {
        try Rewriting.expect(
            """
            { "properties": { "any": { "type": "array", "uniqueItems": true },
              "open": { "items": { "type": "object", "properties": { "id": {} } }, "uniqueItems": true },
              "names": { "items": { "type": "string" }, "uniqueItems": true } } }
            """,
            by: #"{ "drop": "secret" }"#,
            becomes: """
                { "properties": { "any": { "type": "array" },
                  "open": { "items": { "type": "object", "properties": { "id": {} } } },
                  "names": { "items": { "type": "string" }, "uniqueItems": true } } }
                """)
        let elsewhere = #"{"properties":{"list":{"items":{"type":"object"},"uniqueItems":true}}}"#
        try Rewriting.expect(elsewhere, by: #"{ "drop": "/other/secret" }"#, becomes: elsewhere)
    }

    @Test func `what an object does not fit may fit it once a value is pruned`() throws {
        // `{"a": null, "b": 1}` fits only the first choice. Without `a`, it fits both.
        let choices = """
            [{ "properties": { "a": { "type": ["string", "null"] }, "b": { "type": "integer" } } },
             { "properties": { "a": { "type": "string" }, "b": { "type": "integer" } }, "required": ["b"] }]
            """
        let prune = #"{ "prune": { "null": true } }"#
        try Rewriting.expect(#"{ "oneOf": \#(choices) }"#, by: prune, becomes: #"{ "anyOf": \#(choices) }"#)
        for keywords in [
            #""not": { "properties": { "a": { "const": 1 } } }"#,
            #""if": { "properties": { "a": { "const": 1 } } }, "then": { "maxProperties": 1 }"#,
        ] {
            try Rewriting.expect("{ \(keywords) }", by: prune, becomes: "{}", warnings: 1)
        }
        for condition in [
            #""additionalProperties": { "type": "string" }"#, #""patternProperties": { "a": { "type": "string" } }"#,
            #""dependentSchemas": { "a": { "required": ["b"] } }"#, #""maxItems": 1"#,
            #""items": { "type": "string" }"#,
        ] {
            try Rewriting.expect(
                #"{ "not": { \#(condition) } }"#, by: #"{ "prune": { "null": true, "inArrays": true } }"#,
                becomes: "{}",
                warnings: 1)
        }
        // Nothing required is pruned here, so an object without it does not fit.
        let apart = """
            { "oneOf": [{ "required": ["k"], "properties": { "k": { "const": 1 } } },
                        { "required": ["k"], "properties": { "k": { "const": 2 } } }] }
            """
        try Rewriting.expect(apart, by: prune, becomes: apart)
    }

    @Test func `nothing depends on a key that defaults add`() throws {
        try Rewriting.expect(
            """
            { "type": "object", "properties": { "kind": {} }, "dependentRequired": { "kind": ["x"], "y": ["z"] },
              "dependencies": { "kind": ["x"] }, "dependentSchemas": { "kind": { "required": ["x"] } } }
            """,
            by: #"{ "defaults": { "/kind": "x" } }"#,
            becomes: """
                { "type": "object", "properties": { "kind": {} }, "dependentRequired": { "y": ["z"] },
                  "dependencies": {}, "dependentSchemas": {}, "required": ["kind"] }
                """)
    }

    @Test func `unevaluatedProperties stays only if the keywords beside it say the same as before`() throws {
        try Rewriting.expect(
            #"{ "patternProperties": { "^x_": {} }, "unevaluatedProperties": false }"#,
            by: "{ \(Rewriting.snake) }", becomes: "{}", warnings: 1)
        try Rewriting.expect(
            """
            { "unevaluatedProperties": false, "if": { "required": ["secret"] }, "then": { "properties": { "a": {} } } }
            """,
            by: #"{ "drop": "secret" }"#, becomes: "{}", warnings: 1)
        try Rewriting.expect(
            ##"{ "$ref": "#/$defs/A", "unevaluatedProperties": false, "$defs": { "A": { "not": { "required": ["secret"] } } } }"##,
            by: #"{ "drop": "secret" }"#, becomes: ##"{ "$ref": "#/$defs/A", "$defs": { "A": {} } }"##, warnings: 1)
        try Rewriting.expect(
            #"{ "properties": { "a_b": {} }, "unevaluatedProperties": false }"#,
            by: "{ \(Rewriting.snake) }", becomes: #"{ "properties": { "aB": {} }, "unevaluatedProperties": false }"#)
    }

    @Test func `not and if are removed if members that they count may go`() throws {
        for condition in [
            #"{ "maxProperties": 1 }"#, #"{ "minProperties": 1 }"#, #"{ "const": { "a": 1 } }"#, #"{ "enum": [[{}]] }"#,
            #"{ "properties": { "a": {} }, "additionalProperties": false }"#,
        ] {
            try Rewriting.expect(
                #"{ "not": \#(condition) }"#, by: #"{ "drop": "secret" }"#, becomes: "{}", warnings: 1)
            try Rewriting.expect(
                #"{ "if": \#(condition), "then": { "required": ["a"] } }"#, by: #"{ "drop": "secret" }"#, becomes: "{}",
                warnings: 1)
        }
        let scalar = #"{"not":{"const":1},"properties":{"a":{"not":{"maxProperties":1}}}}"#
        try Rewriting.expect(scalar, by: #"{ "drop": "/b/secret" }"#, becomes: scalar)
    }

    @Test func `a value that moves from where no schema describes it is an error with the rule`() throws {
        let move = #"{ "move": { "/a_b/c": "/moved" } }"#
        for schema in [
            #"{ "properties": { "a_b": {} }, "additionalProperties": false }"#,
            #"{ "type": "object", "additionalProperties": { "type": "object" } }"#, #"{ "type": "object" }"#,
        ] {
            let error = try Rewriting.error(of: schema, by: move)
            #expect(error.pointer.isEmpty)
            #expect(error.rule == "/move/~1a_b~1c")
        }
        for schema in [
            #"{"additionalProperties":{"type":"string"}}"#, #"{"type":"object"}"#,
        ] {
            #expect(try Rewriting.error(of: schema, by: #"{ "flatten": "/d" }"#).rule == "/flatten")
        }
        for closed in [
            #"{"properties":{"x":{}},"additionalProperties":false}"#, #"{"type":"string"}"#,
            #"{"properties":{"a_b":{"type":"string"}},"additionalProperties":false}"#,
        ] {
            try Rewriting.expect(closed, by: move, becomes: closed)
        }
        try Rewriting.expect(
            #"{"additionalProperties":false}"#, by: #"{ "flatten": "/d" }"#, becomes: #"{"additionalProperties":false}"#
        )
    }

    @Test func `an object into which a value moves keeps its schema only if the new object fits it`() throws {
        let move = #"{ "move": { "/a": "/e/a" } }"#
        func schema(_ object: String, _ rest: String = "") -> String {
            #"{ "properties": { "e": \#(object), "a": { "type": "string" } }\#(rest) }"#
        }
        func result(_ object: String, _ rest: String = "") -> String {
            #"{ "properties": { "e": \#(object) }\#(rest) }"#
        }
        let definitions = #", "$defs": { "E": { "type": "object", "properties": { "k": {} } } }"#
        // An empty object stays empty if there is no value to move.
        let joined = """
            { "allOf": [{ "$ref": "#/$defs/E" }, { "type": "object", "properties": { "a": { "type": "string" } } }] }
            """
        try Rewriting.expect(
            schema(##"{ "$ref": "#/$defs/E" }"##, definitions), by: move, becomes: result(joined, definitions))
        let closed = #"{ "additionalProperties": false, "properties": { "k": {} } }"#
        try Rewriting.expect(
            schema(closed), by: move,
            becomes: result(
                #"{ "additionalProperties": false, "properties": { "k": {}, "a": { "type": "string" } } }"#))
        let demanding = #"{ "required": ["k"], "properties": { "k": {} } }"#
        try Rewriting.expect(
            schema(demanding, #", "required": ["e"]"#), by: move,
            becomes: result(
                #"{ "required": ["k"], "properties": { "k": {}, "a": { "type": "string" } } }"#,
                #", "required": ["e"]"#))
        let others = [
            demanding, #"{ "type": "object", "additionalProperties": { "type": "integer" } }"#,
            #"{ "properties": { "a": { "type": "integer" } } }"#, #"{ "properties": {}, "maxProperties": 1 }"#,
        ]
        for other in others { try Rewriting.expect(schema(other), by: move, becomes: result("{}"), warnings: 1) }
    }

    @Test func `null beside the members of a flattened object stays, in any order`() throws {
        for names in [#""rel": { "type": "null" }, "rel_a": {}"#, #""rel_a": {}, "rel": { "type": "null" }"#] {
            let (text, _) = try Rewriting.text(
                of: #"{ "properties": { \#(names) } }"#, by: #"{ "flatten": { "at": "/rel", "prefix": "rel_" } }"#,
                direction: .inverse)
            #expect(text.contains(#""anyOf":["#), "\(text)")
        }
    }

    @Test func `a value that moves out of an array is an error with the rule`() throws {
        func schema(_ list: String) -> String {
            #"{"type":"object","properties":{"x":\#(list)},"required":["x"],"additionalProperties":false}"#
        }
        let properties = #""properties":{"0":{"type":"string"}}"#
        for list in [
            #"{"type":"array","items":{"type":"string"},"minItems":1}"#, #"{"type":["array","object"],\#(properties)}"#,
        ] {
            let error = try Rewriting.error(of: schema(list), by: #"{ "move": { "/x/0": "/y" } }"#)
            #expect(error.rule == "/move/~1x~10")
        }
        try Rewriting.expect(
            #"{ "type": "object", "properties": { "x": { "type": "object", \#(properties) } } }"#,
            by: #"{ "move": { "/x/0": "/y" } }"#,
            becomes: """
                { "type": "object",
                  "properties": { "x": { "type": "object", "properties": {} }, "y": { "type": "string" } } }
                """)
    }

    @Test func `a member of defaults fits, whatever patternProperties say`() throws {
        try Rewriting.expect(
            #"{ "type": "object", "patternProperties": { "^c": { "type": "integer" } }, "additionalProperties": false }"#,
            by: #"{ "defaults": { "/currency": "EUR" } }"#,
            becomes: """
                { "type": "object", "additionalProperties": { "type": "integer" },
                  "properties": { "currency": { "default": "EUR" } }, "required": ["currency"] }
                """, warnings: 1)
    }
}
