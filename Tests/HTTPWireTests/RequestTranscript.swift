import HTTPWire
import TestSupport

/// Passes a peer's bytes to a connection, and responds to every request.
struct RequestTranscript: WireTranscript, ~Copyable {
    static let date = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)

    private let wireCase: WireCase
    private let tellsOffsets: Bool
    private var connection: ServerConnection
    private var body: [UInt8] = []
    private var isFinished = false
    private(set) var lines: [String] = []
    /// All bytes that were sent.
    private(set) var output: [UInt8] = []
    private(set) var complaints: [String] = []

    init(of wireCase: WireCase, tellsOffsets: Bool) {
        self.wireCase = wireCase
        self.tellsOffsets = tellsOffsets
        connection = ServerConnection(limits: wireCase.limits)
    }

    mutating func finish() {
        if wireCase.endsInput {
            connection.inputEnded()
            pump([])
        }
        tellBody()
        if !isFinished, connection.waitingFor == .head || connection.waitingFor == .body { lines.append("more") }
    }

    mutating func pump(_ piece: [UInt8]) {
        var position = 0
        while true {
            do throws(WireError) {
                switch try connection.next(piece.span, at: &position) {
                case .needMore:
                    if position != piece.count { complaints.append("bytes are left, but the connection needs more") }
                    return
                case .head: tellHead()
                case .body(let range):
                    if range.isEmpty { complaints.append("an empty part of a body") }
                    body += piece[range]
                case .end:
                    tellBody()
                    lines.append("end")
                case .paused: sendResponse(wireCase.status)
                case .tunnel: complaints.append("a tunnel without a switch of protocols")
                case .finished(let closing):
                    tellBody()
                    if !isFinished { lines.append("finished \(closing)") }
                    isFinished = true
                    return
                }
            } catch {
                tellBody()
                lines.append("\(error.status) \(error.code.rawValue)" + (tellsOffsets ? " at \(error.offset)" : ""))
                respond(to: error)
            }
        }
    }

    private mutating func tellHead() {
        let head = connection.request
        let target = head.target
        lines.append("head \(head.method) \(EscapedBytes.encode(target.bytes)) 1.\(head.minorVersion)")
        if connection.requestCount == 1 { showDetails(of: head) }
        if let status = wireCase.statusAtHead { sendResponse(status) }
    }

    private mutating func showDetails(of head: RequestHead) {
        let target = head.target
        if wireCase.shown.contains("target") {
            lines.append("path \(EscapedBytes.encode(target.path))".trimmingEnd())
            if let query = target.query { lines.append("query \(EscapedBytes.encode(query))".trimmingEnd()) }
        }
        if wireCase.shown.contains("authority") { lines.append("authority \(EscapedBytes.encode(head.authority))") }
        if wireCase.shown.contains("segments") {
            lines.append("segments \(target.pathSegments()?.joined(separator: "|") ?? "none")")
        }
        if wireCase.shown.contains("fields") { lines += head.fields.fixtureLines }
    }

    private mutating func tellBody() {
        if !body.isEmpty { lines.append("body \(EscapedBytes.encode(body))") }
        body = []
    }

    /// Sends `ok`, and checks that the connection ends exactly if the response announced it.
    private mutating func sendResponse(_ status: Int) {
        let start = output.count
        let next = respond(status)
        let announced = String(decoding: output[start...], as: UTF8.self).contains("\r\nConnection: close\r\n")
        if next == nil {
            if announced { complaints.append("close was announced, but the connection persists") }
            lines.append("persists")
        } else {
            if !announced { complaints.append("the connection ends without an announcement") }
            lines.append("closes")
            isFinished = true
        }
    }

    private mutating func respond(to error: WireError) {
        if !connection.canRespond {
            connection.abort()
        } else {
            let start = output.count
            if respond(error.status) == nil { complaints.append("an error did not end the connection") }
            let text = String(decoding: output[start...], as: UTF8.self)
            if !text.hasPrefix("HTTP/1.1 \(error.status) ") || !text.contains("\r\nConnection: close\r\n") {
                complaints.append("the response to an error is \(text)")
            }
        }
        isFinished = true
    }

    private mutating func respond(_ status: Int) -> ServerConnection.Closing? {
        connection.startResponse(ResponseHead(status: status), body: .sized(2), date: Self.date, into: &output)
        connection.startBodyPart(of: 2, into: &output)
        if connection.sendsBody { output += Array("ok".utf8) }
        connection.endBodyPart(into: &output)
        return connection.endResponse(into: &output)
    }
}

extension String {
    fileprivate func trimmingEnd() -> String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
