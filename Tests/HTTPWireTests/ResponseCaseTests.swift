import HTTPWire
import TestSupport
import Testing

/// Every file of `Fixtures/responses`, split in all the ways in which a network can deliver it.
struct ResponseCaseTests {
    private static let follower = Array("HTTP/1.1 299 \r\nContent-Length: 0\r\n\r\n".utf8)
    private static let followerLines = ["head 299 1.1", "end"]

    @Test func `every response has its expected events, whole, byte by byte and in random pieces`() {
        #expect(WireCase.responses.count >= 120)
        var generator = SeededGenerator(seed: 1)
        for responseCase in WireCase.responses {
            let count = responseCase.bytes.count
            #expect(!responseCase.expected.isEmpty, "\(responseCase.name)")
            for cuts in [[], Array(0..<count)] + (0..<8).map({ _ in generator.cuts(count: count, most: 4) }) {
                let lines = ResponseTranscript.lines(of: responseCase, responseCase.bytes, cuts: cuts)
                #expect(lines == responseCase.expected, "\(responseCase.name), cut at \(cuts.prefix(8))")
            }
        }
    }

    @Test func `a reusable connection accepts another request and its response`() {
        for var responseCase in WireCase.responses
        where responseCase.expected.last == "reusable" && responseCase.hasRequest {
            let details = responseCase.shown.flatMap { [$0, String($0.dropLast())] }
            responseCase.shown = []
            let before = responseCase.expected.dropLast().filter { line in
                !details.contains { line.hasPrefix($0 + " ") }
            }
            var transcript = ResponseTranscript(of: responseCase, tellsOffsets: false)
            transcript.play(responseCase.bytes)
            transcript.startRequest()
            transcript.endRequest()
            transcript.play(Self.follower)
            transcript.finish()
            let lines = transcript.lines
            let complaints = transcript.complaints
            #expect(lines == before + Self.followerLines + ["reusable"], "\(responseCase.name)")
            #expect(complaints == [], "\(responseCase.name)")
        }
    }

    /// An upstream that sends more than the requested response tries to respond to the next request.
    @Test func `a response without a request is not reported, and the connection is not reusable`() {
        let endings = ["reusable", "closes"]
        for responseCase in WireCase.responses where !responseCase.endsInput && responseCase.expected.last != "more" {
            guard let last = responseCase.expected.last, endings.contains(last) || last.hasPrefix("fault") else {
                continue
            }
            let bytes = responseCase.bytes + Self.follower
            for cuts in [[], [responseCase.bytes.count], Array(0..<bytes.count)] {
                var transcript = ResponseTranscript(of: responseCase, tellsOffsets: false)
                transcript.play(bytes, cuts: cuts)
                let isReusable = transcript.isReusable
                transcript.finish()
                let lines = transcript.lines
                let expected: [String] = responseCase.expected.dropLast() + [last.hasPrefix("fault") ? last : "closes"]
                #expect(lines == expected, "\(responseCase.name)")
                #expect(!isReusable, "\(responseCase.name)")
            }
        }
    }
}
