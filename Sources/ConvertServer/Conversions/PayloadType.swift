package import ConvertEngine
package import ConvertFormats
package import HTTPSemantics

/// The format of a payload by its Content-Type.
package struct PayloadType: Sendable, Hashable {
    package let format: PayloadFormat

    package static let json = PayloadType(format: .json)
    package static let lines = PayloadType(format: .ndjson)

    /// The types that the service reads, for `Accept-Post`.
    package static let accepted = acceptedJSON + ", application/x-www-form-urlencoded, application/x-plist"
    /// Those of them that a gateway converts.
    package static let acceptedJSON = "application/json, application/x-ndjson, application/jsonl"

    private init(format: PayloadFormat) { self.format = format }

    /// One JSON text, or one on each line.
    package var framing: Converter.Framing { format.framing }

    /// Whether the type is unreliable, so that the first byte must show whether this is JSON.
    ///
    /// This is true for `application/x-www-form-urlencoded`, which curl sends for everything in `--data`.
    var isUncertain: Bool { format == .form }

    /// Whether the payload is one JSON document, or may be one by its first byte.
    package var isDocument: Bool { format == .json || isUncertain }

    private static let usual = Array("application/json".utf8)

    /// Reads a Content-Type as it was sent; none means JSON.
    package init(contentType bytes: ArraySlice<UInt8>?) throws(Problem) {
        // The usual type needs no parsing.
        guard let bytes, !bytes.elementsEqual(Self.usual) else {
            self = .json
            return
        }
        try self.init(contentType: String(decoding: bytes, as: UTF8.self))
    }

    /// Reads a Content-Type; none means JSON.
    package init(contentType: String?) throws(Problem) {
        guard let contentType else {
            self = .json
            return
        }
        guard let mediaType = MediaType(contentType) else { throw Self.unsupported("the Content-Type cannot be read") }
        switch mediaType.essence {
        case "application/x-www-form-urlencoded": self.init(format: .form)
        case "application/x-plist", "application/x-apple-plist", "application/xml-plist", "application/x-bplist":
            self.init(format: .plist)
        case let essence:
            guard let framing = BodyType.framing(of: essence) else {
                throw Self.unsupported("this media type is not supported")
            }
            self = framing == .lines ? .lines : .json
        }
        if let charset = mediaType["charset"], !BodyType.isUTF8(charset) {
            throw Self.unsupported("the charset must be utf-8")
        }
    }

    /// The possible media types of the converted payload. The first one is the default.
    package var offers: [String] {
        switch framing {
        case .document: Self.documentOffers
        case .lines: BodyType.lineTypes
        }
    }

    /// Whether `Accept` chooses the media type of the converted payload.
    package var isNegotiated: Bool { offers.count > 1 }

    private static let documentOffers = ["application/json"]

    private static func unsupported(_ detail: String) -> Problem {
        .unsupportedType(detail, acceptPost: accepted)
    }
}
