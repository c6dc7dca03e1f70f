import FoundationEssentials
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Profiles from samples. Each proposed profile is run on payloads that were not among the samples.
struct ProfileInferenceTests {
    /// A payload and the profile's output for it.
    typealias Pair = (input: String, output: String)

    private func result(of payload: String, by inference: ProfileInference) throws -> String {
        let plan = try Profile(parsing: inference.document).compile(.forward)
        var converter = Converter(plan)
        var output = ByteBuffer()
        try converter.convert(Array(payload.utf8).span, into: &output)
        try converter.finish(into: &output)
        return String(decoding: Array(output), as: UTF8.self)
    }

    private func infer(_ pairs: [Pair]) -> ProfileInference {
        ProfileInference(
            pairs.map { ProfileInference.Sample(input: Array($0.input.utf8), output: Array($0.output.utf8)) })
    }

    @Test(arguments: [
        // Key cases, also at other paths and for other keys.
        (
            [(#"{"user_name":"Ada","home_city":"Rome"}"#, #"{"userName":"Ada","homeCity":"Rome"}"#)],
            #"{"a":[{"last_seen_at":1}]}"#, #"{"a":[{"lastSeenAt":1}]}"#
        ),
        // A rename beside a key case.
        (
            [(#"{"first_name":"Ada","last_name":"L","zip_code":1}"#, #"{"fn":"Ada","lastName":"L","zipCode":1}"#)],
            #"{"first_name":"Bo","street_name":"x"}"#, #"{"fn":"Bo","streetName":"x"}"#
        ),
        // Dates.
        (
            [(#"{"at":"2024-07-14T18:30:00+02:00"}"#, #"{"at":1720974600}"#)],
            #"{"at":"1970-01-01T00:01:00Z"}"#, #"{"at":60}"#
        ),
        // A table.
        (
            [
                (#"{"s":1}"#, #"{"s":"on"}"#), (#"{"s":0}"#, #"{"s":"off"}"#),
            ], #"{"s":0}"#, #"{"s":"off"}"#
        ),
        // A member that is dropped from each element.
        (
            [
                (
                    #"{"items":[{"id":1,"secret":"abc"},{"id":2,"secret":"xyz"}]}"#,
                    #"{"items":[{"id":1},{"id":2}]}"#
                )
            ], #"{"items":[{"secret":"q","id":7}]}"#, #"{"items":[{"id":7}]}"#
        ),
        // A move.
        (
            [(#"{"content":{"headline":"Up","n":1}}"#, #"{"content":{"n":1},"title":"Up"}"#)],
            #"{"content":{"headline":"Down","n":2}}"#, #"{"content":{"n":2},"title":"Down"}"#
        ),
        // A default that is added to every payload.
        (
            [(#"{"a":1}"#, #"{"a":1,"currency":"EUR"}"#), (#"{"a":2,"b":3}"#, #"{"a":2,"b":3,"currency":"EUR"}"#)],
            #"{"b":9}"#, #"{"b":9,"currency":"EUR"}"#
        ),
        // Empty values.
        (
            [(#"{"a":null,"b":1,"c":null}"#, #"{"b":1}"#), (#"{"b":null,"d":2}"#, #"{"d":2}"#)],
            #"{"x":null,"y":3}"#, #"{"y":3}"#
        ),
        // Keys that are data.
        (
            [
                (
                    #"{"by_slug":{"dark_mode":1,"en_GB":2},"the_end":3}"#,
                    #"{"bySlug":{"dark_mode":1,"en_GB":2},"theEnd":3}"#
                )
            ], #"{"by_slug":{"pt_BR":1}}"#, #"{"bySlug":{"pt_BR":1}}"#
        ),
    ])
    func `the profile from samples converts other payloads`(pairs: [Pair], payload: String, expected: String) throws {
        let inference = infer(pairs)
        #expect(inference.failures == [])
        #expect(try result(of: payload, by: inference) == expected)
        for pair in pairs { #expect(try result(of: pair.input, by: inference) == pair.output) }
    }

    @Test func `an inferred profile has its samples as examples, and they pass`() throws {
        let inference = infer([(#"{"user_id":1}"#, #"{"userId":1}"#)])
        let profile = try Profile(parsing: inference.document)
        #expect(profile.examples.count == 1)
        let plan = try profile.compile(.forward)
        #expect(profile.examples.allSatisfy { $0.fault(under: plan) == nil })
    }

    @Test func `key cases that fit the samples equally are reported`() {
        let inference = infer([(#"{"Id":1,"Name":"x"}"#, #"{"id":1,"name":"x"}"#)])
        #expect(inference.notes.count == 1)
        #expect(inference.notes.first?.contains("camelCase") == true)
        #expect(inference.notes.first?.contains("snake_case") == true)
    }

    @Test func `samples that contradict each other give no profile`() {
        let inference = infer([(#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"a":3}"#)])
        #expect(!inference.failures.isEmpty)
    }

    /// One generated profile, its samples, and payloads that are not among the samples.
    private struct Case: Decodable {
        var profile: String
        var samples: [[String]]
        var others: [[String]]
    }

    /// `CONVERT_INFERENCES` sets the number of profiles and `CONVERT_PAIRS_SEED` the first seed.
    @Test(.enabled(if: PythonReference.isAvailable, "needs python3"))
    func `profiles from samples convert like the generated profiles`() throws {
        let count = ConformanceFiles.number("CONVERT_INFERENCES", 10)
        let seed = ConformanceFiles.number("CONVERT_PAIRS_SEED", 1)
        let made = try PythonReference.run("generate_samples.py", ["--count", "\(count)", "--seed", "\(seed)"])
        try #require(made.status == 0, "\(made.complaint)")
        var (right, all, open) = (0, 0, 0)
        for line in made.output.split(separator: UInt8(ascii: "\n")) {
            let one = try JSONDecoder().decode(Case.self, from: Data(line))
            let inference = infer(one.samples.map { ($0[0], $0[1]) })
            if !inference.failures.isEmpty { open += 1 }
            for pair in one.others {
                all += 1
                if DraftTrial.result(of: Array(pair[0].utf8), under: inference.document)
                    == DraftTrial.normalised(Array(pair[1].utf8))
                {
                    right += 1
                }
            }
        }
        print("\(right) of \(all) other payloads are converted alike; \(open) of \(count) profiles leave a sample open")
        #expect(all == count * 20)
        #expect(right * 100 >= all * 80)
        #expect(open * 3 <= count)
    }
}
