import Text

/// A transformation of a representation that its recipient reverses (RFC 9110 §8.4.1).
///
/// `br` is Brotli (RFC 7932), `zstd` Zstandard (RFC 8878). Both are only used for responses, and only if the program
/// was built with their libraries. Their names are always known, because ETags of another replica may contain them.
package enum ContentCoding: String, Sendable, Hashable, CaseIterable {
    /// Best first: the order for a client that names several with the same weight. The names are the registered ones.
    case zstd, br, gzip, deflate, identity

    /// The codings of received bodies, as the value of an `Accept-Encoding` field.
    package static let undone = "gzip, deflate"

    /// The codings of responses, best first.
    package static let applied: [ContentCoding] = {
        var codings: [ContentCoding] = []
        #if Zstandard
            codings.append(.zstd)
        #endif
        #if Brotli
            codings.append(.br)
        #endif
        return codings + [.gzip, .deflate]
    }()

    /// The same for a client that accepts codings without naming them. The most common ones come first.
    static let unnamed = applied.filter(\.isUndone) + applied.filter { !$0.isUndone }

    /// The coding with this name in any case. `x-gzip` is another name of gzip (RFC 9110 §8.4.1.3).
    package init?(name: Substring.UTF8View) {
        let known = Self.allCases.first { name.spells($0.name) }
        guard let coding = known ?? (name.spells("x-gzip") ? .gzip : nil) else { return nil }
        self = coding
    }

    /// Reads the values of all `Content-Encoding` fields of a message.
    ///
    ///     Content-Encoding = [ content-coding *( OWS "," OWS content-coding ) ]
    ///
    /// One coding is decoded. Several on top of each other are refused as unsupported: their only use is to multiply
    /// the size of a decompression bomb. `identity` does not belong in this field, and changes nothing if it is there.
    package init(contentEncoding values: [String]) throws(CodingError) {
        self = .identity
        for element in values.joined(separator: ",").utf8.listElements {
            guard let coding = ContentCoding(name: element), coding.isUndone else {
                throw CodingError(.unsupported, "the compression must be one of \(Self.undone)")
            }
            guard coding != .identity else { continue }
            guard self == .identity else {
                throw CodingError(.unsupported, "only one compression is supported at a time")
            }
            self = coding
        }
    }

    /// Whether a received body may have it.
    package var isUndone: Bool {
        switch self {
        case .gzip, .deflate, .identity: true
        case .zstd, .br: false
        }
    }

    /// The registered name.
    package var name: String { rawValue }

    /// The value of the `Content-Encoding` field; nil for no field.
    package var fieldValue: String? { self == .identity ? nil : name }
}
