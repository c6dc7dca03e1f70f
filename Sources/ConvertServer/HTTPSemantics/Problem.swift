package import ConvertEngine
package import ConvertProfiles
package import HTTPWire
import Text

/// A problem (RFC 9457): the only form in which the server reports errors.
///
/// It contains what was expected and where, and never a byte of a payload's values.
package struct Problem: Error, Sendable, Hashable {
    /// A response field of the problem, such as `Allow`.
    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// For every response whose compression was negotiated (RFC 9110 §12.5.5).
        package static let variesByCoding = Field(name: "Vary", value: "Accept-Encoding")
    }

    package var status: Int
    package var detail: String
    /// A stable word for programs.
    package var code: String?
    /// JSON Pointer into the payload.
    package var pointer: String?
    package var line: Int?
    package var column: Int?
    /// Bytes before the error.
    package var offset: Int?
    /// JSON Pointer into the profile.
    package var rule: String?
    package var hint: String?
    /// The query parameter or form part that is wrong.
    package var parameter: String?
    /// All errors of a profile. Then line and column count in the profile.
    package var faults: [ProfileFault] = []
    package var fields: [Field] = []

    package init(
        _ status: Int, _ detail: String, code: String? = nil, hint: String? = nil, fields: [Field] = []
    ) {
        self.status = status
        self.detail = detail
        self.code = code
        self.hint = hint
        self.fields = fields
    }
}

// MARK: - Sources of problems

extension Problem {
    /// A payload that is not JSON or is too deep is a bad request; one that breaks a rule of the profile cannot be
    /// processed.
    package init(_ error: ConversionError) {
        let status =
            switch error.code {
            case .json, .limit, .form, .plist: 400
            case .duplicateKey, .require, .badValue, .collision, .lossyKey, .move, .flatten: 422
            }
        self.init(status, error.message, code: error.code.rawValue)
        pointer = error.pointer
        line = error.line
        column = error.column
        offset = error.offset
        rule = error.rule
    }

    /// A protocol error. Its offset counts in the head, or in the body as received.
    package init(_ error: WireError) {
        self.init(error.status, error.message, code: error.code.rawValue)
        offset = error.offset
        if status == 413 { hint = Self.longBodyHint }
    }

    /// An error in a compressed body. Its offset counts compressed bytes, so it is not reported as the payload's.
    package init(_ error: CodingError) {
        self.init(error.status, error.message, code: error.code.rawValue)
        if error.code == .tooLong { hint = Self.longBodyHint }
        if status == 415 { fields = [Field(name: "Accept-Encoding", value: ContentCoding.undone)] }
    }

    private static let longBodyHint = "send less, or have the operator raise --max-body-bytes"

    /// An error in a profile that came with the request, or that cannot be compiled for the requested direction.
    package init(_ error: ProfileError) {
        let detail = error.faults.first?.message ?? "the profile has errors"
        self.init(422, detail, code: "profile", faults: error.faults)
    }

    /// A problem with a profile, at the position of its first error.
    package init(_ status: Int, _ detail: String, code: String, faults: [ProfileFault]) {
        let first = faults.first
        self.init(status, detail, code: code, hint: first?.hint)
        line = first?.line
        column = first?.column
        rule = first?.pointer
        self.faults = faults
    }

    /// An invalid query parameter or form part.
    package static func badParameter(_ name: String, _ detail: String, hint: String? = nil) -> Problem {
        var problem = Problem(400, detail, code: "parameter", hint: hint)
        problem.parameter = name
        return problem
    }

    package static func notAllowed(_ allowed: String) -> Problem {
        Problem(
            405, "this path allows \(allowed)", code: "method-not-allowed",
            fields: [Field(name: "Allow", value: allowed)])
    }

    package static func notAcceptable(_ offered: [String]) -> Problem {
        Problem(406, "the response would be \(offered.joined(separator: " or "))", code: "not-acceptable")
    }

    /// A client that accepts none of the codings, not even `identity`.
    package static let noAcceptableCoding: Problem = {
        let codings = ContentCoding.applied.map(\.name).joined(separator: ", ")
        return Problem(
            406, "the response can be uncompressed, or compressed with \(codings)", code: "not-acceptable",
            fields: [.variesByCoding])
    }()

    /// The server cannot take the request now. It, or another one, may take it soon.
    package static func unavailable(_ detail: String, code: String, hint: String? = nil) -> Problem {
        Problem(503, detail, code: code, hint: hint, fields: [Field(name: "Retry-After", value: retryAfterSeconds)])
    }

    /// In seconds. Another server can take the request at once, and a restart takes no longer.
    private static let retryAfterSeconds = "1"

    /// - Parameter acceptPost: the media types that are accepted, with commas between them.
    package static func unsupportedType(_ detail: String, acceptPost: String) -> Problem {
        Problem(
            415, "\(detail); accepted types: \(acceptPost)", code: "unsupported-media-type",
            fields: [Field(name: "Accept-Post", value: acceptPost)])
    }
}

// MARK: - Rendering

extension Problem {
    package static let contentType = "application/problem+json"

    /// The most bytes of UTF-8 that any text of a problem may have.
    package static let maxTextBytes = 1024

    /// The beginning of `type`, before the code: a tag (RFC 4151), because at a gateway every path is the backend's.
    static let typePrefix = "tag:convert-server,2026:error/"

    /// The problem as a minified JSON text.
    package func json(requestID: String?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("type", code.map { Self.typePrefix + $0 } ?? "about:blank")
            writer.member("title", ResponseHead.reasonPhrase(for: status))
            writer.member("status", status)
            writer.member("detail", Self.short(detail))
            writer.member("code", code)
            writer.member("parameter", Self.short(parameter))
            writer.member("pointer", Self.short(pointer))
            writer.member("line", line)
            writer.member("column", column)
            writer.member("offset", offset)
            writer.member("rule", Self.short(rule))
            writer.member("hint", Self.short(hint))
            writeFaults(to: &writer)
            writer.member("requestId", requestID)
        }
    }

    private static func short(_ text: String?) -> String? {
        text.map { ShortText($0, maxBytes: maxTextBytes).text }
    }

    /// A profile's errors, in the form of the report of `POST /v1/profiles/check`.
    private func writeFaults(to writer: inout JSONWriter) {
        guard !faults.isEmpty else { return }
        writer.objects("faults", of: faults) { writer, fault in
            writer.member("pointer", Self.short(fault.pointer))
            writer.member("line", fault.line)
            writer.member("column", fault.column)
            writer.member("message", Self.short(fault.message))
            writer.member("hint", Self.short(fault.hint))
        }
    }
}
