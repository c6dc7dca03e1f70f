@testable import HTTPWire

/// A connection and its two users: the peer that sends text, and the server that responds.
final class Peer {
    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private var connection: ServerConnection
    private var output: [UInt8] = []

    /// A connection that has received `head`, if one is given; the event after it was not read yet.
    init(sending head: String? = nil, limits: WireLimits = WireLimits()) {
        connection = ServerConnection(limits: limits)
        guard let head else { return }
        let bytes = Array(head.utf8)
        var position = 0
        guard (try? connection.next(bytes.span, at: &position)) == .head else {
            preconditionFailure("no head: \(head)")
        }
    }

    var waitingFor: ServerConnection.Wait { connection.waitingFor }
    var canRespond: Bool { connection.canRespond }
    var expectsContinue: Bool { connection.expectsContinue }
    var acceptsTrailers: Bool { connection.acceptsTrailers }
    var hasRequest: Bool { connection.hasRequest }
    var requestCount: Int { connection.requestCount }
    var request: RequestHead { connection.request }
    /// All bytes that were sent to the peer.
    var received: String { String(decoding: output, as: UTF8.self) }

    /// The events for `text`, up to the first one that requires something other than another call.
    func events(_ text: String) -> [ServerConnection.Event] {
        let bytes = Array(text.utf8)
        var position = 0
        var events: [ServerConnection.Event] = []
        while let event = try? connection.next(bytes.span, at: &position) {
            events.append(event)
            switch event {
            case .head, .body, .end: continue
            case .needMore, .paused, .tunnel, .finished: return events
            }
        }
        return events
    }

    /// The error for `text`, nil if the connection only needs more bytes.
    func error(_ text: String) -> WireError? {
        let bytes = Array(text.utf8)
        var position = 0
        do throws(WireError) {
            while try connection.next(bytes.span, at: &position) != .needMore {}
            return nil
        } catch {
            return error
        }
    }

    func start(_ head: ResponseHead, _ body: ResponseBody) {
        connection.startResponse(head, body: body, date: Array(Self.date.utf8), into: &output)
    }

    func end(trailers: Fields = Fields()) -> ServerConnection.Closing? {
        connection.endResponse(trailers: trailers, into: &output)
    }

    func respond(
        _ head: ResponseHead, _ body: ResponseBody, _ parts: [String] = [], trailers: Fields = Fields()
    ) -> ServerConnection.Closing? {
        start(head, body)
        for part in parts {
            connection.startBodyPart(of: part.utf8.count, into: &output)
            if connection.sendsBody { output += Array(part.utf8) }
            connection.endBodyPart(into: &output)
        }
        return end(trailers: trailers)
    }

    func sendContinue() { connection.sendContinue(into: &output) }
    func inputEnded() { connection.inputEnded() }
    func expire() -> WireError? { connection.expire() }
    func closeAfterResponse() { connection.closeAfterResponse() }
    func abort() { connection.abort() }
}
