import ConvertProfiles
import HTTPServerTestSupport
import TestSupport
import Testing

@testable import HTTPSemantics

struct ProblemResponseTests {
    @Test func `an error deep below long keys has a short response`() throws {
        // 16 levels with keys of 60,000 bytes: the complete pointer would have 960,000.
        let name = String(repeating: "ä", count: 30_000)
        let payload = String(repeating: "{\"\(name)\":", count: 16) + "?"
        var conversation = try Conversation()
        conversation.receive(HTTPText.post("/v1/minify", payload))
        let response = conversation.text
        #expect(HTTPText.status(response) == 400)
        try #require(response.utf8.count < 3000)
        // A slash, whole letters of two bytes, and the ellipsis of three: at most 1,024 bytes.
        #expect(response.contains("\"pointer\":\"/\(String(repeating: "ä", count: 510))…\""))
        // The offset is still exact: the `?` comes after 16 times a brace, two quotes, a colon and the key.
        #expect(response.contains("\"offset\":\(16 * 60_004)"))
        let error = ProfileError(faults: [
            ProfileFault(pointer: "/" + name, line: 1, column: 2, message: name, hint: name)
        ])
        #expect(Problem(error).json(requestID: nil).count < 7 * Problem.maxTextBytes)
    }
}
