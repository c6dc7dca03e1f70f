import ConvertEngine
import ConvertProfiles
import HTTPServerTestSupport
import HTTPWire
import TestSupport
import Testing

@testable import Conversions
@testable import HTTPSemantics
@testable import HTTPServer
@testable import Service
@testable import Sockets
@testable import Text

struct RouterTests {
    /// The complete response of a server with these profiles.
    private static func ask(
        _ request: String, profiles: ProfileSet = .empty, isPublic: Bool = false
    ) throws -> String {
        var configuration = ServerConfiguration()
        configuration.openAPIDocument = Array("openapi: 3.1.1\n".utf8)
        configuration.profileSchema = Array("{}".utf8)
        configuration.maxProfileBytes = 100
        let context = HTTPContext(configuration)
        context.router.profiles.set = profiles
        let session = Session(context, isPublic: isPublic)
        let pair = try SocketPair()
        session.receive(Array(request.utf8).span, at: MonotonicTime(nanoseconds: 0))
        _ = session.send(on: pair.server)
        return String(decoding: pair.received(), as: UTF8.self)
    }

    private static func mobile() throws -> ProfileSet {
        let document = Array("{\"description\": \"d\", \"rename\": {\"firstName\": \"fn\"}}".utf8)
        let profile = try Profile(parsing: document)
        let recipe = try Recipe(profile, .forward, limits: Limits(), profileName: "mobile")
        let loaded = ProfileSet.Loaded(
            document: document, summary: profile.summary, forward: recipe,
            inverse: .failure(ProfileError(faults: [])))
        return ProfileSet(entries: [
            ProfileSet.Entry(name: "broken", loaded: nil, error: "broken.json: why"),
            ProfileSet.Entry(name: "mobile", loaded: loaded, error: nil),
            ProfileSet.Entry(name: "old", loaded: loaded, error: "old.json: why"),
        ])
    }

