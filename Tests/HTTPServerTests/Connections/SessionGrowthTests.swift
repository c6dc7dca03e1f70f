import ConvertEngine
import HTTPServerTestSupport
import TestSupport
import Testing

@testable import HTTPServer

/// Profiles whose output is far larger than their input, one for each way to do this.
struct SessionGrowthTests {
    private struct Row {
        let profile: String
        var direction = "forward"
        let element: String
        let expected: String
    }

    private static let longText = String(repeating: "v", count: 20_000)
    /// The longest selector, or a little less.
    private static let longName = String(repeating: "n", count: 4_000)

    private static let rows = [
        Row(profile: #"{"defaults":{"/*/x":"LONG"}}"#, element: "{}", expected: #"{"x":"LONG"}"#),
        Row(profile: #"{"defaults":{"/*/NAME/y":1}}"#, element: "{}", expected: #"{"NAME":{"y":1}}"#),
        Row(profile: #"{"values":{"at":"/*","map":{"1":"LONG"}}}"#, element: "1", expected: #""LONG""#),
        Row(
            profile: #"{"values":{"at":"/*","map":{"LONG":1}}}"#, direction: "inverse", element: "1",
            expected: #""LONG""#),
        Row(
            profile: #"{"values":{"at":"/*","as":"url","relativeTo":"http://LONG"}}"#, direction: "inverse",
            element: #""/""#, expected: #""http://LONG/""#),
        Row(profile: #"{"rename":{"a":"LONG"}}"#, element: #"{"a":1}"#, expected: #"{"LONG":1}"#),
        Row(
            profile: #"{"rename":{"NAME":"a"}}"#, direction: "inverse", element: #"{"a":1}"#,
            expected: #"{"NAME":1}"#),
        Row(
            profile: #"{"rename":{"/*/NAME":"a"}}"#, direction: "inverse", element: #"{"a":1}"#,
            expected: #"{"NAME":1}"#),
        Row(profile: #"{"move":{"/*/a":"/*/NAME/b"}}"#, element: #"{"a":1}"#, expected: #"{"NAME":{"b":1}}"#),
        Row(
            profile: #"{"move":{"/*/NAME/b":"/*/a"}}"#, direction: "inverse", element: #"{"a":1}"#,
            expected: #"{"NAME":{"b":1}}"#),
        Row(
            profile: #"{"flatten":{"at":"/*/a","prefix":"NAME"}}"#, element: #"{"a":{"":1}}"#,
            expected: #"{"NAME":1}"#),
        Row(
            profile: #"{"flatten":{"at":"/*/NAME","prefix":"a"}}"#, direction: "inverse", element: #"{"a":1}"#,
            expected: #"{"NAME":{"":1}}"#),
    ]

    private static func lengthened(_ text: String) -> String {
        text.replacing("LONG", with: longText).replacing("NAME", with: longName)
    }

    @Test func `additions by a profile cannot fill the memory, and arrive completely`() throws {
        for row in Self.rows {
            // 10 MB for both kinds of profile.
            let count = row.profile.contains("LONG") ? 500 : 2_500
            let payload = "[" + Array(repeating: row.element, count: count).joined(separator: ",") + "]"
            let expected =
                "[" + Array(repeating: Self.lengthened(row.expected), count: count).joined(separator: ",") + "]"
            let profile = Self.lengthened(row.profile)
            let envelope = "{\"profile\":\(profile),\"direction\":\"\(row.direction)\",\"payload\":\(payload)}"
            let form =
                "--b\r\nContent-Disposition: form-data; name=\"profile\"; filename=\"p.json\"\r\n\r\n\(profile)\r\n"
                + "--b\r\nContent-Disposition: form-data; name=\"payload\"\r\n\r\n\(payload)\r\n--b--\r\n"
            let requests = [
                HTTPText.post("/v1/convert", envelope),
                HTTPText.post(
                    "/v1/convert?direction=\(row.direction)", form, type: "multipart/form-data; boundary=b"),
            ]
            for request in requests {
                var conversation = try Conversation()
                conversation.receive(request)
                #expect(conversation.mostWaitingBytes < 6_000_000, "\(row.profile)")
                // The text is not shown on failure, because it is long.
                let isWhole = HTTPText.body(conversation.text) == expected
                #expect(isWhole, "\(row.profile)")
            }
        }
    }

    @Test func `a buffered object is refused when it exceeds four times the body limit`() throws {
        // Under `records`, the object is buffered from its beginning.
        let profile = Self.lengthened(
            #"{"on":{"collision":"last"},"defaults":{"/a/*/x":"LONG"},"records":{"at":"/b/*","onError":"skip"}}"#)
        for (count, status) in [(15, 200), (50, 400)] {
            var configuration = ServerConfiguration()
            configuration.maxBodyBytes = 100_000
            let objects = Array(repeating: "{}", count: count).joined(separator: ",")
            var conversation = try Conversation(configuration)
            conversation.receive(
                HTTPText.post("/v1/convert", "{\"profile\":\(profile),\"payload\":{\"a\":[\(objects)]}}"))
            #expect(HTTPText.status(conversation.text) == status, "\(count)")
            #expect(conversation.text.contains("\"code\":\"limit\"") == (status == 400))
        }
        var unlimited = ServerConfiguration()
        unlimited.maxBodyBytes = 0
        #expect(unlimited.payloadLimits.maxHeldBytes == .max)
    }

    @Test func `a form's payload that waits for buffer space is sent before its end`() throws {
        // Each byte of the last slice gives more output than the write buffer accepts.
        let profile = #"{"values":{"at":"/*","map":{"1":"\#(String(repeating: "v", count: 900_000))"}}}"#
        let form =
            "--b\r\nContent-Disposition: form-data; name=\"profile\"; filename=\"p.json\"\r\n\r\n\(profile)\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"payload\"\r\n\r\n[1,1,1,1,1,1]\r\n--b--\r\n"
        let request = Array(HTTPText.post("/v1/convert", form, type: "multipart/form-data; boundary=b").utf8)
        let value = "\"" + String(repeating: "v", count: 900_000) + "\""
        let expected = "[" + Array(repeating: value, count: 6).joined(separator: ",") + "]"
        // The end arrives at once, and then byte by byte.
        for step in [request.count, 1] {
            var conversation = try Conversation()
            conversation.receive(Array(request[..<(request.count - 60)]))
            for start in stride(from: request.count - 60, to: request.count, by: step) {
                conversation.receive(Array(request[start..<min(request.count, start + step)]))
            }
            let isWhole = HTTPText.body(conversation.text) == expected
            #expect(isWhole, "\(step)")
            #expect(conversation.session.isIdle)
        }
    }
}
