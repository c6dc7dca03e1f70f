import HTTPWire
import TestSupport
import Testing

/// Mutated cases: none causes a crash, and pieces give the same result as the whole, including the offset of an error.
struct WireFuzzTests {
    private static let rounds = 25

    @Test func `a mutated request gives the same result in any pieces`() {
        var kinds: Set<String> = []
        for seed in FuzzSeeds(usual: 3) {
            var generator = SeededGenerator(seed: seed)
            for wireCase in WireCase.all where !wireCase.bytes.isEmpty && wireCase.statusAtHead == nil {
                // A long case shows no more than a short one here and takes far longer.
                for _ in 0..<(wireCase.bytes.count > 2000 ? 1 : Self.rounds) {
                    let bytes = generator.damaged(wireCase.bytes, inserting: FramingPieces.all)
                    let whole = play(wireCase, bytes, cuts: [])
                    kinds.formUnion(whole.suffix(1))
                    let cut = Int.random(in: 0...bytes.count, using: &generator)
                    for cuts in [[cut], Array(0..<bytes.count)] {
                        let lines = play(wireCase, bytes, cuts: cuts)
                        #expect(lines == whole, "\(wireCase.name): \(EscapedBytes.encode(bytes))")
                    }
                }
            }
        }
        // The mutations reach all layers: some requests are still accepted, and there are errors of many codes at many offsets.
        #expect(kinds.contains("persists") && kinds.contains("more") && kinds.count > 100)
    }

    private func play(_ wireCase: WireCase, _ bytes: [UInt8], cuts: [Int]) -> [String] {
        var transcript = Transcript(of: wireCase, tellsOffsets: true)
        transcript.play(bytes, cuts: cuts)
        let complaints = transcript.complaints
        #expect(complaints == [], "\(wireCase.name): \(EscapedBytes.encode(bytes))")
        return transcript.lines
    }
}
