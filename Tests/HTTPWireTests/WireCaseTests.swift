import HTTPWire
import Testing

/// Every file of `Fixtures/http`, split in all the ways in which a network can deliver it.
struct WireCaseTests {
    private static let follower = Array("GET /follower HTTP/1.1\r\nHost: f\r\n\r\n".utf8)
    private static let followerLines = ["head GET /follower 1.1", "end", "persists"]

    @Test func `there are cases`() {
        #expect(WireCase.all.count >= 300)
        #expect(WireCase.all.allSatisfy { !$0.expected.isEmpty })
    }

    @Test func `every case has its expected events`() {
        for wireCase in WireCase.all { check(wireCase, wireCase.bytes, cuts: [], wireCase.expected) }
    }

    @Test func `every case has its expected events byte by byte`() {
        for wireCase in WireCase.all {
            check(wireCase, wireCase.bytes, cuts: Array(0..<wireCase.bytes.count), wireCase.expected)
        }
    }

    @Test func `every case has its expected events in random pieces`() {
        var generator = SeededGenerator(seed: 1)
        for wireCase in WireCase.all where !wireCase.bytes.isEmpty {
            for _ in 0..<8 {
                let cuts = (0..<4).map { _ in Int.random(in: 0..<wireCase.bytes.count, using: &generator) }.sorted()
                check(wireCase, wireCase.bytes, cuts: cuts, wireCase.expected)
            }
        }
    }

    @Test func `a request after the case is read exactly if the connection persists`() {
        var generator = SeededGenerator(seed: 2)
        for wireCase in WireCase.all where !wireCase.endsInput && wireCase.expected.last != "more" {
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
        var transcript = Transcript(of: wireCase)
        transcript.play(bytes, cuts: cuts)
        let lines = transcript.lines
        let complaints = transcript.complaints
        #expect(lines == expected, "\(wireCase.name), cut at \(cuts.prefix(8))")
        #expect(complaints == [], "\(wireCase.name), cut at \(cuts.prefix(8))")
    }
}
