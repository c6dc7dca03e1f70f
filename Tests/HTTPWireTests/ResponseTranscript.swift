import HTTPWire
import TestSupport

/// Sends a case's request, and passes the upstream's bytes to the connection.
struct ResponseTranscript: WireTranscript, ~Copyable {
    private let wireCase: WireCase
    private let tellsOffsets: Bool
    private var connection: ClientConnection
    private var data: [UInt8] = []
    private var output: [UInt8] = []
    private var hasFailed = false
    private(set) var lines: [String] = []
    private(set) var complaints: [String] = []

    init(of wireCase: WireCase, tellsOffsets: Bool = false) {
        self.wireCase = wireCase
        self.tellsOffsets = tellsOffsets
        connection = ClientConnection(limits: wireCase.limits)
        guard wireCase.hasRequest else { return }
        startRequest()
        if wireCase.isRequestComplete { connection.endRequest(into: &output) }
    }

    mutating func finish() {
        if wireCase.endsInput {
            connection.inputEnded()
            pump([])
        }
        tellData()
        if hasFailed { return }
        switch connection.waitingFor {
        case .head, .body: lines.append("more")
        case .tunnel: lines.append(wireCase.endsInput ? "closes" : "open")
        case .nothing: lines.append(connection.isReusable ? "reusable" : "closes")
        }
    }

    /// Sends another request, which must still be possible after the case's response.
    mutating func startRequest() {
        guard connection.isReusable else {
            complaints.append("the connection is not reusable")
            return
        }
        connection.startRequest(
            OutgoingRequest(
                method: RequestMethod.known.first { $0.name == wireCase.method } ?? .get, target: Array("/".utf8),
                host: "example.org", upgrade: wireCase.upgrade),
            body: wireCase.isRequestComplete ? .none : .chunked, into: &output)
    }

    mutating func endRequest() { connection.endRequest(into: &output) }

    var isReusable: Bool { connection.isReusable }

    mutating func pump(_ piece: [UInt8]) {
        var position = 0
        while true {
            do throws(WireError) {
                switch try connection.next(piece.span, at: &position) {
                case .needMore:
                    if position != piece.count { complaints.append("bytes are left, but the connection needs more") }
                    return
                case .informational: tellHead("informational")
                case .head where connection.waitingFor == .tunnel: tellHead("switched")
                case .head:
                    tellHead("head")
                    tellFraming()
                case .body(let range):
                    if range.isEmpty { complaints.append("an empty part of a body") }
                    data += piece[range]
                case .tunnel(let range):
                    if range.isEmpty { complaints.append("an empty part of a tunnel") }
                    data += piece[range]
                case .end:
                    tellData()
                    lines.append("end")
                }
            } catch  where error.code == .unaskedResponse {
                // This is not an error of a response that was reported: the connection must only not be reused.
                tellData()
                if connection.isReusable { complaints.append("reusable after bytes without a request") }
            } catch {
                tellData()
                tell(error)
            }
        }
    }

    private mutating func tellHead(_ kind: String) {
        let head = connection.response
        if !connection.hasResponseBegun { complaints.append("a head, but no byte of the response") }
        lines.append("\(kind) \(head.status) 1.\(head.minorVersion)")
        if wireCase.shown.contains("fields") { lines += head.fields.fixtureLines }
    }

    private mutating func tellFraming() {
        guard wireCase.shown.contains("framing") else { return }
        let framing = connection.framing
        lines.append("framing \(framing.body)" + (framing.announcesAbsentBody ? " absent" : ""))
    }

    private mutating func tellData() {
        if !data.isEmpty {
            lines.append((connection.waitingFor == .tunnel ? "tunnel " : "body ") + EscapedBytes.encode(data))
        }
        data = []
    }

    private mutating func tell(_ error: WireError) {
        if hasFailed { complaints.append("a second error") }
        hasFailed = true
        lines.append("fault \(error.code.rawValue)" + (tellsOffsets ? " at \(error.offset)" : ""))
        if connection.isReusable { complaints.append("reusable after an error") }
    }
}
