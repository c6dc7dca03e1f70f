import ContentCodings
import Conversions
import ConvertFormats
import Gateway
import HTTPSemantics
import HTTPWire
import Observability
import Service
import Sockets
import Telemetry
import Text

// MARK: - The request's side of a session

extension Session {
    /// Starts a request whose head is complete.
    func begin(at now: MonotonicTime) {
        let request = wire.request
        beginRecord(of: request, at: now)
        do throws(Problem) {
            let router = context.router
            let route = router.route(of: request, isPublic: isPublic)
            record?.route = request.target.form == .asterisk ? .server : route?.label ?? .unmatched
            let ruling = try router.decide(
                request, route, requestID: record?.requestID ?? "", isPublic: isPublic)
            answerCoding = ruling.answerCoding
            if ruling.bodyCoding != .identity {
                inflater = Inflater(ruling.bodyCoding, limits: context.limits.decoding)
            }
            switch ruling.decision {
            case .answer(let answer):
                respond(answer, at: now)
                return
            case .convert(let order): start(order)
            case .form(let form):
                self.form = form
                stage = .form
            case .envelope:
                envelope = EnvelopeReader()
                stage = .envelope
            case .check: stage = .check
            case .metrics:
                let answer = Answer(contentType: PrometheusText.contentType, body: context.exposition())
                respond(answer, at: now)
                return
            }
        } catch {
            respond(error, at: now)
            return
        }
        if wire.expectsContinue { sendContinue() }
    }

    /// Takes the next bytes of the body as received.
    func take(_ bytes: Span<UInt8>, at now: MonotonicTime) {
        record?.bytesIn += bytes.count
        forwarding?.keepOriginal(bytes)
        if inflater == nil { deliver(bytes, at: now) } else { decode(bytes, at: now) }
    }

    /// Passes the next bytes of the content to their consumer.
    func deliver(_ bytes: Span<UInt8>, at now: MonotonicTime) {
        do throws(Problem) {
            switch stage {
            case .none, .kept, .translating, .compiling: break
            case .forwarding: try forwarding?.take(bytes, at: now)
            case .converting: try convert(bytes, at: now)
            case .form:
                try takeForm(bytes, at: now)
                try countKept()
            case .envelope:
                try keep(bytes)
                envelope.read(kept)
            case .check:
                try RequestedProfile.checkSize(kept.count + bytes.count, context.limits.maxProfileBytes)
                try keep(bytes)
            }
        } catch {
            if stage == .forwarding { failForwarding(error, at: now) } else { fail(error, at: now) }
        }
    }

    /// Ends the request's body.
    func endRequest(at now: MonotonicTime) {
        do throws(Problem) {
            try finishDecoding()
            switch stage {
            case .none, .kept, .translating, .compiling: break
            case .forwarding: try forwarding?.requestEnded(at: now)
            case .converting: try finishConversion(at: now)
            case .form:
                guard let rest = try form?.finish() else { return try finishConversion(at: now) }
                form = nil
                kept = rest.payload
                keptPayload = rest.payload.indices
                try startKept(rest.profile, rest.type, rest.contentType, at: now)
            case .envelope: try openEnvelope(at: now)
            case .check: work(.check(kept), at: now)
            }
        } catch {
            guard stage == .forwarding else { return fail(error, at: now) }
            failForwarding(error, at: now)
            // A body that passes unchanged has ended as well.
            if stage == .forwarding { forwarding?.originalEnded(at: now) }
        }
    }

    /// Converts more of a buffered payload, until the write buffer is full or the turn is over.
    func continueKept(at now: MonotonicTime) {
        guard stage != .forwarding else { return continueForwarding(at: now) }
        do throws(Problem) {
            try convertKept(at: now)
            if stage == .kept, !hasUnconverted { try finishConversion(at: now) }
            if stage == .translating { try continueTranslation(at: now) }
        } catch {
            fail(error, at: now)
        }
    }

    /// Continues with a payload of another format: first it becomes JSON text, then that is converted.
    private func continueTranslation(at now: MonotonicTime) throws(Problem) {
        while let conversion, !isFull, !conversion.isAway {
            guard try conversion.continueTranslated(context.clock) else { return try finishConversion(at: now) }
            try countKept()
            try emit(at: now)
            if isTurnOver(now) { return }
        }
    }

    /// Converts the buffered payload slice by slice, as long as there is room and the turn is not over.
    private func convertKept(at now: MonotonicTime) throws(Problem) {
        while let conversion, hasUnconverted, stage != .translating, !isFull, !conversion.isAway {
            guard !conversion.isWriting else {
                try conversion.continueWriting(context.clock)
                try countKept()
                try emit(at: now)
                if isTurnOver(now) { return }
                continue
            }
            let slice = keptPayload.prefix(conversion.sliceBytes)
            keptPayload = slice.upperBound..<keptPayload.upperBound
            // A copy of the array's reference, since `self` is modified while its bytes are read.
            let bytes = kept
            try convert(bytes.span.extracting(slice), at: now)
            if isTurnOver(now) { return }
        }
    }

    // MARK: Forms and envelopes

