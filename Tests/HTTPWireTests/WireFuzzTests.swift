import HTTPWire
import Testing

/// Mutated cases: nothing traps, and any cut gives what the whole gave, to the offset of the fault.
struct WireFuzzTests {
    private static let rounds = 25
    /// What framing turns on; more telling than random bytes.
    private static let splices = [
        "\r\n", "\r", "\n", "\0", " ", "\t", ":", ",", ";", "\"", "\\", "0", "1", "F", "chunked", "\r\n\r\n",
        "HTTP/1.0",
        "Content-Length: 1\r\n", "Transfer-Encoding: chunked\r\n", "Connection: close\r\n", "Host: a\r\n", "0\r\n\r\n",
    ].map { Array($0.utf8) }

    @Test func aMutatedCaseGivesTheSameHoweverItIsCut() {
        var generator = SeededGenerator(seed: 3)
        var kinds: Set<String> = []
        for wireCase in WireCase.all where !wireCase.bytes.isEmpty && wireCase.statusAtHead == nil {
            // A long case says no more than a short one here and takes far longer.
            for _ in 0..<(wireCase.bytes.count > 2000 ? 1 : Self.rounds) {
                var bytes = wireCase.bytes
                for _ in 0..<Int.random(in: 1...3, using: &generator) { Self.mutate(&bytes, &generator) }
                let whole = play(wireCase, bytes, cuts: [])
                kinds.formUnion(whole.suffix(1))
                let cut = Int.random(in: 0...bytes.count, using: &generator)
                for cuts in [[cut], Array(0..<bytes.count)] {
                    let lines = play(wireCase, bytes, cuts: cuts)
                    #expect(lines == whole, "\(wireCase.name): \(EscapedBytes.encode(bytes))")
                }
            }
        }
        // The mutations reach deep: requests still accepted and faults of many kinds and places are among the results.
        #expect(kinds.contains("persists") && kinds.contains("more") && kinds.count > 100)
    }

    private func play(_ wireCase: WireCase, _ bytes: [UInt8], cuts: [Int]) -> [String] {
        var transcript = Transcript(of: wireCase, tellsOffsets: true)
        transcript.play(bytes, cuts: cuts)
        let complaints = transcript.complaints
        #expect(complaints == [], "\(wireCase.name): \(EscapedBytes.encode(bytes))")
        return transcript.lines
    }

    private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let index = Int.random(in: 0...bytes.count, using: &generator)
        let end = min(bytes.count, index + Int.random(in: 0...6, using: &generator))
        switch Int.random(in: 0..<5, using: &generator) {
        case 0 where index < bytes.count: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1 where index < bytes.count: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 2: bytes.removeSubrange(index..<end)
        case 3: bytes.insert(contentsOf: bytes[index..<end], at: index)
        default: bytes.insert(contentsOf: splices.randomElement(using: &generator) ?? [], at: index)
        }
    }
}
