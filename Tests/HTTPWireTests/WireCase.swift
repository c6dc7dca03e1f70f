import HTTPWire
import TestSupport

/// A case of `Fixtures/http`.
struct WireCase: Sendable {
    let name: String
    var limits = WireLimits()
    var shown: Set<String> = []
    var status = 200
    var statusAtHead: Int?
    let bytes: [UInt8]
    let endsInput: Bool
    let expected: [String]

    init(_ fixture: ExchangeFixture) {
        (name, bytes, endsInput, expected) = (fixture.name, fixture.bytes, fixture.endsInput, fixture.expected)
        for words in fixture.directives {
            switch (words[0], words.count) {
            case ("limit", 3): limits.set(words[1], to: Int(words[2]) ?? 0)
            case ("show", 2): shown.insert(String(words[1]))
            case ("answer", 2): status = Int(words[1]) ?? 0
            case ("answer-at-head", 2): statusAtHead = Int(words[1])
            default: preconditionFailure("\(name): \(words)")
            }
        }
    }

    /// All cases, sorted by name.
    static let all = ((try? ExchangeFixture.all(in: "http")) ?? []).map(WireCase.init)
}

extension WireLimits {
    /// Sets the limit with this name.
    mutating func set(_ limit: Substring, to value: Int) {
        switch limit {
        case "maxRequestLineBytes": maxRequestLineBytes = value
        case "maxFieldBytes": maxFieldBytes = value
        case "maxHeadBytes": maxHeadBytes = value
        case "maxFields": maxFields = value
        case "maxBodyBytes": maxBodyBytes = value
        case "maxChunkExtensionBytes": maxChunkExtensionBytes = value
        case "maxTrailerBytes": maxTrailerBytes = value
        case "maxDrainBytes": maxDrainBytes = value
        case "maxInformationalResponses": maxInformationalResponses = value
        default: preconditionFailure("unknown limit \(limit)")
        }
    }
}

extension Fields {
    /// The lines of a fixture for these fields.
    var fixtureLines: [String] {
        (0..<count).map { "field \(name(at: $0))|\(EscapedBytes.encode(valueBytes(at: $0)))" }
    }
}
