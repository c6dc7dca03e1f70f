import TestSupport
import Testing

@testable import ConvertServer

/// Records with errors that routes discard, and where they are reported.
struct GatewayRecordTests {
    @Test func `skipped records are counted in a trailer for clients that accept trailers`() throws {
        let profile = #"{ "rename": { "a": "b" }, "records": { "onError": "skip" } }"#
        let stage = try GatewayStage(
            routes: GatewayStage.converting, profiles: ["mobile": profile])
        try stage.backend.script(
            .response(200, "{\"a\":1}\n{\"a\":1,\"b\":1}\n{\"a\":2}\n{\"b\":1,\"a\":1}\n", type: "application/x-ndjson")
        )
        let client = try stage.client()
        try client.send(HTTPText.message("GET /", ["TE: trailers"]))
        let response = try client.finalResponse()
        #expect(try response.whole.text == "{\"b\":1}\n{\"b\":2}\n")
        #expect(response.trailers.contains("Convert-Skipped-Records: 2"))
        #expect(response.trailers.contains("Convert-Skipped-Codes: collision;n=2"))
        try client.send(HTTPText.message("GET /"))
        #expect(try client.finalResponse().trailers.isEmpty)
        #expect(waits { stage.accessLog.count { $0.contains(#""skippedRecords":2"#) } == 2 })
        #expect(try stage.askAdmin("/metrics").text.contains("\nconvert_skipped_records_total 4\n"))
    }

    @Test func `without trailers, the head of a buffered response counts skipped records`() throws {
        let profile = #"{ "values": { "at": "/*", "as": "integer" }, "records": { "at": "/*", "onError": "skip" } }"#
        let stage = try GatewayStage(routes: GatewayStage.converting, profiles: ["mobile": profile])
        for (before, after, count) in [("[1,1.5,[],2]", "[1,2]", "2"), ("[1]", "[1]", "0")] {
            try stage.backend.script(.response(200, before))
            let response = try stage.ask("GET /")
            #expect(response.text == after && response["Convert-Skipped-Records"] == count)
        }
        // A profile that skips no records adds no field.
        let strict = try GatewayStage(routes: GatewayStage.converting)
        #expect(try strict.ask("GET /")["Convert-Skipped-Records"] == nil)
    }

    @Test func `skipped records of requests are in the log and the metrics`() throws {
        let profile = #"{ "values": { "at": "/a", "as": "integer" }, "records": { "onError": "skip" } }"#
        let stage = try GatewayStage(
            routes: #"{ "match": "/", "upstream": "shop", "request": { "profile": "mobile" } }"#,
            profiles: ["mobile": profile])
        let request = try stage.forwarded(
            "POST /", "Content-Type: application/x-ndjson", body: "{\"a\":1}\n{\"a\":true}\n{\"a\":[]}\n")
        #expect(request.text == "{\"a\":1}\n")
        #expect(waits { stage.accessLog.contains { $0.contains(#""skippedRecords":2"#) } })
        #expect(try stage.askAdmin("/metrics").text.contains("\nconvert_skipped_records_total 2\n"))
    }
}
