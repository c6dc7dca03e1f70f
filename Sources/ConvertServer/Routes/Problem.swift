import ConvertCore
import HTTPWire
import Text

/// A refusal as RFC 9457 describes it: the one form in which every fault leaves the server.
///
/// It says what was expected and where, and never repeats a byte of a payload's values.
struct Problem: Error, Sendable, Hashable {
    /// A response field that belongs to the refusal, such as `Allow`.
    struct Field: Sendable, Hashable {
        let name: String
        let value: String

        /// Goes with every answer whose coding was the client's choice (RFC 9110 §12.5.5).
        static let variesByCoding = Field(name: "Vary", value: "Accept-Encoding")
    }

    var status: Int
    var detail: String
    /// A stable word for programs.
    var code: String?
    /// JSON Pointer into the payload.
    var pointer: String?
    var line: Int?
    var column: Int?
    /// Bytes before the fault.
    var offset: Int?
    /// JSON Pointer into the profile.
    var rule: String?
    var hint: String?
    /// The query parameter or form part that is wrong.
    var parameter: String?
    /// All that is wrong with a profile; line and column are those of the profile then.
    var faults: [ProfileFault] = []
    var fields: [Field] = []

    init(_ status: Int, _ detail: String, code: String? = nil) {
        self.status = status
        self.detail = detail
        self.code = code
    }
}

// MARK: - Where problems come from

extension Problem {
    /// A payload that is not JSON or is too deep is a bad request; one that breaks a rule of the profile cannot be
    /// processed.
    init(_ error: ConversionError) {
        let status =
            switch error.code {
            case .json, .limit, .form, .plist: 400
            case .duplicateKey, .require, .badValue, .collision, .lossyKey, .move: 422
            }
        self.init(status, error.message, code: error.code.rawValue)
        pointer = error.pointer
        line = error.line
        column = error.column
        offset = error.offset
        rule = error.rule
    }

    /// A fault of the protocol; its offset counts in the head or in the body as sent, so it is not given as the payload's.
    init(_ error: WireError) {
        self.init(error.status, error.message, code: error.code.rawValue)
    }

    /// A content coding; its offset counts coded bytes, so it is not given as the payload's.
    init(_ error: CodingError) {
        self.init(error.status, error.message, code: error.code.rawValue)
        if status == 415 { fields = [Field(name: "Accept-Encoding", value: ContentCoding.undone)] }
    }

    /// A profile that came with the request, or that cannot be compiled as the request wants.
    init(_ error: ProfileError) {
        let first = error.faults.first
        self.init(422, first?.message ?? "the profile has errors", code: "profile")
        line = first?.line
        column = first?.column
        rule = first?.pointer
        hint = first?.hint
        faults = error.faults
    }

    /// A query parameter or form part that makes no sense.
    static func badParameter(_ name: String, _ detail: String, hint: String? = nil) -> Problem {
        var problem = Problem(400, detail, code: "parameter")
        problem.parameter = name
        problem.hint = hint
        return problem
    }

    static func noProfile(_ name: String) -> Problem {
        var problem = Problem(404, "the server has no profile with this name", code: "unknown-profile")
        problem.hint = "GET /v1/profiles lists the names"
        return problem
    }

    /// A profile whose file has an error and never had a good version.
    static func faultyProfile(_ entry: ProfileSet.Entry) -> Problem {
        let first = entry.faults.first
        let reason =
            first.map { "\(entry.name).json:\($0.line):\($0.column): \($0.message)" } ?? entry.publicFault ?? ""
        var problem = Problem(503, "the profile cannot be used: \(reason)", code: "faulty-profile")
        problem.line = first?.line
        problem.column = first?.column
        problem.rule = first?.pointer
        problem.hint = first?.hint
        problem.faults = entry.faults
        return problem
    }

    static func notAllowed(_ allowed: String) -> Problem {
        var problem = Problem(405, "this path allows \(allowed)", code: "method-not-allowed")
        problem.fields = [Field(name: "Allow", value: allowed)]
        return problem
    }

