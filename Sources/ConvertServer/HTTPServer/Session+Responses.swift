import Conversions
import ConvertEngine
import EventLoop
import Gateway
import HTTPSemantics
import HTTPWire
import Observability
import Service
import Sockets
import Text

// MARK: - The response's side of a session

extension Session {
    /// The most converted bytes that are compressed at a time, in about a millisecond.
    private static var codedAheadBytes: Int { 64 * 1024 }

    func respond(_ problem: Problem, at now: MonotonicTime) {
        record?.code = problem.code
        respond(Answer(problem, requestID: record?.requestID), at: now)
    }

    /// Sends a whole response.
    func respond(_ answer: Answer, at now: MonotonicTime) {
        guard !answer.needsRoom || !reservation.areManyWaiting else { return respond(.responsesWaiting, at: now) }
        let isCoded = answer.bodyCoding != .identity
        let coding = answer.contentType == nil || isCoded ? answer.bodyCoding : coding(forBytes: answer.body.count)
        var body = answer.body
        if !isCoded, coding != .identity { encode(&body, coding) }
        startResponse(
            status: answer.status, contentType: answer.contentType, coding: coding, fields: answer.fields,
            variesByType: answer.variesByType, body: answer.contentType == nil ? .none : .sized(body.count))
        if wire.sendsBody { queuePart(body.span) }
        endResponse(at: now)
    }

    /// Sends converted bytes, once there are too many to buffer the response any longer.
    ///
    /// - Throws: 413 if the output or the processor time exceeds the limit of one payload. 503 if the client accepts
    ///   only a compressed response, and there is no room for the compressor.
    func emit(at now: MonotonicTime) throws(Problem) {
        guard let conversion else { return }
        try checkCost(of: conversion)
        let unit = conversion.unit
        if !isCommitted {
            guard isAnswerDue else { return codeAhead(conversion) }
            if encoder == nil, let wanted = answerCoding, !context.encoders.hasRoom(toStream: wanted.best) {
                guard let spared = wanted.sparing else { throw .buffersFull }
                answerCoding = spared
            }
            isCommitted = true
            let coding = coding(forBytes: nil)
            if encoder == nil, coding != .identity { encoder = context.encoders.takeToStream(coding) }
            let fields =
                conversion.skippedCount != nil && wire.acceptsTrailers
                ? [SkippedRecords.trailer] : []
            startResponse(
                status: 200, contentType: conversion.order.contentType, coding: coding, fields: fields,
                variesByType: conversion.order.type.isNegotiated, body: .streamed)
        }
        conversion.noteSent()
        queue(&unit.output)
    }

    /// Compresses a long uncommitted response early. At its end, the whole would take too long for one turn.
    private func codeAhead(_ conversion: Conversion) {
        let output = conversion.unit.output.count
        let coding = coding(forBytes: output)
        guard coding != .identity, output >= Self.codedAheadBytes else { return }
        if encoder == nil {
            guard context.encoders.hasRoom(toStream: coding) else { return }
            encoder = context.encoders.takeToStream(coding)
        }
        conversion.noteSent()
        encode(&conversion.unit.output)
    }

    /// Sends the rest of the converted output.
    func endEmitting(at now: MonotonicTime) {
        guard let conversion else { return }
        let unit = conversion.unit
        guard !isCommitted else {
            queue(&unit.output)
            finishCoded()
            var trailers = Fields()
            if let skipped = conversion.skippedRecords { trailers.append(contentsOf: skipped.fields) }
            return endResponse(trailers: trailers, at: now)
        }
        let coding = encoder?.coding ?? coding(forBytes: unit.output.count)
        if encoder == nil, coding != .identity { encoder = context.encoders.take(coding) }
        encode(&unit.output)
        encoder?.finish()
        let fields = conversion.skippedRecords?.fields ?? []
        startResponse(
            status: 200, contentType: conversion.order.contentType, coding: coding, fields: fields,
            variesByType: conversion.order.type.isNegotiated,
            body: .sized(encoder?.output.count ?? unit.output.count))
        if let encoder { queuePart(&encoder.output) } else { queuePart(&unit.output) }
        endResponse(at: now)
    }

    /// Flushes the encoder of a streamed response, because the next bytes may take long.
    func flushCoded() {
        guard isCommitted, let encoder else { return }
        encoder.flush()
        queuePart(&encoder.output)
    }

    // MARK: The body

    private func coding(forBytes count: Int?) -> ContentCoding { answerCoding?.coding(forBytes: count) ?? .identity }

