@testable package import HTTPSemantics

/// Contents of each kind that a coder handles in its own way.
package enum CodingSamples {
    package static let text = Array(#"{"first_name":"Ada","last_name":"Lovelace","tags":["a","a","a","a","b"]}"#.utf8)

    /// The compressions whose libraries this build includes, best first.
    package static let builtIn: [ContentCoding] = {
        var codings: [ContentCoding] = []
        #if Zstandard
            codings.append(.zstd)
        #endif
        #if Brotli
            codings.append(.br)
        #endif
        return codings
    }()

    package static let all: [[UInt8]] = {
        var numbers = SeededGenerator(seed: 11)
        return [
            [], [0], Array("7".utf8), text,
            (0..<2000).flatMap { Array(#"{"order_id":\#($0),"is_open":true}"#.utf8) },
            numbers.bytes(40_000),
            [UInt8](repeating: 0, count: 300_000),
        ]
    }()
}

extension Array where Element == UInt8 {
    /// The bytes as slices of one byte each.
    package var singles: [ArraySlice<UInt8>] { indices.map { self[$0...$0] } }
}
