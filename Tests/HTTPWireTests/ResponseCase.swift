import HTTPWire
import TestSupport

/// A case of `Fixtures/responses`.
struct ResponseCase: Sendable {
    let name: String
    var limits = WireLimits.upstream
    var shown: Set<String> = []
    var method = "GET"
    var upgrade: String?
    /// Whether the whole request is sent before the response arrives.
    var isRequestComplete = true
    /// Whether there is a request at all.
    var hasRequest = true
    let bytes: [UInt8]
    let endsInput: Bool
    let expected: [String]

    init(_ fixture: ExchangeFixture) {
        (name, bytes, endsInput, expected) = (fixture.name, fixture.bytes, fixture.endsInput, fixture.expected)
        for words in fixture.directives {
            switch (words[0], words.count) {
            case ("limit", 3): limits.set(words[1], to: Int(words[2]) ?? 0)
            case ("show", 2): shown.insert(String(words[1]))
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
    static let all = ((try? ExchangeFixture.all(in: "responses")) ?? []).map(ResponseCase.init)
}
