import Testing

@testable import ConvertServer
@testable import HTTPSemantics
@testable import Sockets
@testable import Text

/// Python's gzip and zlib, and the decoders of the brotli and zstd libraries, which check both directions.
enum PythonCoding {
    /// The format around the deflate data, named as in the script.
    enum Format: String, CaseIterable {
        case gzip, deflate, raw

        /// The content coding that a client would announce for it.
        var coding: ContentCoding { self == .gzip ? .gzip : .deflate }
    }

    struct Failure: Error { let complaint: String }

    static func encode(_ content: [UInt8], _ format: Format, level: Int = 6) throws -> [UInt8] {
        try run(["encode", format.rawValue, String(level)], content)
    }

    static func decode(_ coded: [UInt8], _ coding: ContentCoding) throws -> [UInt8] {
        try run(["decode", coding.name], coded)
    }

    /// The part of the content that can be decoded from its first compressed bytes.
    static func decode(beginning coded: [UInt8], _ coding: ContentCoding) throws -> [UInt8] {
        try run(["begin", coding.name], coded)
    }

    /// The decoded bytes of each content, nil for contents that are refused.
    static func judge(_ contents: [[UInt8]], _ format: Format) throws -> [[UInt8]?] {
        let lines = contents.map { $0.map(Self.hex).joined() + "\n" }.joined()
        let verdicts = try run(["judge", format.rawValue], Array(lines.utf8))
        return String(decoding: verdicts, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map { $0 == "-" ? nil : bytes(hex: $0) }
    }

    private static func run(_ arguments: [String], _ input: [UInt8]) throws -> [UInt8] {
        let script = BuiltProgram.project + "/Tests/reference/content_coding.py"
        let outcome = try ChildProcess(
            program: "/usr/bin/env", arguments: ["python3", "-B", script] + arguments,
            environment: ["PATH": ProcessEnvironment.process["PATH"] ?? "/usr/bin:/bin"], input: .bytes(input)
        ).run()
        guard outcome.status == 0 else { throw Failure(complaint: outcome.errors) }
        return outcome.output
    }

    private static func hex(_ byte: UInt8) -> String {
        String(decoding: [ASCII.hexDigit(byte / 16), ASCII.hexDigit(byte % 16)], as: UTF8.self)
    }

    private static func bytes(hex text: Substring) -> [UInt8] {
        let digits = text.utf8.compactMap { ASCII.hexValue($0) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
    }
}

/// Random numbers that are the same in every run.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    // Marsaglia's xorshift64.
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }
}
