/// A transformation of a representation that its recipient undoes (RFC 9110 §8.4.1).
enum ContentCoding: Sendable, Hashable, CaseIterable {
    /// Best first: what is sent to a client that likes several equally.
    case gzip, deflate, identity

    /// What is read and written, as the value of an `Accept-Encoding` field.
    static let offers = "gzip, deflate"

    /// The coding of a name in any case; `x-gzip` is another name of gzip (RFC 9110 §8.4.1.3).
    init?(name: Substring.UTF8View) {
        if name.spells("gzip") || name.spells("x-gzip") {
            self = .gzip
        } else if name.spells("deflate") {
            self = .deflate
        } else if name.spells("identity") {
            self = .identity
        } else {
            return nil
        }
    }

    /// Reads the values of all `Content-Encoding` fields of a message.
    ///
    ///     Content-Encoding = [ content-coding *( OWS "," OWS content-coding ) ]
    ///
    /// One coding is undone. Several on top of each other are refused as unsupported: nobody sends them but to multiply what
    /// a bomb decodes to. `identity` does not belong in this field, and changes nothing where it stands nonetheless.
    init(contentEncoding values: [String]) throws(CodingError) {
        self = .identity
        for element in values.joined(separator: ",").utf8.listElements {
            guard let coding = ContentCoding(name: element) else {
                throw CodingError(.unsupported, "the content coding must be one of \(Self.offers)")
            }
            guard coding != .identity else { continue }
            guard self == .identity else {
                throw CodingError(.unsupported, "no more than one content coding is undone")
            }
            self = coding
        }
    }

    /// The registered name.
    var name: String {
        switch self {
        case .gzip: "gzip"
        case .deflate: "deflate"
        case .identity: "identity"
        }
    }

    /// The value of the `Content-Encoding` field, nil where there shall be none.
    var fieldValue: String? { self == .identity ? nil : name }
}
