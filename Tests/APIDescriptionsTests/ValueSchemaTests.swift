import APIDescriptions
import Testing

/// Schemas of values that a rule changes.
struct ValueSchemaTests {
    @Test func `a date rule writes type and format, and converts enum, default and examples`() throws {
        try Rewriting.expect(
            """
            { "properties": {
                "at": { "type": "string", "format": "date-time", "pattern": "Z$", "title": "When",
                  "default": "1970-01-01T00:01:00Z", "examples": ["1970-01-01T00:00:01Z", "soon"] },
                "on": { "type": ["string", "null"], "enum": ["1970-01-02T00:00:00Z", null] },
                "ms": { "type": "integer", "minimum": 0 } } }
            """,
            by: """
                { "dates": [{ "at": "at", "from": "rfc3339", "to": "epoch-s" },
                    { "at": "on", "from": "rfc3339", "to": "date" }, { "at": "ms", "from": "epoch-ms" }] }
                """,
            becomes: """
                { "properties": {
                    "at": { "type": "integer", "title": "When", "default": 60, "examples": [1] },
                    "on": { "type": ["string", "null"], "format": "date", "enum": ["1970-01-02", null] },
                    "ms": { "type": "string", "format": "date-time" } } }
                """, warnings: 1)
    }

    @Test func `a container of which keep retains nothing is an empty container`() throws {
        try Rewriting.expect(
            #"{ "properties": { "tags": { "default": [], "examples": [[{ "id": 1, "b": 2 }], [{ "b": 2 }]], "const": { "b": 1 } } } }"#,
            by: #"{ "keep": ["id", "name"] }"#,
            becomes:
                #"{ "properties": { "tags": { "default": [], "examples": [[{ "id": 1 }], []], "const": {} } } }"#)
    }

    @Test func `a scan changes what the schema calls a date and time`() throws {
        try Rewriting.expect(
            #"{ "items": { "type": "string", "format": "date-time" }, "contains": { "type": "string" } }"#,
            by: #"{ "dates": "epoch-ms" }"#,
            becomes: #"{ "items": { "type": "integer" }, "contains": { "type": "string" } }"#)
    }

    @Test func `a map becomes an enum, or maps the values of one`() throws {
        try Rewriting.expect(
            #"{ "properties": { "a": { "type": "integer" }, "b": { "enum": [1, 0] }, "c": { "const": 1 } } }"#,
            by: #"{ "values": { "at": ["a", "b", "c"], "map": { "0": "off", "1": "on", "x": 2 } } }"#,
            becomes: """
                { "properties": { "a": { "type": "string", "enum": ["off", "on"] },
                  "b": { "enum": ["on", "off"], "type": "string" }, "c": { "const": "on", "type": "string" } } }
                """)
    }

    @Test func `type rules write their types, and leave those that they do not change`() throws {
        try Rewriting.expect(
            """
            { "properties": { "zip": { "type": "integer", "minimum": 1, "format": "int32" },
              "name": { "type": "string", "maxLength": 9 }, "n": { "type": ["string", "integer"] },
              "flag": { "type": "string", "enum": ["true"] }, "json": { "type": "string", "description": "d" },
              "card": { "type": "object" }, "user": { "type": ["integer", "null"] } } }
            """,
            by: """
                { "values": [{ "at": ["zip", "name"], "as": "string" }, { "at": "n", "as": "number" },
                    { "at": "flag", "as": "boolean" }, { "at": "json", "as": "json" }, { "at": ["card", "user"], "as": "mask" }] }
                """,
            becomes: """
                { "properties": { "zip": { "type": "string" }, "name": { "type": "string", "maxLength": 9 },
                  "n": { "type": "number" }, "flag": { "type": "boolean", "enum": [true] }, "json": { "description": "d" },
                  "card": { "type": "string" }, "user": { "type": ["string", "null"] } } }
                """)
    }

    @Test func `values that a rule refuses are null or stay, as badValue says`() throws {
        let schema = #"{ "properties": { "at": { "type": "string" }, "n": { "type": "integer" } } }"#
        let rule = #""values": [{ "at": "at", "as": "integer" }, { "at": "n", "as": "boolean" }]"#
        try Rewriting.expect(
            schema, by: #"{ \#(rule), "on": { "badValue": "null" } }"#,
            becomes: """
                { "properties": { "at": { "anyOf": [{ "type": "integer" }, { "type": "null" }] },
                  "n": { "anyOf": [{ "type": "boolean" }, { "type": "null" }] } } }
                """)
        try Rewriting.expect(
            schema, by: #"{ \#(rule), "on": { "badValue": "keep" } }"#,
            becomes: """
                { "properties": { "at": { "anyOf": [{ "type": "integer" }, { "type": "string" }] },
                  "n": { "anyOf": [{ "type": "boolean" }, { "type": "integer" }] } } }
                """)
    }

    @Test func `a date in a format that its rule does not read is a bad value`() throws {
        func schema(_ format: String) -> String {
            #"{ "properties": { "at": { "type": "string", "format": "\#(format)" } } }"#
        }
        func rule(_ from: String, to: String = "rfc3339", _ policy: String = "null") -> String {
            #"{ "dates": { "at": "at", "from": \#(from), "to": "\#(to)" }, "on": { "badValue": "\#(policy)" } }"#
        }
        for (format, from) in [
            ("date-time", #""epoch-s""#), ("date-time", #"["epoch-ms", "date"]"#), ("date", #""auto""#),
            ("date", #""rfc3339""#),
        ] {
            try Rewriting.expect(
                schema(format), by: rule(from),
                becomes: """
                    { "properties": { "at": { "anyOf": [{ "type": "string", "format": "date-time" }, { "type": "null" }] } } }
                    """)
            let error = try Rewriting.error(of: schema(format), by: rule(from, "error"))
            #expect(error.pointer == "/properties/at")
            #expect(error.rule == "/dates")
        }
        // A pattern may read some of these dates.
        let pattern = #"{ "pattern": "yyyy-MM-dd'T'HH:mm:ss.SSSXXX" }"#
        try Rewriting.expect(
            schema("date-time"), by: rule(pattern),
            becomes: """
                { "properties": { "at": { "anyOf": [{ "type": "string", "format": "date-time" }, { "type": "null" }] } } }
                """)
        try Rewriting.expect(schema("date-time"), by: rule(pattern, "error"), becomes: schema("date-time"))
        try Rewriting.expect(schema("date-time"), by: rule(#""auto""#, to: "date"), becomes: schema("date"))
        try Rewriting.expect(schema("date"), by: rule(#""auto""#, to: "date"), becomes: schema("date"))
    }

    @Test func `a rule that accepts no value of the schema is an error with pointer and rule`() throws {
        let error = try Rewriting.error(
            of: #"{ "properties": { "at": { "type": "object" } } }"#, by: #"{ "dates": { "at": "at" } }"#)
        #expect(error.pointer == "/properties/at")
        #expect(error.rule == "/dates")
        #expect(error.description.contains("accepts none of the values"))
    }

    @Test func `enum and const of objects have the output's keys`() throws {
        try Rewriting.expect(
            #"{ "enum": [{ "a_b": 1.10 }, "a_b"] }"#, by: "{ \(Rewriting.snake) }",
            becomes: #"{ "enum": [{ "aB": 1.10 }, "a_b"] }"#)
    }

    @Test func `values in examples have the escapes of the output`() throws {
        try Rewriting.expect(
            #"{ "properties": { "a": { "examples": [{ "é": ["é", 1] }] } } }"#,
            by: #"{ "output": { "escapes": "ascii" } }"#,
            becomes: #"{ "properties": { "a": { "examples": [{ "\u00e9": ["\u00e9", 1] }] } } }"#)
    }

    @Test func `keys in values are converted in examples`() throws {
        try Rewriting.expect(
            #"{ "properties": { "field": { "type": "string", "pattern": "_", "enum": ["first_name"] } } }"#,
            by: #"{ \#(Rewriting.snake), "values": { "at": "field", "as": "name" } }"#,
            becomes: #"{ "properties": { "field": { "type": "string", "enum": ["firstName"] } } }"#)
    }
}