    @Test func `requests that cannot be served get the right status and fields`() throws {
        let post = HTTPText.post
        let rows: [(request: String, status: Int, field: String?, value: String?)] = [
            ("GET /v1/minify HTTP/1.1\r\nHost: x\r\n\r\n", 405, "Allow", "POST, OPTIONS"),
            ("PUT /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 405, "Allow", "GET, HEAD, OPTIONS"),
            ("TRACE / HTTP/1.1\r\nHost: x\r\n\r\n", 404, nil, nil),
            (
                "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n", 405, "Allow",
                "GET, HEAD, POST, OPTIONS"
            ),
            ("BREW /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 501, nil, nil),
            ("get /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 501, nil, nil),
            ("GET /healthz?a#b HTTP/1.1\r\nHost: x\r\n\r\n", 404, nil, nil),
            ("GET /healthz%00 HTTP/1.1\r\nHost: x\r\n\r\n", 404, nil, nil),
            ("GET /v1/profiles HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n", 406, nil, nil),
            ("GET /healthz HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n", 200, nil, nil),
            ("GET /openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n", 200, "Content-Type", "application/yaml"),
            ("GET /v1/profile.schema.json HTTP/1.1\r\nHost: x\r\n\r\n", 200, "Content-Type", "application/schema+json"),
            (
                "GET /v1/profile.schema.json HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n\r\n", 200,
                "Content-Type",
                "application/json"
            ),
            ("HEAD /v1/profile.schema.json HTTP/1.1\r\nHost: x\r\n\r\n", 200, "Content-Length", "2"),
            ("GET /openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n", 200, "Vary", "Accept, Accept-Encoding"),
            ("GET /v1/profile.schema.json HTTP/1.1\r\nHost: x\r\n\r\n", 200, "Vary", "Accept, Accept-Encoding"),
            ("GET /v1/profiles HTTP/1.1\r\nHost: x\r\n\r\n", 200, "Vary", "Accept-Encoding"),
            // RFC 9110 §13.1.2: the resource exists.
            (
                "GET /openapi.yaml HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\n\r\n", 304, "Vary",
                "Accept, Accept-Encoding"
            ),
            ("HEAD /v1/profiles HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\n\r\n", 304, "Vary", "Accept-Encoding"),
            ("GET /v1/profiles/x HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\n\r\n", 404, nil, nil),
            ("GET /openapi.yaml HTTP/1.1\r\nHost: x\r\nIf-None-Match: \"*\"\r\n\r\n", 200, nil, nil),
            // RFC 9110 §13.1.1: no resource has a tag, and a request that fails anyway fails as it would without the condition.
            ("GET /openapi.yaml HTTP/1.1\r\nHost: x\r\nIf-Match: \"x\"\r\n\r\n", 412, nil, nil),
            // Conditions do not apply to the state of the server.
            ("GET /healthz HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\n\r\n", 200, nil, nil),
            ("GET /healthz HTTP/1.1\r\nHost: x\r\nIf-Match: \"x\"\r\n\r\n", 200, nil, nil),
            ("GET /metrics HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\n\r\n", 200, nil, nil),
            ("GET /openapi.yaml HTTP/1.1\r\nHost: x\r\nIf-Match: *\r\n\r\n", 200, nil, nil),
            (post("/v1/minify", "[]", "application/json", ["If-Match: \"x\""], false), 412, nil, nil),
            ("GET /v1/profiles/x HTTP/1.1\r\nHost: x\r\nIf-Match: \"x\"\r\n\r\n", 404, nil, nil),
            // Only lines have several media types among which Accept can choose.
            (
                post("/v1/minify", "[]", "application/x-ndjson", ["Accept: application/jsonl"], false), 200, "Vary",
                "Accept, Accept-Encoding"
            ),
            (post("/v1/minify", "[]", "application/json", ["Accept: */*"], false), 200, "Vary", "Accept-Encoding"),
            ("OPTIONS /v1/profile.schema.json HTTP/1.1\r\nHost: x\r\n\r\n", 204, "Allow", "GET, HEAD, OPTIONS"),
            ("OPTIONS /v1/minify HTTP/1.1\r\nHost: x\r\n\r\n", 204, "Accept-Post", PayloadType.accepted),
            ("OPTIONS http://x HTTP/1.1\r\nHost: x\r\n\r\n", 204, "Allow", "GET, HEAD, POST, OPTIONS"),
            ("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 204, "Allow", "GET, HEAD, POST, OPTIONS"),
            // A form whose payload has an unsupported type is refused; the response lists the types that this route accepts.
            (
                post(
                    "/v1/convert",
                    "--b\r\nContent-Disposition: form-data; name=\"payload\"\r\nContent-Type: image/png\r\n\r\n1\r\n--b--\r\n",
                    "multipart/form-data; boundary=b", [], false), 415, "Accept-Post",
                "multipart/form-data, application/json"
            ),
            // The Kelvin sign, which only looks like the letter K.
            (
                post("/v1/normalize?keys=SCREAMING_SNA%E2%84%AAE_CASE", "{}", "application/json", [], false), 400, nil,
                nil
            ),
            (post("/v1/minify", "[]", "text/plain", [], false), 415, "Accept-Post", PayloadType.accepted),
            (
                post("/v1/minify", "a=b", "application/x-www-form-urlencoded", [], false), 200, "Content-Type",
                "application/json"
            ),
            (post("/v1/minify", " [ ]", "application/x-www-form-urlencoded", [], false), 200, nil, nil),
            (post("/v1/minify", "[]", nil, ["Content-Encoding: br"], false), 415, "Accept-Encoding", "gzip, deflate"),
            (post("/v1/minify", "[]", nil, ["Content-Encoding: identity"], false), 200, nil, nil),
            (post("/v1/minify", "[]", nil, ["Accept: application/x-ndjson"], false), 406, nil, nil),
            (post("/v1/minify", "1\n2", "application/jsonl", ["Accept: application/json"], false), 406, nil, nil),
            (post("/v1/minify", "1\n2", "application/jsonl", [], false), 200, "Content-Type", "application/x-ndjson"),
            (post("/v1/minify", "1\n2", "a/b+x-ndjson", [], false), 200, "Content-Type", "application/x-ndjson"),
            (
                post("/v1/minify", "1\n2", "application/ndjson", ["Accept: application/ndjson"], false), 200,
                "Content-Type", "application/ndjson"
            ),
            (post("/v1/minify", "[]", nil, ["Content-Type: a/b", "Content-Type: c/d"], false), 400, nil, nil),
            (
                post("/v1/convert", "1\n", "application/x-ndjson", [], false), 415, "Accept-Post",
                Route.convert.acceptPost
            ),
            (post("/v1/convert", "", "multipart/form-data", [], false), 400, nil, nil),
            (post("/v1/profiles/check", String(repeating: " ", count: 101), nil, [], false), 413, nil, nil),
            (post("/v1/convert/nobody", "{}", nil, [], false), 404, nil, nil),
        ]
        for row in rows {
            let response = try Self.ask(row.request)
            #expect(HTTPText.status(response) == row.status, "\(row.request)")
            guard let name = row.field else { continue }
            let value = HTTPText.field(name, response)
            #expect(value != nil && (row.value == nil || value == row.value), "\(row.request)")
        }
    }

    @Test func `the error for a wrong type lists the accepted types`() throws {
        let part =
            "--b\r\nContent-Disposition: form-data; name=\"payload\"\r\nContent-Type: image/png\r\n\r\n1\r\n--b--\r\n"
        let rows: [(request: String, types: String)] = [
            (HTTPText.post("/v1/minify", "[]", type: "text/plain"), PayloadType.accepted),
            (HTTPText.post("/v1/minify", "[]", type: "application/json; charset=latin1"), PayloadType.accepted),
            (HTTPText.post("/v1/convert", "1", type: "text/plain"), "multipart/form-data, application/json"),
            (HTTPText.post("/v1/convert", part, type: "multipart/form-data; boundary=b"), PayloadType.accepted),
        ]
        for row in rows {
            let response = try Self.ask(row.request)
            #expect(HTTPText.status(response) == 415)
            #expect(response.contains("; accepted types: \(row.types)\",\"code\""), "\(response)")
        }
    }

    @Test func `queries are checked to the last parameter`() throws {
        let rows: [(target: String, parameter: String)] = [
            ("/v1/minify?indent=17", "indent"), ("/v1/minify?indent=-1", "indent"), ("/v1/minify?indent=", "indent"),
            ("/v1/minify?indent=%2B1", "indent"), ("/v1/minify?escapes=ASCII", "escapes"),
            ("/v1/minify?indent=1&indent=1", "indent"), ("/v1/minify?keys=camelCase", "keys"),
            ("/v1/normalize", "keys"), ("/v1/normalize?keys=camel", "keys"), ("/v1/normalize?dates=iso8601", "dates"),
            ("/v1/normalize?dates=a%22b", "dates"), ("/v1/normalize?keys=camelCase&indent=1", "indent"),
            ("/v1/convert?x=1", "x"), ("/v1/profiles/check?x=1", "x"),
        ]
        for row in rows {
            let response = try Self.ask(HTTPText.post(row.target, "{}"))
            #expect(HTTPText.status(response) == 400, "\(row.target)")
            #expect(response.contains("\"parameter\":\"\(row.parameter)\""), "\(row.target)")
        }
        let response = try Self.ask(HTTPText.post("/v1/convert/mobile?direction=back", "{}"), profiles: Self.mobile())
        #expect(response.contains("\"parameter\":\"direction\""))
        let envelope = try Self.ask(HTTPText.post("/v1/convert?direction=inverse", "{}"))
        #expect(envelope.contains("\"hint\":\"write a key of the document instead: profile, direction or payload\""))
        #expect(HTTPText.status(try Self.ask(HTTPText.post("/v1/minify?indent=%zz", "{}"))) == 400)
    }

    @Test func `payloads are converted by query, by name, by envelope and by form`() throws {
        let form = { (parts: [String]) in
            let body = parts.map { "--b\r\nContent-Disposition: form-data; \($0)\r\n" }.joined() + "--b--\r\n"
            return HTTPText.post("/v1/convert", body, type: "multipart/form-data; boundary=b")
        }
        let profile = "name=\"profile\"; filename=\"p\"\r\n\r\n{\"rename\":{\"firstName\":\"fn\"}}"
        let named = "name=\"profile\"\r\n\r\nmobile"
        let payload =
            "name=\"payload\"; filename=\"x\"\r\nContent-Type: application/octet-stream\r\n\r\n{\"firstName\": 1.0}"
        let lines = "name=\"payload\"; filename=\"x.ndjson\"\r\nContent-Type: text/plain\r\n\r\n{\"firstName\": 1}\n2"
        let rows: [(request: String, body: String)] = [
            (HTTPText.post("/v1/minify?indent=1", "[1]"), "[\n 1\n]"),
            (HTTPText.post("/v1/minify?escapes=ascii", "\"é\""), "\"\\u00e9\""),
            (HTTPText.post("/v1/normalize?keys=kebab-case", "{\"aB\":1}"), "{\"a-b\":1}"),
            (HTTPText.post("/v1/convert/mobile", "{\"firstName\":1}"), "{\"fn\":1}"),
            (HTTPText.post("/v1/convert", "{\"profile\":\"mobile\",\"payload\":{\"firstName\":1}}"), "{\"fn\":1}"),
            (HTTPText.post("/v1/convert", "{\"payload\":[1.10],\"direction\":\"forward\",\"profile\":{}}"), "[1.10]"),
            (form([profile, payload]), "{\"fn\":1.0}"), (form([payload, profile]), "{\"fn\":1.0}"),
            (form([named, payload]), "{\"fn\":1.0}"), (form([profile, lines]), "{\"fn\":1}\n2\n"),
            (form([lines, "name=\"direction\"\r\n\r\nforward", named]), "{\"fn\":1}\n2\n"),
        ]
        for row in rows {
            let response = try Self.ask(row.request, profiles: Self.mobile())
            #expect(HTTPText.status(response) == 200, "\(response)")
            #expect(HTTPText.body(response) == row.body, "\(row.request)")
        }
        let unended = HTTPText.post(
            "/v1/convert",
            "--b\r\nContent-Disposition: form-data; \(profile)\r\n--b\r\nContent-Disposition: form-data; \(payload)",
            type: "multipart/form-data; boundary=b")
        let malformed = [
            form([profile]), form([payload]), form([profile, profile]), form([profile, payload, payload]),
            form(["name=\"other\"\r\n\r\n"]), form(["name=\"direction\"\r\n\r\nback", profile, payload]),
            form([profile, payload, "name=\"direction\"\r\n\r\nforward"]),
            unended,
            HTTPText.post("/v1/convert", "{\"payload\":1}"), HTTPText.post("/v1/convert", "{\"profile\":{}}"),
            HTTPText.post("/v1/convert", "{\"profile\":{},\"payload\":1,\"direction\":\"x\"}"),
            HTTPText.post("/v1/convert", "{\"profile\":{},\"payload\":[1}}"),
        ]
        let quoted = try Self.ask(form(["name=\"profile\"\r\n\r\n\"mobile\"", payload]), profiles: Self.mobile())
        #expect(HTTPText.status(quoted) == 422, "\(quoted)")
        for request in malformed {
            let response = try Self.ask(request)
            #expect(HTTPText.status(response) == 400, "\(request)\n\(response)")
        }
    }

    @Test func `invalid profiles in a request are refused with all their errors`() throws {
        let envelope = "{\"payload\":1,\"profile\":{\"renme\":1,\"kyes\":2}}"
        let response = try Self.ask(HTTPText.post("/v1/convert", envelope))
        #expect(HTTPText.status(response) == 422)
        #expect(response.contains("\"pointer\":\"/renme\"") && response.contains("\"pointer\":\"/kyes\""))
        let long = "{\"payload\":1,\"profile\":{" + String(repeating: " ", count: 100) + "}}"
        #expect(HTTPText.status(try Self.ask(HTTPText.post("/v1/convert", long))) == 413)
        #expect(HTTPText.status(try Self.ask(HTTPText.post("/v1/convert", "{\"payload\":1,\"profile\":\"x\"}"))) == 404)
    }

    @Test func `profiles are listed with their state and returned as loaded`() throws {
        let get = { (path: String) in "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n" }
        #expect(
            HTTPText.body(try Self.ask(get("/v1/profiles"), profiles: Self.mobile())) == """
                {"profiles":[{"name":"broken","state":"faulty","detail":"broken.json: why"},\
                {"name":"mobile","description":"d","state":"ready"},\
                {"name":"old","description":"d","state":"outdated","detail":"old.json: why"}]}
                """)
        #expect(
            HTTPText.body(try Self.ask(get("/v1/profiles/mobile"), profiles: Self.mobile()))
                == "{\"description\": \"d\", \"rename\": {\"firstName\": \"fn\"}}")
        #expect(HTTPText.status(try Self.ask(get("/v1/profiles/broken"), profiles: Self.mobile())) == 503)
        for isPublic in [false, true] {
            let response = try Self.ask(get("/v1/profile"), isPublic: isPublic)
            #expect(response.contains("GET /openapi.yaml describes the paths"), "\(response)")
        }
    }

    @Test func `a profile is checked as by the command line, with its examples`() throws {
        let sound = try Self.ask(HTTPText.post("/v1/profiles/check", "{\"require\":\"/a\"}"))
        #expect(
            HTTPText.body(sound) == """
                {"valid":true,"faults":[],"warnings":[],"examples":0,"failedExamples":[],"invertible":true,"losses":[],"conditions":[]}
                """)
        let unsound = try Self.ask(
            HTTPText.post(
                "/v1/profiles/check", "{\"rename\":{\"a\":\"b\"},\"examples\":[{\"in\":{\"a\":1},\"out\":{\"a\":1}}]}"))
        #expect(HTTPText.status(unsound) == 200)
        #expect(HTTPText.body(unsound)?.hasPrefix("{\"valid\":false,\"faults\":[],") == true)
        #expect(
            unsound.contains("\"examples\":1,\"failedExamples\":[{\"pointer\":\"/examples/0\",\"line\":1,\"column\":"))
    }

