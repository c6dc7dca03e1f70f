import HTTPWire

/// One file of `Fixtures/responses`; its README describes the format.
struct ResponseCase: Sendable {
    enum End {
        case open, closed
    }

    let name: String
    var limits = WireLimits.upstream
    var shown: Set<String> = []
    var method = "GET"
    var upgrade: String?
    /// Whether the whole request is sent before the response arrives.
    var isRequestComplete = true
    /// Whether there is a request at all.
    var hasRequest = true
    var bytes: [UInt8] = []
    var end = End.open
    var expected: [String] = []

    init(name: String, text: String) {
        self.name = name
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let rest = line.dropFirst(2)
            switch line.first {
            case "@": read(directive: rest.split(separator: " "))
            case ">": bytes += EscapedBytes.decode(rest)
            case "!": end = .closed
            case "=": expected.append(EscapedBytes.encode(EscapedBytes.decode(rest)))
            default: preconditionFailure("\(name): \(line)")
            }
        }
    }

    private mutating func read(directive words: [Substring]) {
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

    /// All cases, sorted by name.
    static let all = FixtureFolder.read("responses").map { ResponseCase(name: $0.name, text: $0.text) }
}