    private func takeForm(_ bytes: Span<UInt8>, at now: MonotonicTime) throws(Problem) {
        guard var form = form.take() else { return }
        defer { if stage == .form { self.form = form } }
        var position = 0
        while true {
            switch try form.next(bytes, at: &position) {
            case .needMore: return
            case .begin(let order):
                conversion = makeConversion(order)
                note(order)
            case .payload(let range): try convertFormPayload(bytes.extracting(range), at: now)
            case .heldPayload(let range):
                let delimiter = form.delimiter
                try convertFormPayload(delimiter.span.extracting(range), at: now)
            }
        }
    }

    /// Converts the next bytes of a form's payload, as long as there is room for the output.
    private func convertFormPayload(_ bytes: Span<UInt8>, at now: MonotonicTime) throws(Problem) {
        guard let conversion else { return }
        if keptPayload.isEmpty {
            let isSlice = bytes.count <= conversion.sliceBytes
            if isSlice, !isFull, !conversion.isWriting { return try convert(bytes, at: now) }
            kept = []
            keptPayload = 0..<0
        }
        kept.append(span: bytes)
        keptPayload = keptPayload.lowerBound..<kept.count
        try convertKept(at: now)
    }

    private func openEnvelope(at now: MonotonicTime) throws(Problem) {
        let envelope = try envelope.finish(kept)
        let profile = try RequestedProfile(
            envelope, in: kept, profiles: context.router.profiles, limits: context.router.payloadLimits,
            maxProfileBytes: context.limits.maxProfileBytes, acceptsInline: context.router.acceptsInlineProfiles)
        guard let payload = envelope.payload else {
            throw Problem.badParameter("payload", "the envelope has no payload")
        }
        keptPayload = payload
        try startKept(profile, .json, PayloadType.json.offers[0], at: now)
    }

    /// Starts with the buffered payload after its profile has arrived.
    private func startKept(
        _ profile: RequestedProfile, _ type: PayloadType, _ contentType: String, at now: MonotonicTime
    ) throws(Problem) {
        switch profile {
        case .known(let recipe):
            start(ConversionOrder(recipe: recipe, type: type, contentType: contentType))
            stage = .kept
        case .document(let document, let direction, let limits):
            awaitedType = (type, contentType)
            work(.compile(document, direction, limits), at: now)
        }
    }

    // MARK: Long profiles

    /// Compiles or checks a profile: here if it is short, or else in the compile queue while the connection waits.
    private func work(_ order: CompileQueue.Job, at now: MonotonicTime) {
        stage = .compiling
        guard order.isLong, let token, let compileQueue = context.compileQueue else {
            return take(order.perform(), at: now)
        }
        cancellation = compileQueue(order, token, wire.requestCount)
    }

    /// Continues with the compile queue's result for the request with this number.
    func take(_ product: CompileQueue.Outcome, forRequest number: Int, at now: MonotonicTime) {
        guard stage == .compiling, wire.requestCount == number else { return }
        take(product, at: now)
    }

    private func take(_ product: CompileQueue.Outcome, at now: MonotonicTime) {
        defer { awaitedType = nil }
        switch product {
        case .recipe(let recipe):
            guard let (type, contentType) = awaitedType else { return }
            start(ConversionOrder(recipe: recipe, type: type, contentType: contentType))
            stage = .kept
        case .report(let report): respond(Answer(contentType: "application/json", body: report), at: now)
        case .fault(let problem): fail(problem, at: now)
        }
    }

    // MARK: Conversion

    private func start(_ order: ConversionOrder) {
        conversion = makeConversion(order)
        note(order)
        stage = .converting
    }

    /// A conversion whose large buffered objects are processed outside the loop.
    func makeConversion(_ order: ConversionOrder) -> Conversion {
        guard let token, let heldWork = context.heldWork else { return Conversion(order, context.converters) }
        return Conversion(order, context.converters) { heldWork($0, token) }
    }

    /// Continues the conversion of the client's payload or of a response, for whose buffered object this work was done.
    func take(_ work: HeldObjectWork) {
        guard conversion?.takeBack(work) ?? false || forwarding?.takeBack(work) ?? false else { return }
        spend(nanoseconds: work.nanoseconds)
    }

    func note(_ order: ConversionOrder) {
        record?.profile = order.recipe.profileName
        record?.profileLabel = order.recipe.label
    }

    private func convert(_ bytes: Span<UInt8>, at now: MonotonicTime) throws(Problem) {
        let isLast = stage == .converting && inflater == nil && wire.isBodyAtEnd
        try conversion?.begin(bytes, isLast: isLast, context.clock)
        // The end of the request comes next.
        if isLast, !isAnswerDue { return }
        if !isLast { try countKept() }
        try emit(at: now)
    }

    private func finishConversion(at now: MonotonicTime) throws(Problem) {
        let maxTextBytes = context.limits.decoding.maxDecodedBytes ?? TranslationLimits().maxTextBytes
        if conversion?.beginTranslation(maxTextBytes: maxTextBytes) == true {
            form = nil
            kept = []
            stage = .translating
            return
        }
        if let conversion {
            try conversion.finish()
            try checkCost(of: conversion)
        }
        endEmitting(at: now)
    }

    /// Sends an error response, or cuts off a response that has already begun.
    func fail(_ problem: Problem, at now: MonotonicTime) {
        guard isCommitted else { return respond(problem, at: now) }
        record?.code = problem.code
        abort(at: now)
    }
}
