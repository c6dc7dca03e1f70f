import HTTPWire
import TestSupport

/// A case of `Fixtures/http` or of `Fixtures/responses`.
struct WireCase: Sendable {
    let name: String
    var limits: WireLimits
    var shown: Set<String> = []
    /// The status of the response to a request, and of one that is sent as soon as the head is there.
    var status = 200
    var statusAtHead: Int?
    /// The method of the request before a response.
    var method = "GET"
    var upgrade: String?
    /// Whether the whole request is sent before the response arrives.
    var isRequestComplete = true
    /// Whether there is a request at all.
    var hasRequest = true
    let bytes: [UInt8]
    let endsInput: Bool
    let expected: [String]

    private init(_ fixture: ExchangeFixture, _ limits: WireLimits) {
        self.limits = limits
        (name, bytes, endsInput, expected) = (fixture.name, fixture.bytes, fixture.endsInput, fixture.expected)
        for words in fixture.directives {
            switch (words[0], words.count) {
            case ("limit", 3): self.limits.set(words[1], to: Int(words[2]) ?? 0)
            case ("show", 2): shown.insert(String(words[1]))
            case ("answer", 2): status = Int(words[1]) ?? 0
            case ("answer-at-head", 2): statusAtHead = Int(words[1])
            case ("request", 2):
                method = String(words[1])
                hasRequest = method != "none"
            case ("upgrade", 2...): upgrade = words.dropFirst().joined(separator: " ")
            case ("unfinished", 1): isRequestComplete = false
            default: preconditionFailure("\(name): \(words)")
            }
        }
    }

    /// All cases, sorted by name.
    static let requests = all(in: "http", WireLimits())
    static let responses = all(in: "responses", .upstream)

    private static func all(in folder: String, _ limits: WireLimits) -> [WireCase] {
        ((try? ExchangeFixture.all(in: folder)) ?? []).map { WireCase($0, limits) }
    }
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