    static func notAcceptable(_ offered: [String]) -> Problem {
        Problem(406, "the response would be \(offered.joined(separator: " or "))", code: "not-acceptable")
    }

    static let preconditionFailed = Problem(
        412, "responses of the service have no ETag, so If-Match never matches", code: "precondition-failed")

    /// A client that accepts none of the codings, not even `identity`.
    static let noAcceptableCoding: Problem = {
        let codings = ContentCoding.applied.map(\.name).joined(separator: ", ")
        var problem = Problem(406, "the response would be compressed with \(codings), or not", code: "not-acceptable")
        problem.fields = [.variesByCoding]
        return problem
    }()

    /// Nobody can take the request now, but soon somebody may.
    static func unavailable(_ detail: String, code: String) -> Problem {
        var problem = Problem(503, detail, code: code)
        problem.fields = [Field(name: "Retry-After", value: retryAfterSeconds)]
        return problem
    }

    /// What has to be kept of a payload has no room beside what is kept of others.
    static let buffersFull = unavailable(
        "the payload must be buffered, and the server has no room for it",
        code: "buffers-full")

    /// However little is kept of others, the process's memory has no room for what has to be kept of this payload.
    static let memoryLimit = Problem(
        413, "the payload has to be kept until more of it has come, and needs more memory than the server gives to one",
        code: "limit")

    static let workshopFull = unavailable(
        "too many long profiles are waiting to be compiled", code: "buffers-full")

    static let full = unavailable("the server has too many connections", code: "full")

    /// A client that has taken its share of the places.
    static let clientFull: Problem = {
        var problem = unavailable("this address has as many connections as one client may have", code: "client-full")
        problem.hint = "use fewer, or have the operator raise --max-connections-per-client or trust a proxy"
        return problem
    }()

    /// What strangers write is not run here.
    static let inlineProfilesOff: Problem = {
        var problem = Problem(403, "this server takes no profile from a request", code: "inline-profiles-off")
        problem.hint = "name a profile of GET /v1/profiles, or have the operator set --inline-profiles on"
        return problem
    }()

    static let responseTooLong: Problem = {
        var problem = Problem(413, "the response is longer than one may be", code: "response-too-long")
        problem.hint = "send the payload in parts, or have the operator raise --max-response-bytes"
        return problem
    }()

    static let tooCostly: Problem = {
        var problem = Problem(413, "the payload takes more processor time than one may", code: "too-costly")
        problem.hint = "send the payload in parts, or have the operator raise --max-request-cpu-seconds"
        return problem
    }()

    /// Seconds: what one server cannot take another can at once, and a restart takes no longer.
    private static let retryAfterSeconds = "1"

    static func unsupportedType(_ detail: String, acceptPost: String) -> Problem {
        var problem = Problem(415, detail, code: "unsupported-media-type")
        problem.fields = [Field(name: "Accept-Post", value: acceptPost)]
        return problem
    }
}

// MARK: - Rendering

extension Problem {
    static let contentType = "application/problem+json"

    /// The most bytes of UTF-8 that any text of a problem may have.
    static let maxTextBytes = 1024

    /// The beginning of `type`, before the code: a tag (RFC 4151), because at a gateway every path is the backend's.
    static let typePrefix = "tag:convert-server,2026:error/"

    /// The problem as a minified JSON text.
    func json(requestID: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.openObject()
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
        writer.closeObject()
        return writer.bytes
    }

    private static func short(_ text: String?) -> String? {
        text.map { ShortText($0, maxBytes: maxTextBytes).text }
    }

    /// A profile's faults, in the shape of the report of `POST /v1/profiles/check`.
    private func writeFaults(to writer: inout JSONWriter) {
        guard !faults.isEmpty else { return }
        writer.name("faults")
        writer.openArray()
        for fault in faults {
            writer.openObject()
            writer.member("pointer", Self.short(fault.pointer))
            writer.member("line", fault.line)
            writer.member("column", fault.column)
            writer.member("message", Self.short(fault.message))
            writer.member("hint", Self.short(fault.hint))
            writer.closeObject()
        }
        writer.closeArray()
    }
}
