import Conversions
package import ConvertEngine
package import HTTPSemantics
package import HTTPWire

/// How a request's body is handled on a route with `request`: decided once, from the header alone.
package enum RequestRuling: Sendable, Hashable {
    /// The body is converted, after it is decompressed, and is sent uncompressed. If its Content-Type is not JSON, it
    /// is sent as `application/json`, so that no backend reads it as anything else.
    case convert(Converter.Framing, coding: ContentCoding, isLabelled: Bool = true)
    /// The body is a JSON Patch (RFC 6902), which is converted as a whole.
    case convertPatch(coding: ContentCoding)
    /// The body passes unchanged, or there is none.
    case pass

    /// Decides how to handle a request. Throws 415 if the body is not eligible and the route requires that.
    ///
    /// If the route withholds data, every body is eligible, whatever its type, except for the types in `pass`.
    ///
    /// - Parameter hasBody: whether the request is framed to have a body; an empty one is never eligible.
    package init(_ fields: Fields, hasBody: Bool, by conversion: RequestConversion) throws(Problem) {
        guard hasBody else {
            self = .pass
            return
        }
        let type = BodyType(of: fields)
        if conversion.withholds, conversion.rule.passes.contains(where: { $0.covers(type, 0) }) {
            self = .pass
            return
        }
        // The position of a part would not fit its converted bytes (RFC 9110 §14.5).
        guard fields.count(of: "content-range") == 0 else {
            if conversion.rule.isRequired { throw Self.partialContent }
            self = .pass
            return
        }
        let coding = try? ContentCoding(contentEncoding: fields.values(for: "content-encoding"))
        if type.isWellFormed, let framing = type.framing, type.isUTF8, let coding {
            let isPatch = conversion.rule.convertsPatches && type.essence == Self.patchType
            self = isPatch ? .convertPatch(coding: coding) : .convert(framing, coding: coding)
            return
        }
        if conversion.withholds, type.isUTF8, let coding {
            self = .convert(.document, coding: coding, isLabelled: false)
            return
        }
        if conversion.rule.isRequired { throw Self.refusal(type) }
        self = .pass
    }

    private static let patchType = "application/json-patch+json"

    /// Throws 415 if a type of the body is that of a JSON Patch. Unless it is converted as a patch, it could copy withheld
    /// data to a path that clients can read, or write values that requests may not.
    static func refusePatch(_ fields: Fields) throws(Problem) {
        guard fields.values(for: "content-type").contains(where: { $0.lowercased().contains("json-patch") }) else {
            return
        }
        throw .unsupportedType(
            "this route withholds data, and takes no JSON Patch without `patch`", acceptPost: PayloadType.acceptedJSON)
    }

    package static let unsupportedType = Problem.unsupportedType(
        "this route accepts only JSON in UTF-8", acceptPost: PayloadType.acceptedJSON)

    private static let partialContent = Problem.unsupportedType(
        "this route converts bodies, and not parts of them: send the whole body, without Content-Range",
        acceptPost: PayloadType.acceptedJSON)

    private static func refusal(_ type: BodyType) -> Problem {
        guard type.isWellFormed, type.framing != nil, type.isUTF8 else { return unsupportedType }
        return Problem(CodingError(.unsupported, "the compression must be one of \(ContentCoding.undone)"))
    }
}
