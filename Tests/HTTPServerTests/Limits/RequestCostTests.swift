import HTTPServerTestSupport
import HTTPWire
import TestSupport
import Testing

@testable import HTTPServer

/// The limits on the output of one payload, and on the processor time that it may take.
struct RequestCostTests {
    /// Each `{}` with its comma, 3 bytes, becomes 1,000 bytes and 8 more.
    private static let profile = "{\"defaults\":{\"/*/x\":\"\(String(repeating: "v", count: 1000))\"}}"

    private static func envelope(_ count: Int) -> String {
        let payload = Array(repeating: "{}", count: count).joined(separator: ",")
        return HTTPText.post("/v1/convert", "{\"profile\":\(profile),\"payload\":[\(payload)]}")
    }

    /// `{"x":"…"}` with a comma or bracket for each, and one more bracket.
    private static func responseBytes(_ count: Int) -> Int { count * (1000 + 9) + 1 }

    private static func configuration(maxResponseBytes: Int, commitBytes: Int = 1 << 20) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.maxResponseBytes = maxResponseBytes
        configuration.commitBytes = commitBytes
        return configuration
    }

    @Test func `the output of a payload is limited to the maximum response length`() throws {
        let bytes = Self.responseBytes(50)
        for (limit, status) in [(bytes, 200), (bytes - 1, 413), (0, 200)] {
            var conversation = try Conversation(Self.configuration(maxResponseBytes: limit))
            conversation.receive(Self.envelope(50))
            #expect(HTTPText.status(conversation.text) == status, "\(limit)")
            #expect(conversation.text.contains("\"code\":\"response-too-long\"") == (status == 413))
            #expect(conversation.text.contains("--max-response-bytes") == (status == 413))
            // The connection stays open.
            #expect(conversation.session.closing == nil)
        }
    }

    @Test func `a payload with too much output counts as aborted, even if it is complete`() throws {
        // `[1,2]` has 5 bytes.
        for (limit, result) in [(5, "ok"), (4, "aborted")] {
            var conversation = try Conversation(Self.configuration(maxResponseBytes: limit))
            conversation.receive(HTTPText.post("/v1/minify", "[1, 2]"))
            conversation.receive("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(conversation.text.contains("convert_conversions_total{result=\"\(result)\"} 1\n"), "\(limit)")
        }
    }

    @Test func `a response that has begun is cut at the maximum length`() throws {
        let limit = 2 << 20
        let count = 20_000
        #expect(Self.responseBytes(count) > 8 * limit)
        var conversation = try Conversation(Self.configuration(maxResponseBytes: limit, commitBytes: 1000))
        conversation.receive(Self.envelope(count))
        #expect(HTTPText.status(conversation.text) == 200)
        #expect(conversation.session.closing == .abort)
        #expect(!conversation.text.hasSuffix("0\r\n\r\n"))
        #expect(conversation.output.count <= limit + (1 << 16))
    }

    @Test func `lines and forms have the limits of documents`() throws {
        let form =
            "--b\r\nContent-Disposition: form-data; name=\"profile\"; filename=\"p.json\"\r\n\r\n\(Self.profile)\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"payload\"\r\n\r\n[{},{},{}]\r\n--b--\r\n"
        let lines = String(repeating: "{\"a\":1}\n", count: 300)
        let requests = [
            HTTPText.post("/v1/convert", form, type: "multipart/form-data; boundary=b"),
            HTTPText.post("/v1/minify", lines, type: "application/x-ndjson"),
            HTTPText.post("/v1/minify?indent=2", "[[1,2],[3]]"),
        ]
        for (request, limit) in zip(requests, [3000, 2000, 20]) {
            var conversation = try Conversation(Self.configuration(maxResponseBytes: limit))
            conversation.receive(request)
            #expect(HTTPText.status(conversation.text) == 413, "\(limit)")
        }
    }

    @Test func `a payload with too much processor time is refused or cut off`()
        throws
    {
        // 20 KB in all. Before the last bytes arrive, either nothing or nearly everything is sent.
        for (commitBytes, isCommitted) in [(1 << 20, false), (1000, true)] {
            var configuration = Self.configuration(maxResponseBytes: 0, commitBytes: commitBytes)
            configuration.maxRequestCPUSeconds = 2
            var conversation = try Conversation(configuration)
            let lines = String(repeating: "{\"a\":1}\n", count: 3000)
            let request = HTTPText.post("/v1/minify", lines, type: "application/x-ndjson")
            conversation.receive(String(request.dropLast(10)))
            conversation.session.spend(nanoseconds: 2_000_000_000)
            conversation.receive(String(request.suffix(10).prefix(5)))
            #expect(conversation.text.isEmpty == !isCommitted)
            conversation.session.spend(nanoseconds: 1)
            conversation.receive(String(request.suffix(5)))
            #expect(HTTPText.status(conversation.text) == (isCommitted ? 200 : 413))
            #expect((conversation.session.closing == .abort) == isCommitted)
            guard !isCommitted else { continue }
            #expect(conversation.text.contains("\"code\":\"too-costly\""))
            #expect(conversation.text.contains("--max-request-cpu-seconds"))
            conversation.receive(Self.envelope(1))
            #expect(conversation.text.matches(of: /HTTP\/1\.1 200/).count == 1)
        }
    }

    @Test func `turns between requests count for no request`() throws {
        var configuration = ServerConfiguration()
        configuration.maxRequestCPUSeconds = 1
        var conversation = try Conversation(configuration)
        conversation.session.spend(nanoseconds: 5_000_000_000)
        conversation.receive(Self.envelope(1))
        #expect(HTTPText.status(conversation.text) == 200)
        conversation.session.spend(nanoseconds: 5_000_000_000)
        conversation.receive(Self.envelope(1))
        #expect(conversation.text.matches(of: /HTTP\/1\.1 200/).count == 2)
    }
}
