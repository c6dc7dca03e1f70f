import ConvertCore
import FoundationEssentials
import Testing

/// Printed descriptions of the library's errors.
struct ErrorDescriptionTests {
    @Test func `each error has its reason and path, on one line`() throws {
        let plan = try Profile(.dates(at: "joined", from: [.rfc3339], to: .epochSeconds)).compile(.forward)
        let conversion = #expect(throws: ConversionError.self) { try plan.convert("{\n \"joined\": \"x\"}") }
        #expect(
            conversion?.description
                == "2:12: badValue: expected a date in the format rfc3339 (/joined), by the rule /dates/0")
        let malformed = #expect(throws: ConversionError.self) { try plan.convert("[") }
        #expect(malformed?.description.hasPrefix("1:2: json: ") == true)

        let profile = #expect(throws: ProfileError.self) { try Profile(.drop("/a~9"), .keep("")) }
        #expect(profile?.description.split(separator: "\n").count == 2)

        let zone = #expect(throws: DateStrategyError.self) {
            try JSONDecoder.DateDecodingStrategy.flexible(assuming: "Mars/Base")
        }
        #expect(zone?.description == "Mars/Base is not a known time zone")

        let serialization = #expect(throws: SerializationError.self) {
            try ValueSerializer<JSONValue>.json.value(fromJSON: Array("{\"a\":\n[1,]}".utf8))
        }
        #expect(serialization?.description.hasPrefix("expected JSON, found an error on line 2, column 4 (") == true)
    }

    @Test func `a failed element has its pointer and its error`() throws {
        var decoder = ConvertDecoder()
        decoder.elementFailures = [ElementFailureRule(.skip)]
        let failure = try #require(try decoder.decodeReporting([Int].self, from: #"[1,"x"]"#).failures.first)
        #expect("\(failure)" == "/1: \(failure.error)")
    }

    @Test func `each error shows its description to users, too`() {
        let errors: [any LocalizedError & CustomStringConvertible] = [
            ConversionError(code: .limit, message: "too deep", offset: 7, line: 1, column: 8, pointer: "/a"),
            ProfileError(faults: [ProfileFault(pointer: "/keyz", line: 1, column: 2, message: "unknown key")]),
            ProfileFault(pointer: "/keyz", line: 1, column: 2, message: "unknown key"),
            SerializationError(expected: "a URL", found: "a number"),
            SerializableError(code: .decode, message: "expected a URL"),
        ]
        for error in errors { #expect(error.errorDescription == error.description) }
        let zone = #expect(throws: DateStrategyError.self) {
            try JSONDecoder.DateDecodingStrategy.flexible(assuming: "Mars/Base")
        }
        #expect(zone?.errorDescription == "Mars/Base is not a known time zone")
    }

    @Test func `a date format is printed as a profile names it`() {
        #expect("\(DateFormat.epochSeconds)" == "epoch-s")
        #expect("\(DateFormat.pattern("dd.MM.yyyy"))" == "dd.MM.yyyy")
    }

    @Test func `rules without effect are printed with their purpose`() throws {
        var decoder = try ConvertDecoder(Profile(.rename("/a", to: "b"), .drop("c")))
        decoder.elementFailures = [
            ElementFailureRule(.skip, inArray: "/x/*/y"), ElementFailureRule(.replace(with: 1), inArray: ""),
            ElementFailureRule(.fail),
        ]
        let report = try decoder.decodeReporting([Int].self, from: "[1]")
        #expect(
            report.unmatchedRules.map(\.description)
                == ["/a cannot match, since the root is an array (/rename/~1a)", "c matches nothing (/drop/0)"])
        #expect(
            decoder.elementFailures.map(\.description)
                == ["skip elements of /x/*/y", "replace elements of the root", "fail on elements of every array"])
    }

    @Test func `a failed element's message shortens a long pointer; the failure has it whole`() throws {
        let key = String(repeating: "k", count: 60_000)
        for profile in [Profile?.none, try Profile(.rename("old", to: "new"))] {
            var decoder = ConvertDecoder()
            if let profile { decoder = try ConvertDecoder(profile) }
            decoder.elementFailures = [ElementFailureRule(.skip)]
            let report = try decoder.decodeReporting([String: [Int]].self, from: #"{"\#(key)":["a",1,"b"]}"#)
            #expect(report.value == [key: [1]])
            #expect(report.failures.map(\.pointer) == ["/\(key)/0", "/\(key)/2"])
            #expect(report.failures.map(\.payloadPointer) == ["/\(key)/0", "/\(key)/2"])
            for (failure, index) in zip(report.failures, [0, 2]) {
                let context = try #require((failure.error as? DecodingError)?.context(of: .typeMismatch))
                #expect(context.debugDescription.hasSuffix("kkk/\(index)\""))
                #expect(context.debugDescription.utf8.count < 400)
            }
        }
    }
}
