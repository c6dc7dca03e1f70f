import ConvertCore
import FoundationEssentials
import Testing

@Suite("What errors of the library say when they are printed")
struct ErrorDescriptionTests {
    @Test("each says what is wrong and where, on one line a fault")
    func descriptions() throws {
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
}
