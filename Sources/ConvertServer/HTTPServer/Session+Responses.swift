import Conversions
import ConvertEngine
import EventLoop
import HTTPSemantics
import HTTPWire
import Service
import Sockets
import Text

// MARK: - The response's side of a session

extension Session {
    func respond(_ problem: Problem) {
        record?.code = problem.code
        respond(WholeResponse(problem, requestID: record?.requestID))
    }

    func respond(_ response: WholeResponse) {
        guard !response.needsRoom || !reservation.areManyWaiting else { return respond(.responsesWaiting) }
        let isCoded = response.bodyCoding != .identity
        let coding =
            response.contentType == nil || isCoded ? response.bodyCoding : coding(forBytes: response.body.count)
        var body = response.body
        if !isCoded, coding != .identity { encode(&body, coding) }
        startResponse(
            status: response.status, contentType: response.contentType, coding: coding, fields: response.fields,
            variesByType: response.variesByType, body: response.contentType == nil ? .none : .sized(body.count))
        if wire.sendsBody { queuePart(body.span) }
        endResponse()
    }

    // MARK: The body

    /// The coding of a response with this many bytes; nil if the number is not known yet.
    func coding(forBytes count: Int?) -> ContentCoding { responseCoding?.coding(forBytes: count) ?? .identity }

    private func encode(_ body: inout [UInt8], _ coding: ContentCoding) {
        let coder = context.encoders.take(coding)
        coder.encode(body.span)
        coder.finish()
        body = Array(coder.output)
        context.encoders.giveBack(coder)
    }

    /// Queues a part of the body, which is taken out of `part`.
    func queuePart(_ part: inout ByteBuffer) {
        frame(part.count) { writeBuffer.take(&part) }
    }

    /// Queues a copy of a part of the body.
    func queuePart(_ part: Span<UInt8>) {
        frame(part.count) { writeBuffer.append(part) }
    }

    /// Queues the framing around a part that `queue` queues.
    private func frame(_ count: Int, _ queue: () -> Void) {
        guard count > 0 else { return }
        record?.bytesOut += count
        writeBuffer.write { wire.startBodyPart(of: count, into: &$0) }
        queue()
        writeBuffer.write { wire.endBodyPart(into: &$0) }
    }

    func startResponse(
        status: Int, contentType: String?, coding: ContentCoding, fields: [Problem.Field], variesByType: Bool = false,
        body: ResponseBody
    ) {
        let shared = context.fields.shared(
            contentType, coding, isNegotiated: responseCoding != nil, variesByType: variesByType)
        var head = ResponseHead(status: status, fields: shared.take())
        if let nanoseconds = exchange?.conversionNanoseconds {
            head.fields.append("Server-Timing", bytes: ServerTiming.convert(nanoseconds: nanoseconds)[...])
        }
        if let record { head.fields.append("X-Request-Id", record.requestID) }
        head.fields.append(contentsOf: fields)
        writeBuffer.write { wire.startResponse(head, body: body, date: context.fields.date, into: &$0) }
        shared.giveBack(&head.fields)
        record?.status = status
    }

    /// Ends the response and makes the session ready for the next request.
    func endResponse(trailers: Fields = Fields()) {
        let closing = writeBuffer.write { wire.endResponse(trailers: trailers, into: &$0) }
        endRecord(isAborted: false)
        if let closing { self.closing = closing }
    }

    /// Responds to a request that the server no longer waits for. False if there is none without a response.
    func refuseUnanswered() -> Bool {
        guard let record, record.status == 0, wire.canRespond else { return false }
        wire.closeAfterResponse()
        var problem = Problem.draining
        // The upstream may have acted on the request, so the response does not invite clients to repeat it.
        if exchange?.holdsConnection == true { problem.fields = [] }
        respond(problem)
        return true
    }

    func abort() {
        wire.abort()
        closing = .abort
        endRecord(isAborted: true)
    }

    // MARK: The record of an exchange

    func beginRecord(at now: MonotonicTime) {
        guard wire.hasMethod else {
            let record = AccessRecord(requestID: context.identifiers.make(), started: takeHeadStart(at: now))
            if context.accessLog.isWritten { record.write(client: peerText) }
            self.record = record
            return
        }
        beginRecord(of: wire.request, at: now)
    }

    func beginRecord(of request: RequestHead, at now: MonotonicTime) {
        let record = AccessRecord(
            requestID: handler.trustsIdentifiers(of: peer, context.trustedProxies)
                ? context.identifiers.identify(request.fields) : context.identifiers.make(),
            started: takeHeadStart(at: now), trace: TraceContext(request.fields)?.continued())
        if context.accessLog.isWritten {
            record.write(client: clientText(of: request), request, hasVersion: wire.hasRequestLine)
        }
        self.record = record
    }

    /// The client's own address, which trusted peers may name.
    private func clientText(of request: RequestHead) -> String {
        let proxies = context.trustedProxies
        guard proxies.contains(peer) else { return peerText }
        return proxies.clientAddress(of: peer, in: request.fields)?.description ?? peerText
    }

    /// Records the route of a request that is refused before routing.
    func noteRoute() {
        if wire.hasRequestLine { handler.noteRoute(of: wire.request, in: record) }
    }

    /// Records the exchange, if there is one, and releases everything that belonged to it.
    func endRecord(isAborted: Bool) {
        if let record {
            record.isAborted = isAborted
            exchange?.note(in: record)
            // No response could be sent.
            if record.status == 0 { record.status = AccessRecord.clientGone }
            noteWhenSent(record)
        }
        record = nil
        dropExchange()
        inflater = nil
        coded = nil
        responseCoding = nil
        reservation.endExchange()
        isCommitted = false
        spend(nanoseconds: 0)
    }
}
