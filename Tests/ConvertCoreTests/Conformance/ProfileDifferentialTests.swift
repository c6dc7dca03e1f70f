import ConvertCore
import TestSupport
import Testing

/// For generated profiles and payloads, the engine and the reference give the same output or the same error.
@Suite(.enabled(if: PythonReference.isAvailable, "needs python3"))
struct ProfileDifferentialTests {
    /// `CONVERT_PAIRS` sets the number of cases and `CONVERT_PAIRS_SEED` the first seed. `CONVERT_PAIRS_SECTIONS` names the
    /// sections that profiles may have.
    @Test func `the engine and the reference agree on generated pairs`() throws {
        try compare(.forward, count: TestVariable.number("CONVERT_PAIRS", 3_000))
    }

    @Test func `the engine and the reference agree in the inverse direction`() throws {
        try compare(.inverse, count: TestVariable.number("CONVERT_PAIRS", 2_000))
    }

    /// Profiles that lose data do not load, so they are not compared.
    @Test func `the engine and the reference agree on what the inverse cannot restore`() throws {
        let count = TestVariable.number("CONVERT_PAIRS", 3_000)
        var errors: [String: Int] = [:]
        var differences: [String] = []
        var random = SeededGenerator(seed: 7)
        for pair in try GeneratedPair.generate("roundtrip", count: count, sections: GeneratedPair.invertibleSections)
        where (try? Profile(parsing: Array(pair.profile.utf8))) != nil {
            for error in pair.certain { errors[String(error.prefix { $0 != " " }), default: 0] += 1 }
            if let difference = difference(pair, .forward, &random) { differences.append(difference) }
        }
        #expect(
            differences.isEmpty, "\(differences.count) pairs differ\n\(differences.prefix(10).joined(separator: "\n"))")
        for code in ["lossyKey", "badValue", "collision"] {
            #expect(errors[code, default: 0] > count / 100, "\(code): \(errors)")
        }
    }

    private func compare(_ direction: Profile.Direction, count: Int) throws {
        let pairs = try GeneratedPair.generate(direction.rawValue, count: count)
        let seed = TestVariable.number("CONVERT_PAIRS_SEED", 1)
        var random = SeededGenerator(seed: UInt64(seed))
        var reported = 0
        for pair in pairs {
            guard let difference = difference(pair, direction, &random) else { continue }
            reported += 1
            if reported <= 20 { Issue.record("\(difference)") }
        }
        #expect(reported == 0, "\(reported) of \(count) pairs differ")
    }

    private func difference(
        _ pair: GeneratedPair, _ direction: Profile.Direction, _ random: inout SeededGenerator
    ) -> String? {
        let plan: Plan
        do {
            plan = try Profile(parsing: Array(pair.profile.utf8)).compile(direction)
        } catch {
            return "\(pair.label)\nthe profile was refused: \(error)"
        }
        let payload = pair.payload
        let framing: Converter.Framing = pair.lines ? .lines : .document
        let whole = ConverterTrial(plan, payload, framing: framing)
        if !isRight(whole, pair) {
            let expected =
                pair.output.map { "output " + String(decoding: $0, as: UTF8.self) } ?? "one of \(pair.certain)"
            return "\(pair.label)\nexpected \(expected)\ngot      \(whole)"
        }
        let cuts = random.cuts(count: payload.count, most: 5)
        let pieces = ConverterTrial(plan, payload, framing: framing, cuts: cuts)
        guard pieces.agrees(with: whole) else { return "\(pair.label)\ncut at \(cuts): \(pieces)\nwhole: \(whole)" }
        let singly = ConverterTrial(plan, payload, framing: framing, pieceBytes: 1)
        return singly.agrees(with: whole) ? nil : "\(pair.label)\npiece by piece: \(singly)\nwhole: \(whole)"
    }

    private func isRight(_ run: ConverterTrial, _ pair: GeneratedPair) -> Bool {
        guard let error = run.error else { return pair.output.map { [UInt8]($0) == run.output } ?? false }
        let errors = pair.certain + pair.possible
        // After malformed text, the specification fixes only the kind of the error.
        if error.code == .json || error.code == .limit {
            return errors.contains { $0.hasPrefix(error.code.rawValue + " ") }
        }
        return errors.contains("\(error.code.rawValue) \(error.pointer)")
    }
}
