import Glibc
import TestSupport
import Testing

@testable import ConvertServer

/// Routes that serve the description of their API, rewritten by their profiles.
struct GatewayDescriptionTests {
    private static let profile = #"{ "keys": { "case": "camelCase", "from": "snake_case" }, "drop": "pass_word" }"#
    private static let document = """
        { "openapi": "3.1.0", "info": { "title": "Shop", "version": "1" }, "paths": { "/users": {
          "get": { "parameters": [{ "name": "page_size", "in": "query", "schema": { "type": "integer" } }],
            "responses": { "200": { "description": "", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/User" } } } } } },
          "post": { "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/User" } } } },
            "responses": { "204": { "description": "" } } } } },
          "components": { "schemas": { "User": { "type": "object", "required": ["user_id"],
            "properties": { "user_id": { "type": "integer" }, "pass_word": { "type": "string" } } } } } }
        """
    private static let described =
        ##"{"openapi":"3.1.0","info":{"title":"Shop","version":"1"},"paths":{"/users":{"get":{"parameters":[{"name":"pageSize","in":"query","schema":{"type":"integer"}}],"responses":{"200":{"description":"","content":{"application/json":{"schema":{"$ref":"#/components/schemas/User"}}}}}},"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/User_2"}}}},"responses":{"204":{"description":""}}}}},"components":{"schemas":{"User":{"type":"object","required":["userId"],"properties":{"userId":{"type":"integer"}}},"User_2":{"type":"object","required":["userId"],"properties":{"userId":{"type":"integer"},"passWord":{"type":"string"}}}}}}"##

    private static func routes(_ file: String, match: String = "/api") -> String {
        """
        { "match": "\(match)", "upstream": "shop", "openapi": { "path": "/api/openapi.json", "file": "\(file)" },
          "request": { "profile": "p", "direction": "inverse", "query": true }, "response": { "profile": "p" } }
        """
    }

    @Test func `clients get the description with their own names, and the backend is not asked`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("backend.json", Self.document)
        let stage = try GatewayStage(routes: Self.routes(file), profiles: ["p": Self.profile])
        let response = try stage.ask("GET /api/openapi.json")
        #expect(response.status == 200 && response["Content-Type"] == "application/json")
        #expect(response.text == Self.described)
        let tag = try #require(response["ETag"])
        #expect(try stage.ask("HEAD /api/openapi.json?x=1")["ETag"] == tag)
        let known = try stage.ask("GET /api/openapi.json", "If-None-Match: \(tag)")
        #expect(known.status == 304 && known.text.isEmpty)
        // If-Match needs a strong tag, and precedes If-None-Match (RFC 9110 §13.1.1, §13.2.2).
        for (fields, status) in [
            (["If-None-Match: *"], 304), (["If-None-Match: \"x\", \(tag)"], 304), (["If-None-Match: \"x\""], 200),
            (["If-Match: *"], 200), (["If-Match: \(tag)"], 412), (["If-Match: \"x\"", "If-None-Match: \(tag)"], 412),
            (["If-Match: *", "If-None-Match: \(tag)"], 304),
        ] {
            for method in ["GET", "HEAD"] {
                let message = HTTPText.message("\(method) /api/openapi.json", fields, isLast: true)
                #expect(try stage.exchange(message).message.status == status, "\(fields)")
            }
        }
        #expect(try stage.backend.requests.isEmpty)
        // Other methods and paths go to the backend.
        #expect(try stage.forwarded("PUT /api/openapi.json").target == "/api/openapi.json")
        #expect(try stage.forwarded("GET /api/openapi.json/x").target == "/api/openapi.json/x")
    }

    @Test func `a description that cannot be read or rewritten is an error of the configuration`() throws {
        let directory = try TemporaryDirectory()
        let profiles = try TemporaryDirectory()
        _ = try profiles.write("p.json", Self.profile)
        let swagger = try directory.write("swagger.json", #"{ "swagger": "2.0" }"#)
        let good = try directory.write("good.json", Self.document)
        let pipe = directory.file("pipe.json")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let rows = [
            (Self.routes(pipe), "this is not a regular file"),
            (Self.routes(swagger), "expected OpenAPI 3.0 or 3.1, not Swagger 2.0"),
            (Self.routes("\(directory.path)/absent.json"), "cannot be read"),
            (Self.routes(good, match: "/other"), "is not below `match`"),
        ]
        for (routes, expected) in rows {
            let text = GatewayStage.configuration(
                routes: routes, profiles: profiles.path, servers: ["http://127.0.0.1:1"])
            let file = try directory.write("convert.json", text)
            let outcome = try BuiltProgram.run("check", "--config", file)
            #expect(outcome.status == 78 && outcome.text.contains(expected), "\(outcome.text)")
        }
    }
}
