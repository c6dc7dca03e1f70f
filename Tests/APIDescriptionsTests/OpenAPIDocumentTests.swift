import APIDescriptions
import HTTPSemantics
import Testing

/// Whole OpenAPI documents.
struct OpenAPIDocumentTests {
    /// A document with one operation, and with these members of `components`.
    private static func document(
        _ version: String = "3.1.0", operation: String, components: String = #""schemas": {}"#
    ) -> String {
        #"{ "openapi": "\#(version)", "paths": { "/a_b": { "post": { \#(operation) } } }, "components": { \#(components) } }"#
    }

    private static let reference = ##"{ "application/json": { "schema": { "$ref": "#/components/schemas/User" } } }"##

    @Test func `requests and responses share a schema that the profile can undo`() throws {
        let operation =
            #""requestBody": { "content": \#(Self.reference) }, "responses": { "200": { "content": \#(Self.reference) } }"#
        try Rewriting.expect(
            Self.document(
                operation: operation, components: #""schemas": { "User": { "properties": { "first_name": {} } } }"#),
            by: "{ \(Rewriting.snake) }",
            becomes: Self.document(
                operation: operation, components: #""schemas": { "User": { "properties": { "firstName": {} } } }"#))
    }

    @Test func `requests have what responses lose, in another copy of the schema`() throws {
        let second = Self.reference.replacing("User", with: "User_2")
        try Rewriting.expect(
            Self.document(
                operation:
                    #""requestBody": { "content": \#(Self.reference) }, "responses": { "200": { "content": \#(Self.reference) } }"#,
                components: """
                    "schemas": { "User": { "required": ["password"], "properties": { "zip_code": { "type": "integer" }, "password": {} } } }
                    """),
            by: #"{ \#(Rewriting.snake), "drop": "password", "values": { "at": "zip_code", "as": "string" } }"#,
            becomes: Self.document(
                operation:
                    #""requestBody": { "content": \#(second) }, "responses": { "200": { "content": \#(Self.reference) } }"#,
                components: """
                    "schemas": { "User": { "properties": { "zipCode": { "type": "string" } } },
                      "User_2": { "required": ["password"], "properties": { "zipCode": { "type": "integer" }, "password": {} } } }
                    """))
    }

    @Test func `requests cannot have the null of bad values`() throws {
        func operation(_ request: String, _ response: String) -> String {
            let body = { (schema: String) in
                #""content": { "application/json": { "schema": { "properties": { "at": \#(schema) } } } }"#
            }
            return #""requestBody": { \#(body(request)) }, "responses": { "200": { \#(body(response)) } }"#
        }
        // The inverse direction leaves null as it is, and the upstream's schema does not allow it.
        let before = #"{ "type": "string" }"#
        let after = #"{ "anyOf": [{ "type": "integer" }, { "type": "null" }] }"#
        let profile = #"{ "dates": { "at": "at", "from": "rfc3339", "to": "epoch-s", "badValue": "null" } }"#
        try Rewriting.expect(
            Self.document(operation: operation(before, before)), by: profile,
            becomes: Self.document(operation: operation(#"{ "type": "integer" }"#, after)))
        // Where it does, clients may send it.
        try Rewriting.expect(
            Self.document(operation: operation(#"{ "type": ["string", "null"] }"#, before)),
            by: profile,
            becomes: Self.document(operation: operation(#"{ "type": ["integer", "null"] }"#, after)))
    }

    @Test func `requests have the key of the upstream if the inverse does not restore it`() throws {
        func operation(_ request: String, _ response: String) -> String {
            let body = { (key: String) in
                #""content": { "application/json": { "schema": { "properties": { "\#(key)": {} } } } }"#
            }
            return #""requestBody": { \#(body(request)) }, "responses": { "200": { \#(body(response)) } }"#
        }
        let document = Self.document(operation: operation("internal_id", "internal_id"))
        for (rename, key) in [(#"{ "pattern": "x_*" }"#, "xId"), (#""other""#, "other")] {
            try Rewriting.expect(
                document, by: #"{ \#(Rewriting.snake), "rename": { "internal_*": \#(rename) } }"#,
                becomes: Self.document(operation: operation("internal_id", key)))
        }
    }

    @Test func `only the responses of the statuses are converted`() throws {
        func responses(_ found: String, _ failed: String) -> String {
            """
            "responses": {
              "200": { "content": { "application/json": { "schema": { "properties": { "\(found)": {} } } } } },
              "default": { "content": { "application/problem+json": { "schema": { "properties": { "\(failed)": {} } } } } } }
            """
        }
        let document = Self.document(operation: responses("a_b", "a_b"))
        try Rewriting.expect(
            document, by: "{ \(Rewriting.snake) }", becomes: Self.document(operation: responses("aB", "a_b")))
        let all = try Rewriting.text(of: document, by: "{ \(Rewriting.snake) }", statuses: .all)
        #expect(!all.text.replacing("/a_b", with: "").contains("a_b"))
    }

    @Test func `shared responses are converted where they are used for success, and copied elsewhere`() throws {
        let body =
            #"{ "description": "", "content": { "application/json": { "schema": { "properties": { "a_b": {} } } } } }"#
        let shared = ##"{ "$ref": "#/components/responses/Both" }"##
        try Rewriting.expect(
            Self.document(
                operation: #""responses": { "200": \#(shared), "404": \#(shared) }"#,
                components: #""schemas": {}, "responses": { "Both": \#(body), "Unused": \#(body) }"#),
            by: "{ \(Rewriting.snake) }",
            becomes: Self.document(
                operation: #""responses": { "200": \#(shared), "404": \#(body) }"#,
                components: """
                    "schemas": {}, "responses": { "Both": \(body.replacing("a_b", with: "aB")), "Unused": \(body.replacing("a_b", with: "aB")) }
                    """))
    }

    @Test func `examples of media types are converted as payloads, and shared ones are written out`() throws {
        try Rewriting.expect(
            Self.document(
                operation: """
                    "responses": { "200": { "content": { "application/json": { "example": { "data": { "a_b": 1.0 } },
                      "examples": { "one": { "$ref": "#/components/examples/One" }, "bad": { "value": 1 } } },
                      "text/csv": { "example": { "a_b": 1 } } } } }
                    """,
                components:
                    ##""schemas": {}, "examples": { "One": { "summary": "s", "value": { "data": { "b_c": 2 } } } }"##),
            by: #"{ \#(Rewriting.snake), "unwrap": "/data" }"#,
            becomes: Self.document(
                operation: """
                    "responses": { "200": { "content": { "application/json": { "example": { "aB": 1.0 },
                      "examples": { "one": { "summary": "s", "value": { "bC": 2 } } } },
                      "text/csv": { "example": { "a_b": 1 } } } } }
                    """,
                components: ##""schemas": {}, "examples": {}"##),
            warnings: 1)
    }

    @Test func `parameters, callbacks and webhooks keep their schemas, and expressions follow`() throws {
        func document(_ schemas: String, _ copy: String, _ pointer: String, _ link: String) -> String {
            """
            { "openapi": "3.1.0", "paths": { "/a": { "post": {
                "parameters": [{ "name": "first_name", "in": "query", "schema": { "type": "string", "default": "a_b" } }],
                "responses": { "200": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/User" } } },
                  "links": { "next": { "parameters": { "id": "\(link)" } } } } },
                "callbacks": { "done": { "{\(pointer)}": { "post": { "requestBody": { "content": { "application/json":
                  { "schema": { "$ref": "#/components/schemas/\(copy)" } } } } } } } } } } },
              "webhooks": { "made": { "post": { "requestBody": { "content": { "application/json":
                  { "schema": { "$ref": "#/components/schemas/\(copy)" } } } } } } },
              "components": { "schemas": { \(schemas) } } }
            """
        }
        try Rewriting.expect(
            document(
                #""User": { "properties": { "first_name": {} } }"#, "User", "$request.body#/done_url",
                "$response.body#/user_id"),
            by: "{ \(Rewriting.snake) }",
            becomes: document(
                #""User": { "properties": { "firstName": {} } }, "User_2": { "properties": { "first_name": {} } }"#,
                "User_2", "$request.body#/doneUrl", "$response.body#/userId"))
    }

    @Test func `a discriminator follows its property, and names copies of schemas`() throws {
        func document(_ property: String, _ mapping: String, _ schemas: String, _ choice: String = "oneOf") -> String {
            Self.document(
                operation: """
                    "responses": { "200": { "content": { "application/json": { "schema": { "properties": {
                      "pet": { "\(choice)": [{ "$ref": "#/components/schemas/Cat" }, { "$ref": "#/components/schemas/Dog" }],
                        "discriminator": { "propertyName": "\(property)"\(mapping) } } } } } } } }
                    """, components: #""schemas": { \#(schemas) }"#)
        }
        try Rewriting.expect(
            document(
                "pet_type", "",
                #""Cat": { "properties": { "pet_type": {} } }, "Dog": { "properties": { "pet_type": {}, "dog_age": {} } }"#
            ),
            by: "{ \(Rewriting.snake) }",
            becomes: document(
                "petType", "",
                #""Cat": { "properties": { "petType": {} } }, "Dog": { "properties": { "petType": {}, "dogAge": {} } }"#
            ))
        try Rewriting.expect(
            document(
                "kind", ##", "mapping": { "1": "#/components/schemas/Cat", "2": "Dog" }"##,
                #""Cat": { "properties": { "kind": { "type": "string" } } }, "Dog": {}"#),
            by: #"{ "values": { "at": "kind", "map": { "1": "cat", "2": "dog" } } }"#,
            becomes: document(
                "kind", ##", "mapping": { "cat": "#/components/schemas/Cat", "dog": "Dog" }"##,
                #""Cat": { "properties": { "kind": { "type": "string", "enum": ["cat", "dog"] } } }, "Dog": {}"#,
                "anyOf"))
    }

    @Test func `version 3.0 says null with nullable`() throws {
        try Rewriting.expect(
            Self.document(
                "3.0.3",
                operation: """
                    "responses": { "200": { "content": { "*/*": { "schema": { "properties": {
                      "at": { "type": "string", "nullable": true, "format": "date-time" }, "on": { "description": "d" } } } } } } }
                    """),
            by: #"{ "dates": { "at": ["at", "on"], "from": "rfc3339", "to": "epoch-s" } }"#,
            becomes: Self.document(
                "3.0.3",
                operation: """
                    "responses": { "200": { "content": { "*/*": { "schema": { "properties": {
                      "at": { "type": "integer", "nullable": true },
                      "on": { "description": "d", "type": "integer", "nullable": true } } } } } } }
                    """))
    }

    @Test(arguments: [("3.0.3", #"{ "not": {} }"#), ("3.1.0", "false")])
    func `elements that are all dropped fit no schema`(version: String, none: String) throws {
        func document(_ items: String) -> String {
            Self.document(
                version,
                operation: """
                    "responses": { "200": { "content": { "*/*": { "schema": { "properties": { "a": {
                      "type": "array", "items": \(items) } } } } } } }
                    """)
        }
        try Rewriting.expect(
            document(#"{ "type": "string" }"#), by: #"{ "drop": "/a/*" }"#, becomes: document(none))
    }

    @Test func `clients are warned of keys that the inverse does not restore`() throws {
        let document = Self.document(
            operation:
                #""requestBody": { "content": { "application/json": { "schema": { "properties": { "userName": {} } } } } }"#
        )
        let warnings = try Rewriting.text(of: document, by: "{ \(Rewriting.snake) }").warnings
        #expect(warnings.count == 1)
        #expect(warnings.first?.message == "clients cannot send this key: the profile does not make it of `userName`")
    }

    @Test func `an empty profile changes nothing but white space`() throws {
        let document = Self.document(
            operation: """
                "requestBody": { "content": \(Self.reference) }, "x-a": { "$ref": 1 }, "responses": { "200": { "content": {
                  "application/json": { "schema": { "type": "array", "items": { "$ref": "#/components/schemas/Us%20er" } } } } } }
                """,
            components: """
                "schemas": { "User": { "const": 1E400, "x-y": [] }, "Us er": { "$ref": "#/components/schemas/User" }, "None": false }
                """)
        try Rewriting.expect(document, by: "{}", becomes: document)
    }
}
