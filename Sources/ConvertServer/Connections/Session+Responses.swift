import ConvertCore
import HTTPWire

// MARK: - The response's side of a session

extension Session {
    func respond(_ problem: Problem, at now: MonotonicTime) {
        respond(Answer(problem, requestID: record?.requestID), at: now)
    }

    /// Sends a whole answer.
    func respond(_ answer: Answer, at now: MonotonicTime) {
        startResponse(
            status: answer.status, contentType: answer.contentType, fields: answer.fields,
            body: answer.contentType == nil ? .none : .sized(answer.body.count))
        if wire.sendsBody, !answer.body.isEmpty {
            wire.startBodyPart(of: answer.body.count, into: &services.scratch)
            services.scratch += answer.body
            wire.endBodyPart(into: &services.scratch)
            record?.bytesOut = answer.body.count
        }
        endResponse(at: now)
    }

    /// Sends what was converted, once so much waits that the answer cannot be held back any longer.
    func emit(at now: MonotonicTime) {
        guard let conversion else { return }
        let unit = conversion.unit
        if !isCommitted {
            guard unit.output.count > services.commitBytes else { return }
            isCommitted = true
            startResponse(status: 200, contentType: conversion.order.contentType, fields: [], body: .streamed)
        } else {
            services.scratch.removeAll(keepingCapacity: true)
        }
        guard !unit.output.isEmpty else { return }
        queueBody(of: unit)
        flushScratch()
    }

    /// Sends the last of what was converted.
    func endEmitting(at now: MonotonicTime) {
        guard let conversion else { return }
        let unit = conversion.unit
        if isCommitted {
            services.scratch.removeAll(keepingCapacity: true)
        } else {
            startResponse(
                status: 200, contentType: conversion.order.contentType, fields: [], body: .sized(unit.output.count))
        }
        if !unit.output.isEmpty { queueBody(of: unit) }
        endResponse(at: now)
    }

    /// Queues the scratch and the unit's output behind it; what follows the body is left in the scratch.
    private func queueBody(of unit: ConverterPool.Unit) {
        record?.bytesOut += unit.output.count
        wire.startBodyPart(of: unit.output.count, into: &services.scratch)
        flushScratch()
        outbox.take(&unit.output)
        wire.endBodyPart(into: &services.scratch)
    }

    /// Writes a response's head into the scratch.
    private func startResponse(
        status: Int, contentType: String?, fields: [Problem.Field], body: ResponseBody
    ) {
        var head = ResponseHead(status: status)
        if let contentType { head.fields.append("Content-Type", contentType) }
        head.fields.append("X-Content-Type-Options", "nosniff")
        if let record { head.fields.append("X-Request-Id", record.requestID) }
        for field in fields { head.fields.append(field.name, field.value) }
        services.scratch.removeAll(keepingCapacity: true)
        wire.startResponse(head, body: body, date: services.date, into: &services.scratch)
        record?.status = status
    }

    /// Ends the response and makes the session ready for the next request.
    private func endResponse(at now: MonotonicTime) {
        let next = wire.endResponse(into: &services.scratch)
        flushScratch()
        endRecord(isAborted: false)
        if case .finish(let closing) = next { self.closing = closing }
    }

    private func flushScratch() {
        outbox.append(services.scratch)
        services.scratch.removeAll(keepingCapacity: true)
    }

    // MARK: The record of an exchange

    func beginRecord(at now: MonotonicTime) {
        guard wire.hasRequest else {
            record = AccessRecord(requestID: services.identifiers.make(), started: now)
            return
        }
        let request = wire.request
        var record = AccessRecord(requestID: services.identifiers.identify(request.fields), started: now)
        record.method = request.method.name
        record.path = Array(request.target.form == .asterisk ? request.target.bytes : request.target.path)
        self.record = record
    }

    /// Logs the exchange, if there is one, and lets go of all that belonged to it.
    func endRecord(isAborted: Bool) {
        if var record {
            record.isAborted = isAborted
            services.log(record)
        }
        record = nil
        if let conversion { services.converters.giveBack(conversion.unit) }
        conversion = nil
        form = nil
        kept = []
        keptPayload = 0..<0
        isCommitted = false
        stage = .none
    }
}