    private func encode(_ body: inout [UInt8], _ coding: ContentCoding) {
        let coder = context.encoders.take(coding)
        coder.encode(body.span)
        coder.finish()
        body = Array(coder.output)
        context.encoders.giveBack(coder)
    }

    /// Queues the next bytes of a streamed body, as far as the encoder returns them.
    private func queue(_ content: inout ByteBuffer) {
        encode(&content)
        if let encoder { queuePart(&encoder.output) } else { queuePart(&content) }
    }

    /// Compresses the converted output, unless the client wants no compression.
    private func encode(_ content: inout ByteBuffer) {
        guard let encoder else { return }
        encoder.encode(content.bytes)
        content.removeAll()
    }

    private func finishCoded() {
        guard let encoder else { return }
        encoder.finish()
        queuePart(&encoder.output)
    }

    /// Queues a part of the body, which is taken out of `part`.
    func queuePart(_ part: inout ByteBuffer) {
        let count = part.count
        guard count > 0 else { return }
        record?.bytesOut += count
        writeBuffer.write { wire.startBodyPart(of: count, into: &$0) }
        writeBuffer.take(&part)
        writeBuffer.write { wire.endBodyPart(into: &$0) }
    }

    /// Queues a copy of a part of the body.
    func queuePart(_ part: Span<UInt8>) {
        let count = part.count
        guard count > 0 else { return }
        record?.bytesOut += count
        writeBuffer.write { wire.startBodyPart(of: count, into: &$0) }
        writeBuffer.append(part)
        writeBuffer.write { wire.endBodyPart(into: &$0) }
    }

    /// Queues a response's head.
    private func startResponse(
        status: Int, contentType: String?, coding: ContentCoding, fields: [Problem.Field], variesByType: Bool = false,
        body: ResponseBody
    ) {
        var head = ResponseHead(
            status: status,
            fields: context.fields.fields(
                contentType, coding, isNegotiated: answerCoding != nil, variesByType: variesByType))
        if let conversion, conversion.result != nil {
            head.fields.append("Server-Timing", bytes: ServerTiming.convert(nanoseconds: conversion.nanoseconds)[...])
        }
        if let record { head.fields.append("X-Request-Id", record.requestID) }
        head.fields.append(contentsOf: fields)
        writeBuffer.write { wire.startResponse(head, body: body, date: context.fields.date, into: &$0) }
        record?.status = status
    }

    /// Ends the response and makes the session ready for the next request.
    func endResponse(trailers: Fields = Fields(), at now: MonotonicTime) {
        let next = writeBuffer.write { wire.endResponse(trailers: trailers, into: &$0) }
        endRecord(isAborted: false)
        if case .finish(let closing) = next { self.closing = closing }
    }

    /// Cuts the response off.
    func abort(at now: MonotonicTime) {
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
            requestID: trustsIdentifiers ? context.identifiers.identify(request.fields) : context.identifiers.make(),
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
        guard wire.hasRequestLine else { return }
        if isPublic, let gateway = context.gateway {
            if let route = gateway.route(of: wire.request) { record?.note(route) }
        } else if let route = context.router.route(of: wire.request, isPublic: isPublic) {
            record?.route = route.label
        }
    }

    /// Records the exchange, if there is one, and releases everything that belonged to it.
    func endRecord(isAborted: Bool) {
        if let record {
            record.isAborted = isAborted
            if case .ok? = conversion?.result { record.skippedRecords = conversion?.skippedCount }
            if let forwarding {
                record.skippedRecords = forwarding.skippedRecords ?? record.skippedRecords
                record.attempts = forwarding.attempts
                record.upstreamNanoseconds = forwarding.upstreamNanoseconds
            }
            // No response could be sent.
            if record.status == 0 { record.status = AccessRecord.clientGone }
            noteWhenSent(record)
        }
        record = nil
        forwarding?.close()
        forwarding = nil
        if let conversion {
            if let result = conversion.result { context.metrics.conversionEnded(result) }
            if case .ok? = conversion.result { context.metrics.recordsSkipped(conversion.skippedCount ?? 0) }
            conversion.end(context.converters)
        }
        conversion = nil
        cancellation?.cancel()
        cancellation = nil
        if let encoder { context.encoders.giveBack(encoder) }
        encoder = nil
        inflater = nil
        coded = nil
        answerCoding = nil
        form = nil
        kept = []
        keptPayload = 0..<0
        reservation.endExchange()
        isCommitted = false
        spend(nanoseconds: 0)
        stage = .none
    }
}