    @Test func `readiness distinguishes draining, missing and outdated profiles`() throws {
        var readiness = Readiness()
        let ready = readiness.response(.empty, requestID: "r", isPublic: false)
        #expect(ready.status == 200 && ready.body == Array("{\"status\":\"ok\"}".utf8))
        let outdated = readiness.response(try Self.mobile(), requestID: "r", isPublic: false)
        #expect(outdated.status == 200)
        #expect(String(decoding: outdated.body, as: UTF8.self).contains("broken.json: why; old.json: why"))
        // After a failed reload the last valid set stays in use, even if it is empty.
        let failed = ProfileSet.empty.outdated(by: try Self.mobile(), errors: ["convert.json:1:3: config: why"])
        let told = readiness.response(failed, requestID: "r", isPublic: false)
        #expect(told.status == 200)
        #expect(String(decoding: told.body, as: UTF8.self).contains("\"not reloaded: convert.json:1:3: config: why\""))
        let many = ProfileSet(
            entries: [], reloadErrors: (0..<1000).map { "\($0): " + String(repeating: "w", count: 300) })
        let short = readiness.response(many, requestID: "r", isPublic: false).body
        #expect(short.count < 1024 && String(decoding: short, as: UTF8.self).hasSuffix("; and 998 more\"}"))
        var unready = [
            readiness.response(ProfileSet(entries: [], directoryError: "gone"), requestID: "r", isPublic: false)
        ]
        let broken = ProfileSet.Entry(name: "a", loaded: nil, error: "a.json: why")
        unready.append(readiness.response(ProfileSet(entries: [broken]), requestID: "r", isPublic: false))
        readiness.isDraining = true
        unready.append(readiness.response(.empty, requestID: "r", isPublic: false))
        for response in unready {
            #expect(response.status == 503)
            #expect(response.fields == [Problem.Field(name: "Retry-After", value: "1")])
        }
    }
}
