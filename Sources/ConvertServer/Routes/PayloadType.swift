import ConvertCore
import HTTPSemantics
import HTTPWire

/// What a payload's Content-Type says about how to read it.
struct PayloadType: Sendable, Hashable {
    let format: PayloadFormat

    static let json = PayloadType(format: .json)
    static let lines = PayloadType(format: .ndjson)

    /// What the server reads, for `Accept-Post`.
    static let accepted =
        "application/json, application/x-ndjson, application/jsonl, application/x-www-form-urlencoded, application/x-plist"

    private init(format: PayloadFormat) { self.format = format }

    /// One JSON text, or one a line.
    var framing: Converter.Framing { format.framing }

    /// Whether the type says nothing, so that the first byte must show whether this is JSON.
    ///
    /// So it is with `application/x-www-form-urlencoded`, which curl says of everything that `--data` sends.
    var isUncertain: Bool { format == .form }

    /// Whether the payload may be, or become, one JSON document without more than a look at its first byte.
    var isDocument: Bool { format == .json || isUncertain }

    private static let usual = Array("application/json".utf8)

    /// Reads a Content-Type as it was sent; none means JSON.
    init(contentType bytes: ArraySlice<UInt8>?) throws(Problem) {
        // What nearly everybody sends needs no reading.
        guard let bytes, !bytes.elementsEqual(Self.usual) else {
            self = .json
            return
        }
        try self.init(contentType: String(decoding: bytes, as: UTF8.self))
    }

    /// Reads a Content-Type; none means JSON.
    init(contentType: String?) throws(Problem) {
        guard let contentType else {
            self = .json
            return
        }
        guard let mediaType = MediaType(contentType) else { throw Self.unsupported("the Content-Type cannot be read") }
        switch mediaType.essence {
        case "application/json": self = .json
        case "application/x-ndjson", "application/jsonl": self = .lines
        case "application/x-www-form-urlencoded": self.init(format: .form)
        case "application/x-plist", "application/x-apple-plist", "application/xml-plist", "application/x-bplist":
            self.init(format: .plist)
        case let essence where essence.hasSuffix("+json"): self = .json
        default: throw Self.unsupported("this media type is not supported")
        }
        if let charset = mediaType["charset"], charset.lowercased() != "utf-8" {
            throw Self.unsupported("the charset must be utf-8")
        }
    }

    /// What the converted payload can be called, the first being the default.
    var offers: [String] {
        switch framing {
        case .document: Self.documentOffers
        case .lines: Self.lineOffers
        }
    }

    /// Whether `Accept` chooses what the converted payload is called.
    var isNegotiated: Bool { offers.count > 1 }

    private static let documentOffers = ["application/json"]
    private static let lineOffers = ["application/x-ndjson", "application/jsonl"]

    private static func unsupported(_ detail: String) -> Problem {
        .unsupportedType(detail, acceptPost: accepted)
    }
}
