import FoundationEssentials
import HTTPWire

/// One file of `Fixtures/http`; its README describes the format.
struct WireCase: Sendable {
    let name: String
    var limits = WireLimits()
    var shown: Set<String> = []
    var status = 200
    var statusAtHead: Int?
    var bytes: [UInt8] = []
    var endsInput = false
    var expected: [String] = []

    init(name: String, text: String) {
        self.name = name
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let rest = line.dropFirst(2)
            switch line.first {
            case "@": read(directive: rest.split(separator: " "))
            case ">": bytes += EscapedBytes.decode(rest)
            case "!": endsInput = true
            case "=": expected.append(EscapedBytes.encode(EscapedBytes.decode(rest)))
            default: preconditionFailure("\(name): \(line)")
            }
        }
    }

    private mutating func read(directive words: [Substring]) {
        switch (words[0], words.count) {
        case ("limit", 3): limits.set(words[1], to: Int(words[2]) ?? 0)
        case ("show", 2): shown.insert(String(words[1]))
        case ("answer", 2): status = Int(words[1]) ?? 0
        case ("answer-at-head", 2): statusAtHead = Int(words[1])
        default: preconditionFailure("\(name): \(words)")
        }
    }

    /// All cases, sorted by name.
    static let all = FixtureFolder.read("http").map { WireCase(name: $0.name, text: $0.text) }
}

/// The files of a fixture folder.
enum FixtureFolder {
    /// The name and the text of each `.http` file, sorted by name.
    static func read(_ folder: String) -> [(name: String, text: String)] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let folder = tests.appending(path: "Fixtures").appending(path: folder)
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return paths.filter { $0.hasSuffix(".http") }.sorted().compactMap { path in
            guard let data = try? Data(contentsOf: folder.appending(path: path)) else { return nil }
            return (String(path.dropLast(5)), String(decoding: data, as: UTF8.self))
        }
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

/// Random numbers that are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
