import HTTPWire
import TestSupport
import Testing

/// Mutated responses: none causes a crash, and pieces give the same result as the whole, including the offset of an error.
struct ResponseFuzzTests {
    private static let rounds = 40

    @Test func `a mutated response gives the same result in any pieces`() {
        var kinds: Set<String> = []
        for seed in FuzzSeeds(usual: 4) {
            var generator = SeededGenerator(seed: seed)
            for responseCase in ResponseCase.all where !responseCase.bytes.isEmpty {
                // A long case shows no more than a short one here and takes far longer.
                for _ in 0..<(responseCase.bytes.count > 2000 ? 1 : Self.rounds) {
                    let bytes = generator.damaged(responseCase.bytes, inserting: FramingPieces.all)
                    let whole = play(responseCase, bytes, cuts: [])
                    kinds.formUnion(whole.suffix(1))
                    let cut = Int.random(in: 0...bytes.count, using: &generator)
                    for cuts in [[cut], Array(0..<bytes.count)] {
                        let lines = play(responseCase, bytes, cuts: cuts)
                        #expect(lines == whole, "\(responseCase.name): \(EscapedBytes.encode(bytes))")
                    }
                }
            }
        }
        // The mutations reach all layers: some responses are still accepted, and there are errors of many codes at many offsets.
        #expect(kinds.contains("reusable") && kinds.contains("more") && kinds.count > 100)
    }

    private func play(_ responseCase: ResponseCase, _ bytes: [UInt8], cuts: [Int]) -> [String] {
        var transcript = ResponseTranscript(of: responseCase, tellsOffsets: true)
        transcript.play(bytes, cuts: cuts)
        transcript.finish()
        let complaints = transcript.complaints
        #expect(complaints == [], "\(responseCase.name): \(EscapedBytes.encode(bytes))")
        return transcript.lines
    }
}
