import Testing

@testable package import HTTPSemantics
@testable import Text

/// Python's gzip and zlib, and the decoders of the brotli and zstd libraries, which check both directions.
package enum PythonCoding {
    /// The format around the deflate data, named as in the script.
    package enum Format: String, CaseIterable {
        case gzip, deflate, raw

        /// The content coding that a client would announce for it.
        package var coding: ContentCoding { self == .gzip ? .gzip : .deflate }
    }

    package struct Failure: Error { let errors: String }

    package static func encode(_ content: [UInt8], _ format: Format, level: Int = 6) throws -> [UInt8] {
        try run(["encode", format.rawValue, String(level)], content)
    }

    package static func decode(_ coded: [UInt8], _ coding: ContentCoding) throws -> [UInt8] {
        try run(["decode", coding.name], coded)
    }

    /// The part of the content that can be decoded from its first compressed bytes.
    package static func decode(beginning coded: [UInt8], _ coding: ContentCoding) throws -> [UInt8] {
        try run(["begin", coding.name], coded)
    }

    /// The decoded bytes of each content, nil for contents that are refused.
    package static func decodeEach(_ contents: [[UInt8]], _ format: Format) throws -> [[UInt8]?] {
        let lines = contents.map { $0.map(Self.hex).joined() + "\n" }.joined()
        let results = try run(["judge", format.rawValue], Array(lines.utf8))
        return String(decoding: results, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map { $0 == "-" ? nil : bytes(hex: $0) }
    }

    private static func run(_ arguments: [String], _ input: [UInt8]) throws -> [UInt8] {
        let outcome = try ChildProcess(script: "reference/content_coding.py", arguments, input: .bytes(input)).run()
        guard outcome.status == 0 else { throw Failure(errors: outcome.errors) }
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
