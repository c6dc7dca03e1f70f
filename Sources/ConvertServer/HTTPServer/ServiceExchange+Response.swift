import Conversions
import ConvertEngine
import HTTPSemantics
import HTTPWire

// MARK: - The converted response

extension ServiceExchange {
    /// The most converted bytes that are compressed at a time, in about a millisecond.
    private static var codedAheadBytes: Int { 64 * 1024 }

    /// Whether the converted output must be sent before the end of the response.
    func isResponseDue(_ conversion: PayloadConversion) -> Bool {
        let output = conversion.outputBytes
        return output > context.configuration.commitBytes
            || output >= Reservation.smallBytes && session.reservation.isTooLarge
    }

    /// Sends converted bytes, once there are too many to buffer the response any longer.
    ///
    /// - Throws: 413 if the output or the processor time exceeds the limit of one payload. 503 if the client accepts
    ///   only a compressed response, and there is no room for the compressor.
    func emit(_ conversion: PayloadConversion) throws(Problem) {
        try session.checkCost(of: conversion)
        if !session.isCommitted {
            guard isResponseDue(conversion) else { return codeAhead(conversion) }
            if encoder == nil, let wanted = session.responseCoding,
                !context.encoders.hasRoom(toStream: wanted.best)
            {
                guard let spared = wanted.sparing else { throw .buffersFull }
                session.responseCoding = spared
            }
            let coding = session.coding(forBytes: nil)
            if encoder == nil, coding != .identity { encoder = context.encoders.takeToStream(coding) }
            let fields =
                conversion.skippedCount != nil && session.wire.acceptsTrailers
                ? [SkippedRecords.trailer] : []
            session.isCommitted = true
            start(conversion, coding, fields, body: .streamed)
        }
        conversion.noteSent()
        queue(&conversion.unit.output)
    }

    /// Compresses a long uncommitted response early. At its end, the whole would take too long for one turn.
    private func codeAhead(_ conversion: PayloadConversion) {
        let output = conversion.unit.output.count
        let coding = session.coding(forBytes: output)
        guard coding != .identity, output >= Self.codedAheadBytes else { return }
        if encoder == nil {
            guard context.encoders.hasRoom(toStream: coding) else { return }
            encoder = context.encoders.takeToStream(coding)
        }
        conversion.noteSent()
        encoder?.encode(taking: &conversion.unit.output)
    }

    /// Sends the rest of the converted output.
    func endEmitting(_ conversion: PayloadConversion) {
        let unit = conversion.unit
        guard !session.isCommitted else {
            queue(&unit.output)
            encoder?.finish()
            queueCoded()
            var trailers = Fields()
            if let skipped = conversion.skippedRecords { trailers.append(contentsOf: skipped.fields) }
            return session.endResponse(trailers: trailers)
        }
        let coding = encoder?.coding ?? session.coding(forBytes: unit.output.count)
        if encoder == nil, coding != .identity { encoder = context.encoders.take(coding) }
        let fields = conversion.skippedRecords?.fields ?? []
        if let encoder {
            encoder.encode(taking: &unit.output)
            encoder.finish()
            start(conversion, coding, fields, body: .sized(encoder.output.count))
            session.queuePart(&encoder.output)
        } else {
            start(conversion, coding, fields, body: .sized(unit.output.count))
            session.queuePart(&unit.output)
        }
        session.endResponse()
    }

    func flush() {
        guard session.isCommitted, let encoder else { return }
        encoder.flush()
        queueCoded()
    }

    private func start(
        _ conversion: PayloadConversion, _ coding: ContentCoding, _ fields: [Problem.Field], body: ResponseBody
    ) {
        session.startResponse(
            status: 200, contentType: conversion.order.contentType, coding: coding, fields: fields,
            variesByType: conversion.order.type.isNegotiated, body: body)
    }

    /// Queues the next bytes of a streamed body, as far as the encoder returns them.
    private func queue(_ content: inout ByteBuffer) {
        guard let encoder else { return session.queuePart(&content) }
        encoder.encode(taking: &content)
        queueCoded()
    }

    private func queueCoded() {
        if let encoder { session.queuePart(&encoder.output) }
    }
}
