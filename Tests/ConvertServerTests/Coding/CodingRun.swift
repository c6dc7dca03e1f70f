import ConvertEngine

@testable import ContentCodings
@testable import ConvertServer
@testable import HTTPSemantics

/// Contents of each kind that a coder handles in its own way.
enum CodingSamples {
    static let text = Array(#"{"first_name":"Ada","last_name":"Lovelace","tags":["a","a","a","a","b"]}"#.utf8)

    /// The compressions whose libraries this build includes, best first.
    static let builtIn: [ContentCoding] = {
        var codings: [ContentCoding] = []
        #if Zstandard
            codings.append(.zstd)
        #endif
        #if Brotli
            codings.append(.br)
        #endif
        return codings
    }()

    static let all: [[UInt8]] = {
        var numbers = SeededNumbers(seed: 11)
        return [
            [], [0], Array("7".utf8), text,
            (0..<2000).flatMap { Array(#"{"order_id":\#($0),"is_open":true}"#.utf8) },
            numbers.bytes(40_000),
            [UInt8](repeating: 0, count: 300_000),
        ]
    }()
}

extension Inflater {
    /// Decodes content that arrives in pieces, at most `maxBytes` at a time, and checks this limit.
    static func decode(
        _ pieces: [ArraySlice<UInt8>], _ coding: ContentCoding, limits: Limits = Limits(maxDecodedBytes: nil),
        maxBytes: Int = 64 * 1024
    ) throws(CodingError) -> [UInt8] {
        var inflater = Inflater(coding, limits: limits)
        var content: [UInt8] = []
        var portion = ByteBuffer()
        for piece in pieces {
            var position = 0
            let bytes = Array(piece)
            while true {
                let progress = try inflater.decode(bytes.span, at: &position, maxBytes: maxBytes, into: &portion)
                precondition(portion.count <= maxBytes, "more was decoded than there was room for")
                content += [UInt8](portion)
                portion.removeAll()
                guard case .needsRoom = progress else { break }
            }
            precondition(position == bytes.count, "input was left though more was asked for")
        }
        try inflater.finish()
        return content
    }

    static func decode(
        _ coded: [UInt8], _ coding: ContentCoding, limits: Limits = Limits(maxDecodedBytes: nil)
    ) throws(CodingError) -> [UInt8] {
        try decode([coded[...]], coding, limits: limits)
    }

    /// The error from decoding, nil if it succeeds.
    static func fault(
        in coded: [UInt8], _ coding: ContentCoding, limits: Limits = Limits(maxDecodedBytes: nil)
    ) -> CodingError? {
        do throws(CodingError) {
            _ = try decode(coded, coding, limits: limits)
            return nil
        } catch {
            return error
        }
    }
}

extension Array where Element == UInt8 {
    /// The bytes as slices of one byte each.
    var singles: [ArraySlice<UInt8>] { indices.map { self[$0...$0] } }
}
