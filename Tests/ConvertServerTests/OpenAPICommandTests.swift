import Sockets
import TestSupport
import Testing
import YAMLText

@testable import ConvertServer

/// `openapi` on the command line.
struct OpenAPICommandTests {
    private static let profile = #"{ "keys": { "case": "camelCase", "from": "snake_case" } }"#
    private static let description = """
        {
            "openapi": "3.1.0",
            "paths": { "/": { "get": { "responses": { "200": { "content": { "application/json": {
              "schema": { "properties": { "a_b": { "default": 1.10 } } } } } },
              "404": { "content": { "application/json": { "schema": { "required": ["a_b"] } } } } } } } }
        }
        """

    @Test func `openapi writes the document with its own indentation, to stdout and to a file`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write("profile.json", Self.profile)
        let file = try directory.write("openapi.json", Self.description)
        let run = try BuiltProgram.run("openapi", "-p", profile, file)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.isEmpty)
        #expect(run.text.hasPrefix("{\n    \"openapi\": \"3.1.0\",\n"))
        #expect(run.text.contains("\"aB\": {\n"))
        #expect(run.text.contains("\"default\": 1.10\n"))
        #expect(run.text.contains("\"a_b\"\n"))
        let target = directory.path + "/out.json"
        let written = try BuiltProgram.run(
            "openapi", "-p", profile, "--status", "2xx,404", "--indent", "0", "-o", target, file)
        #expect(written.status == 0 && written.text.isEmpty)
        let text = String(decoding: try InputFile(path: target).readAll(maxBytes: .max), as: UTF8.self)
        #expect(text.hasPrefix(#"{"openapi":"3.1.0","paths":"#))
        #expect(text.contains(#""required":["aB"]"#))
    }

    @Test(.enabled(if: YAMLDocument.isReadable, "built without libyaml"))
    func `a description in YAML is rewritten as JSON`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write("profile.json", Self.profile)
        let file = try directory.write(
            "openapi.yaml",
            """
            openapi: 3.1.0
            paths:
              /:
                get:
                  responses:
                    200:
                      content:
                        application/json:
                          schema: &schema {properties: {a_b: {default: 1.10}}}  # a comment
                    404: {content: {application/json: {schema: *schema}}}

            """)
        let run = try BuiltProgram.run("openapi", "-p", profile, file)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.text.hasPrefix("{\n  \"openapi\": \"3.1.0\",\n"))
        #expect(run.text.contains("\"200\": {\n") && run.text.contains("\"default\": 1.10\n"))
        #expect(run.text.contains("\"aB\": {\n") && run.text.contains("\"a_b\": {\n"))

        let bad = try directory.write("bad.yaml", "openapi: 3.1.0\npaths: {\n")
        let failed = try BuiltProgram.run("openapi", "-p", profile, bad)
        #expect(failed.status == 65 && failed.text.isEmpty)
        #expect(failed.errors.contains("bad.yaml: openapi: line 3, column 1: "), "\(failed.errors)")
    }

    @Test func `the other direction describes what the inverse makes`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write("profile.json", Self.profile)
        let file = try directory.write("schema.json", #"{"properties":{"aB":{}}}"#)
        let run = try BuiltProgram.run("openapi", "-p", profile, "--direction", "request", file)
        #expect(run.text == #"{"properties":{"a_b":{}}}"# + "\n")
    }

    @Test func `a route decides on profiles, statuses, and names in queries`() throws {
        let directory = try TemporaryDirectory()
        let profiles = try TemporaryDirectory()
        _ = try profiles.write("snake.json", Self.profile)
        let configuration = try directory.write(
            "convert.json",
            """
            { "profiles": "\(profiles.path)", "upstreams": { "shop": { "servers": ["http://127.0.0.1:9"] } },
              "routes": [{ "name": "shop", "match": "/", "upstream": "shop", "response": { "profile": "snake", "status": ["404"] },
                "request": { "profile": "snake", "direction": "inverse",
                  "query": { "names": ["filter[*]", "sortBy"],
                    "values": { "sort": "names", "sortBy": "name" } } } }] }
            """)
        func document(_ key: String, _ filter: String, _ sort: String, _ sortBy: String) -> String {
            let parameters =
                #"[{"name":"filter[\#(filter)]","in":"query"},{"name":"sort","in":"query","schema":{"enum":["-\#(sort)"]}},"#
                + #"{"name":"\#(sortBy)","in":"query","schema":{"anyOf":[{"const":"\#(sort)"},{"type":"null"}]}},"#
                + #"{"name":"page_size","in":"query"},{"name":"filter[a_b]","in":"header"}]"#
            func body(_ key: String) -> String {
                #"{"content":{"application/json":{"schema":{"required":["\#(key)"]}}}}"#
            }
            return #"{"openapi":"3.1.0","paths":{"/":{"parameters":\#(parameters),"put":{"requestBody":\#(body(key)),"#
                + #""responses":{"200":\#(body("a_b")),"404":\#(body(key))}}}}}"# + "\n"
        }
        let file = try directory.write("openapi.json", document("a_b", "created_at", "user_name", "sort_by"))
        let run = try BuiltProgram.run("openapi", "--config", configuration, "--route", "shop", file)
        #expect(run.text == document("aB", "createdAt", "userName", "sortBy"), "\(run.errors)")
        let other = try BuiltProgram.run("openapi", "--config", configuration, "--route", "shops", file)
        #expect(other.status == 78 && other.errors.contains("no route is named `shops`; the names are `shop`"))
    }

    @Test func `messages say what is wrong, where, and what to do`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write("profile.json", Self.profile)
        let dates = try directory.write("dates.json", #"{ "keys": "camelCase", "dates": { "at": "at" } }"#)
        let yaml = try directory.write("openapi.yaml", "openapi: 3.1.0\n---\n")
        let schema = try directory.write("schema.json", #"{"properties":{"at":{"type":"object"}}}"#)
        let rows: [(arguments: [String], status: Int32, message: String)] = [
            (["openapi", "a.json"], 64, "openapi needs --profile FILE, or --config FILE and --route NAME"),
            (["openapi", "--route", "/", "a.json"], 64, "--route needs --config FILE"),
            (["openapi", "-p", profile, "--route", "/", "a.json"], 64, "use either --profile or --route, not both"),
            (["openapi", "-p", profile, "a.json", "b.json"], 64, "openapi takes one FILE, not 2"),
            (["openapi", "-p", "-"], 64, "the profile and the description cannot both be stdin"),
            (["openapi", "-p", profile, "--status", "6xx", schema], 64, "--status: expected statuses such as 2xx,404"),
            (["openapi", "-p", profile, "--direction", "forward", schema], 64, "valid values: response, request"),
            (
                ["openapi", "-p", profile, yaml], 65,
                YAMLDocument.isReadable
                    ? "line 2, column 1: a second document begins" : "yq -o json openapi.yaml | convert-server"
            ),
            (
                ["openapi", "-p", dates, schema], 65,
                "schema.json: openapi: the rule accepts none of the values of this schema; limit the rule to other paths (/properties/at) (rule /dates)"
            ),
            (["openapi", "-p", profile, directory.path + "/none.json"], 66, "cannot read"),
        ]
        for row in rows {
            let run = try ChildProcess(program: BuiltProgram.path, arguments: row.arguments).run()
            #expect(run.status == row.status, "\(row.arguments): \(run.errors)")
            #expect(run.errors.contains(row.message), "\(run.errors)")
            #expect(run.text.isEmpty)
        }
    }

    @Test(.enabled(if: PythonReference.installed != nil, "needs python3 with jsonschema, referencing and PyYAML"))
    func `random payloads that fit a schema fit the rewritten one after the conversion`() throws {
        let python = try #require(PythonReference.installed)
        let script = "\(BuiltProgram.project)/Tests/reference/openapi_payloads.py"
        let run = try ChildProcess(
            program: python, arguments: ["-B", script, BuiltProgram.path, "--schemas", "54", "--count", "10"]
        ).run()
        #expect(run.status == 0, "\(run.text)\(run.errors)")
    }

    @Test func `a profile without an inverse rewrites, with a warning`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write("profile.json", #"{ "keys": "camelCase" }"#)
        let file = try directory.write("schema.json", #"{"properties":{"a_b":{}}}"#)
        let run = try BuiltProgram.run("openapi", "-p", profile, file)
        #expect(run.text == #"{"properties":{"aB":{}}}"# + "\n")
        #expect(run.errors.contains("warning: no gateway can convert requests with this profile"))
    }
}
