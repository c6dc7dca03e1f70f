import HTTPWire
import TestSupport
import Testing

/// Mutated cases: none causes a crash, and pieces give the same result as the whole, including the offset of an error.
struct WireFuzzTests {
    // The mutations reach all layers: some messages are still accepted, and there are errors of many codes at many offsets.

    @Test func `a mutated request gives the same result in any pieces`() {
        let cases = WireCase.requests.filter { $0.statusAtHead == nil }
        let kinds = kinds(of: cases, by: RequestTranscript.self, FuzzSeeds(usual: 3), rounds: 25)
        #expect(kinds.contains("persists") && kinds.contains("more") && kinds.count > 100)
    }

    @Test func `a mutated response gives the same result in any pieces`() {
        let kinds = kinds(of: WireCase.responses, by: ResponseTranscript.self, FuzzSeeds(usual: 4), rounds: 40)
        #expect(kinds.contains("reusable") && kinds.contains("more") && kinds.count > 100)
    }

    /// The last lines of mutated cases, after a check that pieces give the same lines.
    private func kinds<Transcript: WireTranscript & ~Copyable>(
        of cases: [WireCase], by type: Transcript.Type, _ seeds: FuzzSeeds, rounds: Int
    ) -> Set<String> {
        var kinds: Set<String> = []
        for seed in seeds {
            var generator = SeededGenerator(seed: seed)
            for wireCase in cases where !wireCase.bytes.isEmpty {
                // A long case shows no more than a short one here and takes far longer.
                for _ in 0..<(wireCase.bytes.count > 2000 ? 1 : rounds) {
                    let bytes = generator.damaged(wireCase.bytes, inserting: FramingPieces.all)
                    let whole = type.lines(of: wireCase, bytes, cuts: [], tellsOffsets: true)
                    kinds.formUnion(whole.suffix(1))
                    let cut = Int.random(in: 0...bytes.count, using: &generator)
                    for cuts in [[cut], Array(0..<bytes.count)] {
                        let lines = type.lines(of: wireCase, bytes, cuts: cuts, tellsOffsets: true)
                        #expect(lines == whole, "\(wireCase.name): \(EscapedBytes.encode(bytes))")
                    }
                }
            }
        }
        return kinds
    }
}
