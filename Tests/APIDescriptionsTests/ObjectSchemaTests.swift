import APIDescriptions
import Testing

/// Keywords about the members of objects.
struct ObjectSchemaTests {
    @Test func `properties and required get the keys of the output, in their order`() throws {
        try Rewriting.expect(
            """
            { "type": "object", "required": ["user_id", "other_key"], "minProperties": 1,
              "properties": { "user_id": { "type": "integer", "minimum": 1 }, "created_at": { "x-order_by": "a_b" } } }
            """,
            by: "{ \(Rewriting.snake) }",
            becomes: """
                { "type": "object", "required": ["userId", "otherKey"], "minProperties": 1,
                  "properties": { "userId": { "type": "integer", "minimum": 1 }, "createdAt": { "x-order_by": "a_b" } } }
                """)
    }

    @Test func `a path names the members of the schema at that path only`() throws {
        try Rewriting.expect(
            """
            { "properties": { "a": { "properties": { "x_y": {} } }, "b": { "properties": { "x_y": {} } } } }
            """,
            by: #"{ "rename": { "/b/x_y": "z" } }"#,
            becomes: """
                { "properties": { "a": { "properties": { "x_y": {} } }, "b": { "properties": { "z": {} } } } }
                """)
    }

    @Test func `dropped members leave properties, required and dependentRequired`() throws {
        try Rewriting.expect(
            """
            { "properties": { "id": {}, "secret": { "type": "string" } }, "required": ["id", "secret"], "minProperties": 2,
              "dependentRequired": { "id": ["secret", "a_b"], "secret": ["id"] } }
            """,
            by: #"{ "drop": "secret", "rename": { "a_b": "c" } }"#,
            becomes: #"{ "properties": { "id": {} }, "required": ["id"], "dependentRequired": { "id": ["c"] } }"#)
    }

    @Test func `keep leaves objects on its way, and no scalars beside it`() throws {
        try Rewriting.expect(
            """
            { "required": ["id", "user", "tag"],
              "properties": { "id": { "type": "integer" }, "log": {},
                "user": { "type": "object", "properties": { "name": { "type": "string" }, "age": {} } },
                "tag": { "type": "string" } } }
            """,
            by: #"{ "keep": ["/id", "/user/name", "/tag/x"] }"#,
            becomes: """
                { "required": ["id", "user"],
                  "properties": { "id": { "type": "integer" },
                    "user": { "type": "object", "properties": { "name": { "type": "string" } } } } }
                """)
    }

    @Test func `what prune may remove is not required`() throws {
        try Rewriting.expect(
            """
            { "required": ["a", "b", "c", "d"], "properties": { "a": { "type": ["string", "null"] }, "b": { "type": "integer" },
              "c": { "type": "string", "minLength": 1 }, "d": { "type": "string" } } }
            """,
            by: #"{ "prune": { "null": true, "emptyString": true } }"#,
            becomes: """
                { "required": ["b", "c"], "properties": { "a": { "type": ["string", "null"] }, "b": { "type": "integer" },
                  "c": { "type": "string", "minLength": 1 }, "d": { "type": "string" } } }
                """)
    }

    @Test func `defaults are required, and described if the schema does not`() throws {
        try Rewriting.expect(
            #"{ "type": "object", "properties": { "count": { "type": "integer" } }, "additionalProperties": false }"#,
            by: #"{ "defaults": { "/count": 1, "/currency": "EUR" } }"#,
            becomes: """
                { "type": "object",
                  "properties": { "count": { "type": "integer" }, "currency": { "default": "EUR" } },
                  "additionalProperties": false, "required": ["count", "currency"] }
                """)
    }

    @Test func `a default that may not fit its schema is one more value of it`() throws {
        func schema(_ property: String, _ more: String = "") -> String {
            #"{ "type": "object", "properties": { "c": \#(property) }\#(more) }"#
        }
        let required = #", "required": ["c"]"#
        for (property, value) in [
            (#"{ "type": "object", "additionalProperties": false }"#, #"{ "k": 1 }"#),
            (#"{ "type": "object", "minProperties": 1 }"#, "{}"), (#"{ "type": "array", "minItems": 1 }"#, "[]"),
            (#"{ "type": "array", "items": { "type": "string" } }"#, "[1]"), (#"{ "type": "integer" }"#, "1.5"),
            (#"{ "type": "string", "minLength": 1 }"#, "\"\""), (#"{ "type": "string" }"#, "null"),
            (#"{ "type": "integer", "maximum": 3 }"#, "5"), (#"{ "type": "integer", "multipleOf": 3 }"#, "5"),
        ] {
            try Rewriting.expect(
                schema(property), by: #"{ "defaults": { "/c": \#(value) } }"#,
                becomes: schema(#"{ "anyOf": [\#(property), { "enum": [\#(value)] }] }"#, required))
        }
        for (property, value) in [
            (#"{ "type": ["string", "null"], "title": "C" }"#, "null"), (#"{ "type": "number", "example": 2 }"#, "1"),
            (#"{ "type": "object" }"#, "{}"), ("{}", "[1]"), ("true", "1"),
        ] {
            try Rewriting.expect(
                schema(property), by: #"{ "defaults": { "/c": \#(value) } }"#, becomes: schema(property, required))
        }
        try Rewriting.expect(
            schema(#"{ "type": "string" }"#),
            by: #"{ "values": { "at": "/c", "as": "integer" }, "defaults": { "/c": "-" } }"#,
            becomes: schema(#"{ "anyOf": [{ "type": "integer" }, { "enum": ["-"] }] }"#, required))
    }

    @Test func `additionalProperties follow unnamed members, and a named one becomes a property`() throws {
        try Rewriting.expect(
            #"{ "type": "object", "additionalProperties": { "type": "string", "maxLength": 30 } }"#,
            by: #"{ "dates": { "at": "created", "from": "rfc3339", "to": "epoch-s" }, "drop": "secret" }"#,
            becomes: """
                { "type": "object", "additionalProperties": { "type": "string", "maxLength": 30 },
                  "properties": { "created": { "type": "integer" } } }
                """)
    }

    @Test func `patternProperties stay below opaque paths, and become additionalProperties elsewhere`() throws {
        let profile = #"{ "keys": { "case": "camelCase", "opaque": ["/map"] } }"#
        try Rewriting.expect(
            """
            { "properties": { "map": { "patternProperties": { "^x_": { "type": "integer" } }, "additionalProperties": false },
              "rest": { "patternProperties": { "^x_": { "type": "integer" } }, "additionalProperties": false } } }
            """,
            by: profile,
            becomes: """
                { "properties": { "map": { "patternProperties": { "^x_": { "type": "integer" } }, "additionalProperties": false },
                  "rest": { "additionalProperties": { "type": "integer" } } } }
                """, warnings: 1)
    }

    @Test func `two properties with one key can be either`() throws {
        try Rewriting.expect(
            #"{ "properties": { "a_b": { "type": "string" }, "aB": { "type": "integer" } } }"#,
            by: #"{ "keys": "camelCase", "on": { "collision": "first" } }"#,
            becomes: #"{ "properties": { "aB": { "anyOf": [{ "type": "string" }, { "type": "integer" }] } } }"#,
            warnings: 1)
    }

    @Test func `a moved value is described at its new path`() throws {
        try Rewriting.expect(
            """
            { "type": "object", "required": ["content"], "properties": { "content": { "$ref": "#/$defs/Content" } },
              "$defs": { "Content": { "type": "object", "required": ["headline"],
                "properties": { "headline": { "type": "string" }, "author_name": { "type": "string" } } } } }
            """,
            by: #"{ "move": { "/content/headline": "/title", "/content/author_name": "/author/name" } }"#,
            becomes: """
                { "type": "object", "required": ["content", "title"],
                  "properties": { "content": { "$ref": "#/$defs/Content" }, "title": { "type": "string" },
                    "author": { "type": "object", "properties": { "name": { "type": "string" } }, "minProperties": 1 } },
                  "$defs": { "Content": { "type": "object", "properties": {} } } }
                """)
    }

    @Test func `a moved value that keep or prune may remove is not required, nor is the object made for it`() throws {
        let integer = #"{ "type": "integer" }"#
        let schema = """
            { "required": ["d"], "properties": { "d": { "type": ["string", "null"] }, "y": \(integer) } }
            """
        try Rewriting.expect(
            schema, by: #"{ "move": { "/d": "/e" }, "keep": ["/d/x", "/y"] }"#,
            becomes: "{ \"properties\": { \"y\": \(integer) } }")
        try Rewriting.expect(
            #"{ "required": ["d"], "properties": { "d": { "type": ["string", "object"] } } }"#,
            by: #"{ "move": { "/d": "/e" }, "keep": "/d/x" }"#,
            becomes: #"{ "properties": { "e": { "type": ["string", "object"] } } }"#)
        // {"d":null} becomes {"e":{}}.
        try Rewriting.expect(
            schema, by: #"{ "move": { "/y": "/e/y", "/d": "/e/d" }, "prune": { "null": true } }"#,
            becomes: """
                { "properties": { "e": { "type": "object",
                  "properties": { "y": \(integer), "d": { "type": ["string", "null"] } } } } }
                """)
    }

    @Test func `defaults at the old path of a moved value are no part of it`() throws {
        let object = #"{ "type": "object", "properties": { "x": { "type": "integer" } } }"#
        // {"a":{}} becomes {"b":{"c":{}},"a":{"x":1}}.
        try Rewriting.expect(
            #"{ "type": "object", "properties": { "a": \#(object) } }"#,
            by: #"{ "move": { "/a": "/b/c" }, "defaults": { "/a/x": 1 } }"#,
            becomes: """
                { "type": "object",
                  "properties": { "b": { "type": "object", "properties": { "c": \(object) }, "minProperties": 1 },
                    "a": { "default": { "x": 1 } } },
                  "required": ["a"] }
                """)
    }

    @Test func `a value that moves out of a choice is an error with the rule`() throws {
        let error = try Rewriting.error(
            of: #"{ "properties": { "a": { "anyOf": [{ "properties": { "b": {} } }, { "type": "null" }] } } }"#,
            by: #"{ "move": { "/a/b": "/b" } }"#)
        #expect(error.pointer == "/properties/a/anyOf/0/properties/b")
        #expect(error.rule == "/move/~1a~1b")
    }

    @Test func `a flattened object is replaced by its properties`() throws {
        try Rewriting.expect(
            """
            { "type": "object", "required": ["id", "geo"], "additionalProperties": false,
              "properties": { "id": {}, "geo": { "type": "object", "required": ["lat"], "additionalProperties": false,
                "properties": { "lat": { "type": "number" }, "lon": { "type": "number" } } } } }
            """,
            by: #"{ "flatten": { "at": "/geo", "prefix": "geo_" } }"#,
            becomes: """
                { "type": "object", "required": ["id", "geo_lat"], "additionalProperties": false,
                  "properties": { "id": {}, "geo_lat": { "type": "number" }, "geo_lon": { "type": "number" } } }
                """)
    }

    @Test func `a flattened object that a rule makes null leaves null and no properties`() throws {
        try Rewriting.expect(
            """
            { "type": "object", "required": ["geo"],
              "properties": { "geo": { "type": "object", "required": ["lat"], "properties": { "lat": { "type": "number" } } } } }
            """,
            by: #"{ "values": { "at": "/geo", "as": "string" }, "on": { "badValue": "null" }, "flatten": "/geo" }"#,
            becomes:
                #"{ "type": "object", "properties": { "lat": { "type": "number" }, "geo": { "type": "null" } } }"#)
    }

    @Test func `a value moves out of a flattened object, which may be null`() throws {
        try Rewriting.expect(
            """
            { "required": ["rel"], "properties": { "rel": { "type": ["object", "null"], "required": ["author", "tag"],
              "properties": { "author": { "properties": { "id": { "type": "string" }, "name": {} } }, "tag": {} } } } }
            """,
            by: """
                { "flatten": { "at": "/rel", "prefix": "rel_" }, "move": { "/rel/author/id": "/author_id", "/rel/tag": "/tag" } }
                """,
            becomes: """
                { "properties": { "rel_author": { "properties": { "name": {} } }, "rel": { "type": "null" },
                  "author_id": { "type": "string" }, "tag": {} } }
                """)
    }

    @Test func `a flattened choice is an error with the rule`() throws {
        let error = try Rewriting.error(
            of: #"{ "properties": { "geo": { "oneOf": [{ "type": "object" }, { "type": "string" }] } } }"#,
            by: #"{ "flatten": "/geo" }"#)
        #expect(error.pointer == "/properties/geo")
        #expect(error.rule == "/flatten")
    }

    @Test func `propertyNames are renamed if they are listed, and removed otherwise`() throws {
        try Rewriting.expect(
            #"{ "properties": { "a": { "propertyNames": { "enum": ["x_y"] } }, "b": { "propertyNames": { "pattern": "_" } } } }"#,
            by: "{ \(Rewriting.snake) }",
            becomes: #"{ "properties": { "a": { "propertyNames": { "enum": ["xY"] } }, "b": {} } }"#, warnings: 1)
    }
}
