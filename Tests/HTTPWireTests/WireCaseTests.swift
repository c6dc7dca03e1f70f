import HTTPWire
import TestSupport
import Testing

/// Every file of `Fixtures/http`, split in all the ways in which a network can deliver it.
struct WireCaseTests {
    private static let follower = Array("GET /follower HTTP/1.1\r\nHost: f\r\n\r\n".utf8)
    private static let followerLines = ["head GET /follower 1.1", "end", "persists"]

    @Test func `every case has its expected events, whole, byte by byte and in random pieces`() {
        #expect(WireCase.requests.count >= 300)
        var generator = SeededGenerator(seed: 1)
        for wireCase in WireCase.requests {
            let count = wireCase.bytes.count
            #expect(!wireCase.expected.isEmpty, "\(wireCase.name)")
            for cuts in [[], Array(0..<count)] + (0..<8).map({ _ in generator.cuts(count: count, most: 4) }) {
                check(wireCase, wireCase.bytes, cuts: cuts, wireCase.expected)
            }
        }
    }

    @Test func `a request after the case is read exactly if the connection persists`() {
        var generator = SeededGenerator(seed: 2)
        for wireCase in WireCase.requests where !wireCase.endsInput && wireCase.expected.last != "more" {
            let bytes = wireCase.bytes + Self.follower
            var expected = wireCase.expected
            if expected.last == "persists" {
                expected += wireCase.statusAtHead == nil ? Self.followerLines : ["head GET /follower 1.1", "persists"]
            }
            let cut = Int.random(in: 0..<bytes.count, using: &generator)
            for cuts in [[], [wireCase.bytes.count], [cut], Array(0..<bytes.count)] {
                check(wireCase, bytes, cuts: cuts, expected)
            }
        }
    }

    private func check(_ wireCase: WireCase, _ bytes: [UInt8], cuts: [Int], _ expected: [String]) {
        let lines = RequestTranscript.lines(of: wireCase, bytes, cuts: cuts)
        #expect(lines == expected, "\(wireCase.name), cut at \(cuts.prefix(8))")
    }
}
