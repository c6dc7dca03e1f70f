import ConvertEngine
import TestSupport
import Testing

@testable import ConvertServer
@testable import HTTPSemantics

/// JSON Patches and JSON Merge Patches on routes with `request.patch`, as backends receive them.
struct GatewayPatchTests {
    private static let patchType = "Content-Type: application/json-patch+json"
    private static let mergeType = "Content-Type: application/merge-patch+json"
    private static let profile = """
        { "keys": { "case": "camelCase", "from": "snake_case" }, "defaults": { "/a": 1 }, "require": "/id", "prune": { "null": true },
          "dates": { "at": "created_at", "from": "epoch-s", "to": "rfc3339" } }
        """

    private static func stage(_ members: String = "", response: String = "") throws -> GatewayStage {
        try GatewayStage(
            routes:
                #"{ "name": "api", "match": "/", "upstream": "shop", "request": { "profile": "p", "direction": "inverse", "patch": true\#(members) }\#(response) }"#,
            profiles: ["p": profile, "hiding": #"{ "drop": "secret" }"#])
    }

    @Test func `a patch is converted to the backend's keys and values`() throws {
        let stage = try Self.stage()
        let patch =
            #"[{"value":{"createdAt":"1970-01-01T00:00:07Z"},"op":"add","path":"/lineItems/-"},{"op":"move","from":"/aB","path":"/cD"}]"#
        let expected =
            #"[{"value":{"created_at":7},"op":"add","path":"/line_items/-"},{"op":"move","from":"/a_b","path":"/c_d"}]"#
        let request = try stage.forwarded("PATCH /orders/7", Self.patchType, "Digest: x", body: patch)
        #expect(request.text == expected && request["Content-Length"] == "\(expected.utf8.count)")
        #expect(request["Content-Type"] == "application/json-patch+json" && request["Digest"] == nil)
        // The patch arrives in pieces, and compressed.
        let pieces = patch.utf8.map { "1\r\n\(Character(UnicodeScalar($0)))\r\n" }.joined() + "0\r\n\r\n"
        #expect(
            try stage.forwarded("PATCH /", Self.patchType, "Transfer-Encoding: chunked", body: pieces).text == expected)
        let coded = try PythonCoding.encode(Array(patch.utf8), .gzip)
        let client = try stage.client()
        try client.send(
            HTTPText.message(
                "PATCH /", [Self.patchType, "Content-Encoding: gzip", "Content-Length: \(coded.count)"]))
        try client.raw.send(coded)
        #expect(try client.finalResponse().whole.status == 200)
        #expect(try stage.backend.lastRequest().text == expected)
    }

    @Test func `a merge patch is converted without the rules for whole documents`() throws {
        let stage = try Self.stage()
        let request = try stage.forwarded(
            "PATCH /", Self.mergeType, body: #"{"homeAddress": null, "createdAt": null, "aB": {"cD": null, "eF": 1}}"#)
        #expect(request.text == #"{"home_address":null,"created_at":null,"a_b":{"c_d":null,"e_f":1}}"#)
    }

    @Test func `a patch with an error never reaches the upstream`() throws {
        let stage = try Self.stage()
        let rows = [
            (#"[{"op":"spam","path":"/a"}]"#, 422, #""code":"badValue""#),
            (#"[{"op":"add","path":"/createdAt","value":"soon"}]"#, 422, #""pointer":"/0/value""#),
            (#"[{"op":"add"}"#, 400, #""code":"json""#),
            (String(repeating: " ", count: Converter.maxPatchBytes) + "[]", 413, #""code":"limit""#),
        ]
        for (patch, status, text) in rows {
            let response = try stage.ask("PATCH /", Self.patchType, body: patch)
            #expect(response.status == status && response.text.contains(text), "\(response.text)")
        }
        #expect(try stage.backend.requests.isEmpty)
        let passing = try Self.stage(#", "onError": "pass""#)
        #expect(try passing.forwarded("PATCH /", Self.patchType, body: rows[0].0).text == rows[0].0)
        #expect(try stage.forwarded("PATCH /", Self.patchType, body: "").text == "")
    }

    @Test func `a patch cannot copy withheld data to a key that clients can read`() throws {
        let stage = try Self.stage(#", "required": true"#, response: #", "response": { "profile": "hiding" }"#)
        let patches = [
            #"[{"op":"copy","from":"/secret","path":"/aB"}]"#, #"[{"op":"move","from":"/secret","path":"/aB"}]"#,
            #"[{"op":"test","path":"/secret","value":"guess"}]"#, #"[{"path":"","from":"/x","op":"\u0063opy"}]"#,
        ]
        for patch in patches {
            #expect(try stage.ask("PATCH /", Self.patchType, body: patch).status == 422, "\(patch)")
            #expect(try stage.ask("PATCH /", Self.patchType, "Content-Encoding: br", body: patch).status == 415)
            #expect(try stage.ask("PATCH /", Self.patchType + "; charset=latin1", body: patch).status == 415)
        }
        #expect(try stage.backend.requests.isEmpty)
        let request = try stage.forwarded("PATCH /", Self.patchType, body: #"[{"op":"add","path":"/aB","value":1}]"#)
        #expect(request.text == #"[{"op":"add","path":"/a_b","value":1}]"#)
    }
}
