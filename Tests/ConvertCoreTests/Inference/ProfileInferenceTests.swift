import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Profiles from samples. Each proposed profile is run on payloads that were not among the samples.
struct ProfileInferenceTests {
    /// A payload and the profile's output for it.
    typealias Pair = (input: String, output: String)

    /// Samples, another payload, and its output.
    private static let rows: [(pairs: [Pair], payload: String, expected: String)] = [
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
        // A type of two members, each at one path: the rule is for these paths.
        (
            [(#"{"price":"1","qty":"2","name":"x"}"#, #"{"price":1,"qty":2,"name":"x"}"#)],
            #"{"box":{"price":"5"},"qty":"3"}"#, #"{"box":{"price":"5"},"qty":3}"#
        ),
        // A move.
        (
            [(#"{"content":{"headline":"Up","n":1}}"#, #"{"content":{"n":1},"title":"Up"}"#)],
            #"{"content":{"headline":"Down","n":2}}"#, #"{"content":{"n":2},"title":"Down"}"#
        ),
        // A move that only one sample shows, of a value that shows nothing else.
        (
            [
                (#"{"a":{"b":{},"c":1}}"#, #"{"a":{"c":1},"d":{"e":{}}}"#),
                (#"{"a":{"c":2},"x":3}"#, #"{"a":{"c":2},"x":3}"#),
            ], #"{"a":{"b":"z"}}"#, #"{"a":{},"d":{"e":"z"}}"#
        ),
        // A move to the end of the same object, of a value in which keys and dates change.
        (
            [
                (
                    #"{"first_part":{"made_at":"2024-07-14T18:30:00+02:00","page_count":12},"id":77}"#,
                    #"{"id":77,"tail":{"madeAt":"2024-07-14T16:30:00Z","pageCount":12}}"#
                ),
                (#"{"last_seen":"2024-01-01T01:00:00+01:00","id":5}"#, #"{"lastSeen":"2024-01-01T00:00:00Z","id":5}"#),
            ], #"{"first_part":{"page_count":1},"name":"x"}"#, #"{"name":"x","tail":{"pageCount":1}}"#
        ),
        // A dropped key beside a rename, where either explains the first sample.
        (
            [
                (#"{"old":5,"nick":5}"#, #"{"alias":5}"#), (#"{"old":7}"#, "{}"), (#"{"old":8,"x":1}"#, #"{"x":1}"#),
                (#"{"nick":6}"#, #"{"alias":6}"#),
            ], #"{"old":1,"nick":2}"#, #"{"alias":2}"#
        ),
        // Digits that are words, and common acronyms as they are listed.
        (
            [(#"{"address1":1,"lineTwo2":"ab"}"#, #"{"address_1":1,"line_two_2":"ab"}"#)],
            #"{"street12":3}"#, #"{"street_12":3}"#
        ),
        (
            [(#"{"user_id":1,"file_url":2,"api_name":3}"#, #"{"userID":1,"fileURL":2,"apiName":3}"#)],
            #"{"the_html_page":1}"#, #"{"theHTMLPage":1}"#
        ),
        // Bad values that become null, also objects and dates, beside a scan for dates.
        (
            [
                (
                    #"{"max_n":"12","min_n":"5","at":"2024-07-14T18:30:00+02:00"}"#,
                    #"{"maxN":12,"minN":5,"at":"2024-07-14T16:30:00Z"}"#
                ), (#"{"max_n":{"x":1},"min_n":[2],"at":1}"#, #"{"maxN":null,"minN":null,"at":1}"#),
                (#"{"max_n":"2021-01-01T00:00:00+01:00","min_n":"x"}"#, #"{"maxN":null,"minN":null}"#),
                (
                    #"["2022-01-01T00:00:00+01:00","2023-01-01T00:00:00+01:00"]"#,
                    #"["2021-12-31T23:00:00Z","2022-12-31T23:00:00Z"]"#
                ),
            ], #"{"min_n":[],"other":"2024-07-14T20:30:00+04:00"}"#, #"{"minN":null,"other":"2024-07-14T16:30:00Z"}"#
        ),
        // A payload that is one date.
        (
            [(#""2024-07-14T18:30:00+02:00""#, #""2024-07-14T16:30:00Z""#)],
            #"["2024-07-14T18:30:00+02:00"]"#, #"["2024-07-14T16:30:00Z"]"#
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
        // Numbers in strings, some of which may also be dates.
        (
            [
                (#"{"n":"12.99"}"#, #"{"n":12.99}"#),
                (#"{"n":"3.15"}"#, #"{"n":3.15}"#),
            ], #"{"n":"3.10"}"#, #"{"n":3.10}"#
        ),
        // A whole number in a string.
        (
            [
                (#"{"n":"7"}"#, #"{"n":7}"#)
            ], #"{"n":"12.5"}"#, #"{"n":12.5}"#
        ),
        // A number in a string beside a date.
        (
            [
                (#"{"n":"1720974600","at":"2024-07-14T18:30:00+02:00"}"#, #"{"n":1720974600,"at":1720974600}"#)
            ], #"{"n":"1.5","at":"1970-01-01T00:01:00Z"}"#, #"{"n":1.5,"at":60}"#
        ),
        // A move within one object, of a value that shows nothing else.
        (
            [
                (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#)
            ], #"{"a":5,"b":6}"#, #"{"b":6,"a":5}"#
        ),
        // Moves into a new object, of equal values.
        (
            [
                (#"{"id":1,"x":1}"#, #"{"data":{"id":1,"x":1}}"#)
            ], #"{"id":2,"x":3}"#, #"{"data":{"id":2,"x":3}}"#
        ),
        // A default beside a move into a new object.
        (
            [
                (#"{"id":1}"#, #"{"data":{"id":1,"kind":"user"}}"#)
            ], #"{"id":2}"#, #"{"data":{"id":2,"kind":"user"}}"#
        ),
        // An object that is taken apart.
        (
            [
                (#"{"x":{"a":1,"b":2}}"#, #"{"x_a":1,"x_b":2}"#)
            ], #"{"x":{"a":3,"b":4}}"#, #"{"x_a":3,"x_b":4}"#
        ),
        // A value that is moved out of an object of which the rest is dropped.
        (
            [
                (#"{"x":{"a":1,"c":9},"z":"q"}"#, #"{"z":"q","x_a":1}"#)
            ], #"{"x":{"a":2,"c":3}}"#, #"{"x_a":2}"#
        ),
        // Sorted keys, where a string with JSON may have become an object.
        (
            [
                (#"{"c":{},"b":{"b":0},"a":"{\"a\":1}"}"#, #"{"a":"{\"a\":1}","b":{"b":0},"c":{}}"#)
            ], #"{"z":1,"y":{"b":1,"a":2}}"#, #"{"y":{"a":2,"b":1},"z":1}"#
        ),
        // Sorted keys that only a default shows.
        (
            [
                (#"{"meta":1}"#, #"{"added":1,"meta":1}"#)
            ], #"{"z":1,"b":2,"a":3}"#, #"{"a":3,"added":1,"b":2,"z":1}"#
        ),
        // A default beside a null that disappears.
        (
            [
                (#"{"id":7,"note":null}"#, #"{"id":7,"source":"api"}"#)
            ], #"{"note":null,"id":8}"#, #"{"id":8,"source":"api"}"#
        ),
        // Values that only arrays show to be pruned.
        (
            [
                (#"{"a":[1,null,2]}"#, #"{"a":[1,2]}"#),
                (#"{"a":[null,3]}"#, #"{"a":[3]}"#),
            ], #"{"b":[null,{"c":null},4]}"#, #"{"b":[{},4]}"#
        ),
        // An object that is taken apart, beside a dropped value that is not the new one.
        (
            [
                (
                    #"{"id":7,"type":"a","attributes":{"title":"Hi","body":"x"}}"#,
                    #"{"id":7,"title":"Hi","body":"x"}"#
                ),
                (
                    #"{"id":8,"type":"a","attributes":{"title":"Ho","body":"y"}}"#,
                    #"{"id":8,"title":"Ho","body":"y"}"#
                ),
            ], #"{"id":9,"type":"b","attributes":{"title":"Ha","body":"z"}}"#, #"{"id":9,"title":"Ha","body":"z"}"#
        ),
        // A move of values that are pruned if they are null.
        (
            [
                (#"{"at":{"id":1,"nick":"Gus"},"u":4}"#, #"{"at":{"id":1},"u":4,"nick":"Gus"}"#),
                (#"{"at":{"id":2,"nick":null},"u":5}"#, #"{"at":{"id":2},"u":5}"#),
                (#"{"at":{"id":3,"nick":null},"u":6}"#, #"{"at":{"id":3},"u":6}"#),
                (#"{"at":{"id":4,"nick":null},"u":7}"#, #"{"at":{"id":4},"u":7}"#),
            ], #"{"at":{"id":5,"nick":"Eve"},"u":null}"#, #"{"at":{"id":5},"nick":"Eve"}"#
        ),
        // A default in place of a key whose values differ.
        (
            [
                (#"{"user_id":1,"secret":"x"}"#, #"{"user_id":1,"version":1}"#),
                (#"{"user_id":2,"secret":"y"}"#, #"{"user_id":2,"version":1}"#),
            ], #"{"user_id":3,"secret":"z"}"#, #"{"user_id":3,"version":1}"#
        ),
    ]

    private func result(of payload: String, by inference: ProfileInference) throws -> String {
        try Profile(parsing: inference.document).compile(.forward).convert(payload)
    }

    private func infer(_ pairs: [Pair]) -> ProfileInference {
        ProfileInference(
            pairs.map { ProfileInference.Sample(input: Array($0.input.utf8), output: Array($0.output.utf8)) })
    }

    @Test(arguments: rows)
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

    @Test func `a constant that may be a value of the input is reported`() {
        let one: Pair = (#"{"a":1}"#, #"{"list":[1]}"#)
        let inference = infer([one])
        #expect(inference.failures == [])
        #expect(inference.notes.count == 1)
        #expect(inference.notes.first?.contains("/list") == true)
        #expect(infer([one, (#"{"a":2}"#, #"{"list":[1]}"#)]).notes == [])
    }

    @Test func `keys that keep their value are not exchanged`() throws {
        // Both keys are in the output, but the output's order is another.
        for (input, output) in [
            (#"{"id":"a-12345","seq":"a-12345"}"#, #"{"seq":"a-12345","id":"a-12345"}"#),
            (#"{"a":"u-12345","b":"u-12345","c":"u-12345"}"#, #"{"c":"u-12345","b":"u-12345","a":"u-12345"}"#),
        ] {
            let inference = infer([(input, output)])
            #expect(try Profile(parsing: inference.document).renames.isEmpty, "\(input)")
        }
        // Another sample shows that they are.
        let swapped = infer([
            (#"{"id":"a-12345","seq":"b-12345"}"#, #"{"seq":"a-12345","id":"b-12345"}"#),
            (#"{"id":"c-12345","seq":"c-12345"}"#, #"{"seq":"c-12345","id":"c-12345"}"#),
        ])
        #expect(swapped.failures == [])
    }

    @Test func `a hundred renames deep in the payload are found`() {
        /// Keys at the sixth level that have nothing in common.
        func text(_ letter: String, _ number: (Int) -> Int, value: (Int) -> String) -> String {
            let keys = (0..<100).map { "\"\(letter)\(number($0) * 7919 % 100_003)x\":\"\(value($0))\"" }
            return "{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":{\(keys.joined(separator: ","))}}}}}}"
        }
        let samples = (0..<3).map { sample in
            let value = { (key: Int) in "value \(key) of \(sample)" }
            return (text("k", { $0 }, value: value), text("z", { $0 + 500 }, value: value))
        }
        #expect(infer(samples).failures == [])
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

    /// The normalised output of one payload under a profile; nil if either is refused.
    private static func result(of text: [UInt8], under profile: [UInt8]) -> [UInt8]? {
        guard let plan = try? Profile(parsing: profile).compile(.forward) else { return nil }
        var converter = Converter(plan)
        return converter.result(of: text).flatMap(DraftTrial.normalised)
    }

    /// `CONVERT_INFERENCES` sets the number of profiles and `CONVERT_PAIRS_SEED` the first seed.
    @Test(.enabled(if: PythonReference.isAvailable, "needs python3"))
    func `profiles from samples convert like the generated profiles`() throws {
        let count = TestVariable.number("CONVERT_INFERENCES", 10)
        let seed = TestVariable.number("CONVERT_PAIRS_SEED", 1)
        let made = try PythonReference.run("generate_samples.py", ["--count", "\(count)", "--seed", "\(seed)"])
        try #require(made.status == 0, "\(made.errors)")
        var (right, all, open) = (0, 0, 0)
        for line in made.output.split(separator: UInt8(ascii: "\n")) {
            let one = try JSONDecoder().decode(Case.self, from: Data(line))
            let inference = infer(one.samples.map { ($0[0], $0[1]) })
            if !inference.failures.isEmpty { open += 1 }
            for pair in one.others {
                all += 1
                if Self.result(of: Array(pair[0].utf8), under: inference.document)
                    == DraftTrial.normalised(Array(pair[1].utf8))
                {
                    right += 1
                }
            }
        }
        print("\(right) of \(all) other payloads are converted alike; \(open) of \(count) profiles leave a sample open")
        #expect(all == count * 20)
        #expect(right * 100 >= all * 85)
        #expect(open * 4 <= count)
    }
}
