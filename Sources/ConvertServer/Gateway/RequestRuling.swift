import ConvertCore
import HTTPWire

/// What becomes of a request's body on a route with `request`: decided once, from the head alone.
enum RequestRuling: Sendable, Hashable {
    /// The body is converted, after `coding` is undone; it goes on as identity.
    case convert(Converter.Framing, coding: ContentCoding)
    /// The body goes on as it came, or there is none.
    case pass

    /// Decides on a request; throws 415 where only eligible bodies are wanted.
    ///
    /// - Parameter hasBody: whether the request is framed to have a body; an empty one is never eligible.
    init(_ fields: Fields, hasBody: Bool, isRequired: Bool) throws(Problem) {
        guard hasBody else {
            self = .pass
            return
        }
        let type = BodyType(of: fields)
        let coding = try? ContentCoding(contentEncoding: fields.values(for: "content-encoding"))
        if type.isWellFormed, let framing = type.framing, type.isUTF8, let coding {
            self = .convert(framing, coding: coding)
            return
        }
        if isRequired { throw Self.refusal(type, coding) }
        self = .pass
    }

    private static func refusal(_ type: BodyType, _ coding: ContentCoding?) -> Problem {
        guard type.isWellFormed, type.framing != nil, type.isUTF8 else {
            return .unsupportedType("this route accepts only JSON in UTF-8", acceptPost: PayloadType.accepted)
        }
        return Problem(CodingError(.unsupported, "the compression must be one of \(ContentCoding.undone)"))
    }
}
