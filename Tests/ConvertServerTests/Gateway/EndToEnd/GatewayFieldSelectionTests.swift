import TestSupport
import Testing

@testable import ConvertServer
@testable import Gateway

/// Routes whose clients select fields of responses.
struct GatewayFieldSelectionTests {
    private static let profile =
        #"{ "keys": { "case": "camelCase", "from": "snake_case" }, "drop": ["pass_word"] }"#
    private static let body =
        #"{"user_id":1,"pass_word":"x","last_post":{"post_id":2,"text":"hi"},"tags":[{"tag_id":3,"a":1}]}"#

    private static func stage(
        _ response: String = #""fields": true"#, _ profile: String = profile
    ) throws -> GatewayStage {
        let stage = try GatewayStage(
            routes: #"{ "match": "/", "upstream": "shop", "response": { "profile": "p", \#(response) } }"#,
            profiles: ["p": profile])
        try stage.backend.script(.response(200, body, "ETag: \"v1\""))
        return stage
    }

    @Test func `clients get the fields that they select, by the keys of the output`() throws {
        let stage = try Self.stage()
        let rows = [
            (
                "/x?fields=userId,lastPost(postId),tags/tagId",
                #"{"userId":1,"lastPost":{"postId":2},"tags":[{"tagId":3}]}"#
            ),
            ("/x?fields=userId,passWord,pass_word", #"{"userId":1}"#), ("/x?fields=nothing", "{}"),
            ("/x?fields=lastPost%2FpostId", #"{"lastPost":{"postId":2}}"#),
            (
                "/x?fields=",
                #"{"userId":1,"lastPost":{"postId":2,"text":"hi"},"tags":[{"tagId":3,"a":1}]}"#
            ),
        ]
        for (target, expected) in rows { #expect(try stage.ask("GET \(target)").text == expected, "\(target)") }
    }

    @Test func `the backend does not see the selection`() throws {
        let stage = try Self.stage(#""fields": { "parameter": "$select" }"#)
        let rows = [
            ("/x?$select=userId", "/x"), ("/x?a=1&$select=userId&fields=b", "/x?a=1&fields=b"),
            ("/x?%24select=userId&b", "/x?b"), ("/x?", "/x?"),
        ]
        for (sent, seen) in rows { #expect(try stage.forwarded("GET \(sent)").target == seen, "\(sent)") }
    }

    @Test func `a selection that cannot be read is 400, and the backend gets nothing`() throws {
        let stage = try Self.stage()
        for query in ["fields=a(b", "fields=a,,b", "fields=%zz", "fields=" + String(repeating: "a,", count: 300) + "a"]
        {
            let response = try stage.ask("GET /x?\(query)")
            #expect(response.status == 400 && response.text.contains(#""parameter":"fields""#), "\(response.text)")
        }
        #expect(try stage.backend.requests.isEmpty)
    }

    @Test func `entity tags differ by the selection, and conditions know their own`() throws {
        let stage = try Self.stage()
        let whole = try #require(try stage.ask("GET /x")["ETag"])
        let part = try #require(try stage.ask("GET /x?fields=userId")["ETag"])
        let other = try #require(try stage.ask("GET /x?fields=tags")["ETag"])
        #expect(Set([whole, part, other]).count == 3)
        #expect(try stage.ask("HEAD /x?fields=userId")["ETag"] == part)
        #expect(
            try stage.forwarded("GET /x?fields=userId", "If-None-Match: \(part), \(other)")["If-None-Match"] == "\"v1\""
        )
        #expect(try stage.forwarded("GET /x?fields=userId", "If-None-Match: \(whole)")["If-None-Match"] == nil)
        #expect(try stage.forwarded("GET /x", "If-None-Match: \(part)")["If-None-Match"] == nil)
        // A change under the condition that nobody else has changed the entity.
        #expect(try stage.forwarded("DELETE /x", "If-Match: \(part)")["If-Match"] == "\"v1\"")
    }

    @Test func `events and lines are selected one by one`() throws {
        let stage = try Self.stage(#""fields": true, "events": { "pass": "[DONE]" }"#)
        try stage.backend.script(
            "/events", .response(200, "data: {\"user_id\":1,\"a\":2}\n\ndata: [DONE]\n\n", type: "text/event-stream"))
        #expect(try stage.ask("GET /events?fields=userId").text == "data: {\"userId\":1}\n\ndata: [DONE]\n\n")
        // An event that is not JSON leaves nothing behind for the next one.
        let bad = ["[DONE]", #"{"user_id":1,"a""#, #"{"user_id":1]"#, #"[{"user_id":1},x"#]
        for syntax in ["paths", "jsonapi"] {
            let stage = try Self.stage(#""fields": { "syntax": "\#(syntax)" }, "events": true"#, "{}")
            for text in bad {
                let events = "data: \(text)\n\ndata: {\"userId\":2,\"b\":3}\n\n"
                try stage.backend.script("/events", .response(200, events, type: "text/event-stream"))
                let (query, left) =
                    syntax == "paths"
                    ? ("fields=userId", #"{"userId":2}"#) : ("fields[a]=b", #"{"userId":2,"b":3}"#)
                #expect(
                    try stage.ask("GET /events?\(query)").text == "data: \(text)\n\ndata: \(left)\n\n", "\(text)")
            }
        }
        try stage.backend.script(
            "/lines", .response(200, "{\"user_id\":1}\n{\"a\":2}\n", type: "application/x-ndjson"))
        #expect(try stage.ask("GET /lines?fields=userId").text == "{\"userId\":1}\n{}\n")
    }
}
