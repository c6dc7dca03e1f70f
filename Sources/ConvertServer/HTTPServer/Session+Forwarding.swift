import Conversions
import ConvertEngine
import EventLoop
import Gateway
import HTTPSemantics
import HTTPWire
import Sockets
import Upstreams

// MARK: - The client of a forwarded request

extension Session: ForwardingClient {
    func note(_ upstream: String, _ server: ServerAddress) {
        record?.upstream = upstream
        record?.server = server.server
    }

    func note(_ problem: Problem) { record?.code = problem.code }

    /// The facts about the request that are not in its head.
    func requestContext(hasBody: Bool, leavesBody: Bool) -> RequestContext {
        RequestContext(
            peer: peer, requestID: record?.requestID ?? "", hasBody: hasBody,
            now: context.loop.wallSeconds, leavesBody: leavesBody, trace: record?.trace)
    }

    // MARK: The request

    var expectsContinue: Bool { wire.expectsContinue }

    var isBodyAtEnd: Bool { wire.isBodyAtEnd }

    var acceptsTrailers: Bool { wire.acceptsTrailers }

    var leftRequest: (head: RequestHead, body: RequestBody, facts: RequestContext) {
        (wire.request, wire.requestBody, requestContext(hasBody: true, leavesBody: true))
    }

    /// Makes the current or the next response the last one.
    func closeAfterResponse() { wire.closeAfterResponse() }

    // MARK: The response

    func inform(_ head: ResponseHead) {
        guard wire.request.minorVersion > 0 else { return }
        writeBuffer.write { wire.sendInterim(head, into: &$0) }
        touch()
    }

    func startForwarded(
        _ response: ForwardedResponse, body: ResponseBody, announcesTrailer: Bool, skippedRecords: SkippedRecords?
    ) {
        var head = ResponseHead(status: response.status, fields: response.fields)
        if announcesTrailer { head.fields.append(contentsOf: [SkippedRecords.trailer]) }
        if let skippedRecords { head.fields.append(contentsOf: skippedRecords.fields) }
        let date = response.date.map(Array.init) ?? context.fields.date
        writeBuffer.write { wire.startResponse(head, body: body, date: date, into: &$0) }
        record?.status = response.status
        isCommitted = true
    }

    func relay(_ bytes: Span<UInt8>) {
        if wire.sendsBody { queuePart(bytes) }
    }

    func relay(_ buffer: inout ByteBuffer) { queuePart(&buffer) }

    func endForwarded(skippedRecords: SkippedRecords?) {
        var trailers = Fields()
        if let skippedRecords, skippedRecords.total > 0 { trailers.append(contentsOf: skippedRecords.fields) }
        endResponse(trailers: trailers)
    }

    /// Whether an upstream's connection waits until the client has accepted the response bytes so far.
    var isDownloading: Bool { isCommitted && exchange?.holdsConnection ?? false }

    // MARK: The tunnel

    /// Whether the connection uses another protocol, whose bytes pass unchanged.
    var isTunnel: Bool { exchange?.isTunnel ?? false }

    func switchProtocols(to upgrade: String, _ fields: Fields, requestID: String) {
        var fields = fields.endToEnd(omitting: Self.ownFields) { _ in true }
        fields.append("X-Request-Id", requestID)
        writeBuffer.write { wire.switchProtocols(fields, to: upgrade, into: &$0) }
        record?.status = 101
        isCommitted = true
        touch()
    }

    private static let ownFields = FieldNames(["x-request-id", "convert-status"])

    func relayTunnelled(_ bytes: Span<UInt8>) {
        record?.bytesOut += bytes.count
        writeBuffer.append(bytes)
    }

    func endSending() { endsSending = true }

    func endTunnel() {
        wire.endTunnel()
        closing = hasInputEnded ? .clean : .lingering
        endRecord(isAborted: false)
    }

    // MARK: The loop

    func touch() { if let token { context.loop.touch(token) } }

    /// Handles that the client has accepted some of the waiting bytes.
    func clientTook(at now: MonotonicTime) { if !isFull { exchange?.clientHasRoom(at: now) } }

    /// When `wakeUp` must be called, even if nothing happens.
    var wakeUpMoment: MonotonicTime? { exchange?.deadline }

    func wakeUp(at now: MonotonicTime) { exchange?.expire(at: now) }
}
