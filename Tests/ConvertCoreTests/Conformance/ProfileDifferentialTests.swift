import ConvertCore
import FoundationEssentials
import Testing

/// Generated profiles over generated payloads: the engine and the reference agree, faults included.
@Suite(.enabled(if: PythonReference.isAvailable, "needs python3"))
struct ProfileDifferentialTests {
    /// One line of the generator's output.
    private struct Case: Decodable {
        var seed: Int
        var profile: String
        var lines: Bool
        var input: Data
        var output: Data?
        /// "code pointer" of each fault of which one must be reported.
        var certain: [String]
        /// Faults that may be reported as well, since another rule takes out what they stand in.
        var possible: [String]
    }

    /// Any number of cases by `CONVERT_PAIRS`, from any seed by `CONVERT_PAIRS_SEED`; `CONVERT_PAIRS_SECTIONS` names the
    /// sections that profiles may have.
    @Test func `the engine and the reference agree on generated pairs`() throws {
        try compare(.forward, count: ConformanceFiles.number("CONVERT_PAIRS", 3_000))
    }

    @Test func `the engine and the reference agree backwards`() throws {
        try compare(.inverse, count: ConformanceFiles.number("CONVERT_PAIRS", 2_000))
    }

    /// Profiles that lose something do not load, and those that load lose nothing of what they are written for.
    @Test func `what an invertible profile converts comes back byte for byte`() throws {
        let count = ConformanceFiles.number("CONVERT_PAIRS", 2_000)
        let cases = try generate("roundtrip", count: count)
        // Names come back in their shortest spelling.
        let spelling = Plan.minify(output: OutputOptions(escapes: .minimal))
        var compared = 0
        for line in cases.split(separator: UInt8(ascii: "\n")) {
            let pair = try JSONDecoder().decode(Case.self, from: Data(line))
            let profile: Profile
            do {
                profile = try Profile(parsing: Array(pair.profile.utf8))
            } catch {
                #expect(error.faults.allSatisfy { $0.message.hasPrefix("`roundTrip`") }, "seed \(pair.seed)")
                continue
            }
            // A payload can still break a rule: a date that is none, two equal names.
            let payload = [UInt8](pair.input)
            guard let there = EngineRun(try profile.compile(.forward), payload: payload).output else { continue }
            compared += 1
            let back = EngineRun(try profile.compile(.inverse), payload: there)
            let found = back.output.map { EngineRun(spelling, payload: $0) }
            let place = "seed \(pair.seed): profile \(pair.profile)\ninput \(String(decoding: payload, as: UTF8.self))"
            #expect(found == EngineRun(spelling, payload: payload), "\(place)\nback  \(back)")
        }
        #expect(compared > count / 4, "\(compared) of \(count)")
    }

    private func generate(_ direction: String, count: Int) throws -> [UInt8] {
        let seed = ConformanceFiles.number("CONVERT_PAIRS_SEED", 1)
        let standard = direction == "roundtrip" ? "keys,rename,dates" : "all"
        let sections = ConformanceFiles.text("CONVERT_PAIRS_SECTIONS", standard)
        let result = try PythonReference.run(
            "generate_pairs.py",
            ["--count", "\(count)", "--seed", "\(seed)", "--sections", sections, "--direction", direction])
        try #require(result.status == 0, "\(result.complaint)")
        return result.output
    }

    private func compare(_ direction: Profile.Direction, count: Int) throws {
        let cases = try generate(direction.rawValue, count: count)
        let seed = ConformanceFiles.number("CONVERT_PAIRS_SEED", 1)
        var random = SeededGenerator(seed: UInt64(seed))
        var compared = 0
        var reported = 0
        for line in cases.split(separator: UInt8(ascii: "\n")) {
            let pair = try JSONDecoder().decode(Case.self, from: Data(line))
            compared += 1
            guard let difference = difference(pair, direction, &random) else { continue }
            reported += 1
            if reported <= 20 { Issue.record("seed \(pair.seed): \(difference)") }
        }
        #expect(compared == count)
        #expect(reported == 0, "\(reported) of \(count) pairs differ")
    }

    private func difference(
        _ pair: Case, _ direction: Profile.Direction, _ random: inout SeededGenerator
    ) -> String? {
        let plan: Plan
        do {
            plan = try Profile(parsing: Array(pair.profile.utf8)).compile(direction)
        } catch {
            return "profile \(pair.profile) was refused: \(error)"
        }
        let payload = [UInt8](pair.input)
        let framing: Converter.Framing = pair.lines ? .lines : .document
        let whole = EngineRun(plan, framing: framing, payload: payload)
        let place = "profile \(pair.profile)\ninput \(String(decoding: payload, as: UTF8.self))"
        if !isRight(whole, pair) {
            let expected =
                pair.output.map { "output " + String(decoding: $0, as: UTF8.self) } ?? "one of \(pair.certain)"
            return "\(place)\nexpected \(expected)\ngot      \(whole)"
        }
        let cuts = random.cuts(count: payload.count, most: 5)
        let pieces = EngineRun(plan, framing: framing, payload: payload, cuts: cuts)
        return pieces == whole ? nil : "\(place)\ncut at \(cuts): \(pieces)\nwhole: \(whole)"
    }

    private func isRight(_ run: EngineRun, _ pair: Case) -> Bool {
        switch run {
        case .output(let bytes):
            return pair.output.map { [UInt8]($0) == bytes } ?? false
        case .fault(let error):
            let faults = pair.certain + pair.possible
            // Where malformed text ends the payload, only the kind of fault is fixed by the specification.
            if error.code == .json || error.code == .limit {
                return faults.contains { $0.hasPrefix(error.code.rawValue + " ") }
            }
            return faults.contains("\(error.code.rawValue) \(error.pointer)")
        }
    }
}
