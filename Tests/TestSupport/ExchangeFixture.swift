/// A file of `Fixtures/http` or of `Fixtures/responses`; their READMEs describe the format.
package struct ExchangeFixture: Sendable {
    package let name: String
    /// The words of each directive.
    package private(set) var directives: [[Substring]] = []
    package private(set) var bytes: [UInt8] = []
    /// Whether the input ends after the bytes.
    package private(set) var endsInput = false
    /// The expected events, each with its bytes in the notation of `EscapedBytes`.
    package private(set) var expected: [String] = []

    init(name: String, text: String) {
        self.name = name
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let rest = line.dropFirst(2)
            switch line.first {
            case "@": directives.append(rest.split(separator: " "))
            case ">": bytes += EscapedBytes.decode(rest)
            case "!": endsInput = true
            case "=": expected.append(EscapedBytes.encode(EscapedBytes.decode(rest)))
            default: preconditionFailure("\(name): \(line)")
            }
        }
    }

    /// All files of the folder, sorted by name.
    package static func all(in folder: String) throws -> [ExchangeFixture] {
        try Fixtures.files(in: folder, ending: ".http").map {
            ExchangeFixture(name: $0.name, text: String(decoding: $0.bytes, as: UTF8.self))
        }
    }
}
