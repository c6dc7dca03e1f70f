import ContentCodings
import Conversions
import ConvertEngine
import ConvertFormats
import HTTPSemantics
import HTTPWire
import Observability
import Service
import Sockets
import Text

// `stage` says how the content is used. These must stay in step:
//
// - Output that is buffered before the commit can still be discarded, so that an error becomes a problem document. The
//   output of a long response is already compressed.
// - A payload that had to be buffered whole (`kept`) is converted slice by slice after its request is complete, as long as there
//   is room and the turn is not over. So is a part of a form that is longer than a slice, before anything else from the wire.
// - A payload of another format becomes JSON after its request is complete (`translating`), piece by piece under the
//   same rule. The same applies to the conversion of its text.
// - The session drops the exchange when the response ends. `close` leaves the stage `over`, in which nothing is done.

/// A request for one of the service's own paths, whose content is read.
final class ServiceExchange {
    enum Stage {
        case converting
        case form(MultipartForm)
        /// The content is buffered, and the reader finds the keys in it.
        case envelope(EnvelopeReader)
        case profile
        /// The request is complete, and its profile is compiled for a buffered payload of this type, or only checked.
        case compiling((PayloadType, contentType: String)?, CompileQueue.Cancellation?)
        /// The request is complete and `kept` is being converted.
        case kept
        /// The request is complete and its payload, of another format, is being translated and then converted.
        case translating
        case over
    }

    /// It owns this object until the exchange is closed.
    unowned let session: Session
    /// The session's, which needs no `unowned` read.
    let context: HTTPContext
    private var stage: Stage
    private(set) var conversion: PayloadConversion?
    /// The content so far, if it is needed whole. For a form, the part of its payload beyond a slice.
    private var kept: [UInt8] = []
    /// The range of the payload in `kept` that is not converted yet.
    private var keptPayload = 0..<0
    /// Compresses the response, if it is streamed and compressed.
    var encoder: EncoderPool.Unit?

    /// Reads content with a profile: `form`, `envelope` or `profile`.
    init(_ stage: Stage, for session: Session) {
        self.session = session
        context = session.context
        self.stage = stage
    }

    /// Converts a payload while it arrives.
    convenience init(_ order: ConversionOrder, for session: Session) {
        self.init(.converting, for: session)
        start(order)
    }

    // MARK: Content

    private func deliver(_ bytes: Span<UInt8>, at now: MonotonicTime) throws(Problem) {
        switch stage {
        case .kept, .translating, .compiling, .over: break
        case .converting: try convert(bytes)
        case .form(let form):
            try take(bytes, of: form, at: now)
            try countKept()
        case .envelope(var reader):
            try keep(bytes)
            reader.read(kept)
            stage = .envelope(reader)
        case .profile:
            try context.router.profiles.checkSize(kept.count + bytes.count)
            try keep(bytes)
        }
    }

    private func finish() throws(Problem) {
        switch stage {
        case .kept, .translating, .compiling, .over: break
        case .converting: try finishConversion()
        case .form(let form):
            guard let rest = try form.finish() else { return try finishConversion() }
            kept = rest.payload
            keptPayload = rest.payload.indices
            try startKept(rest.profile, rest.type, rest.contentType)
        case .envelope(let reader): try open(reader.finish(kept))
        case .profile: work(.check(kept))
        }
    }

    /// Continues with what is buffered, as long as there is room and the turn is not over.
    private func continueBuffered(at now: MonotonicTime) throws(Problem) {
        while let conversion, hasWork, !session.isFull, !conversion.isAway {
            try step(conversion)
            if session.isTurnOver(now) { return }
        }
    }

    /// Writes, converts or translates the next piece of what is buffered. After the last one, ends the conversion.
    private func step(_ conversion: PayloadConversion) throws(Problem) {
        if conversion.isWriting {
            try conversion.continueWriting(context.clock)
        } else if case .translating = stage {
            guard try conversion.continueTranslated(context.clock) else { return try finishConversion() }
        } else if keptPayload.isEmpty {
            return try finishConversion()
        } else {
            let slice = keptPayload.prefix(conversion.sliceBytes)
            keptPayload = slice.upperBound..<keptPayload.upperBound
            // A copy of the array's reference, since `self` is modified while its bytes are read.
            let bytes = kept
            return try convert(bytes.span.extracting(slice))
        }
        try countKept()
        try emit(conversion)
    }

    /// Buffers the next bytes of content that is needed whole.
    private func keep(_ bytes: Span<UInt8>) throws(Problem) {
        kept.append(span: bytes)
        try countKept()
    }

    /// Counts the buffered bytes of the request. Throws if they have grown beyond its share.
    private func countKept() throws(Problem) {
        var firm = kept.count + (conversion?.keptBytes ?? 0)
        if case .form(let form) = stage { firm += form.keptBytes }
        let output = conversion?.unit.output.count ?? 0
        let passing = session.isCommitted ? 0 : output + (encoder?.output.count ?? 0)
        let reservation = session.reservation
        if reservation.set(.request, firm: firm, passing: passing), let refusal = reservation.refusal { throw refusal }
    }

    // MARK: Forms and envelopes

    private func take(_ bytes: Span<UInt8>, of form: MultipartForm, at now: MonotonicTime) throws(Problem) {
        var position = 0
        while true {
            switch try form.next(bytes, at: &position) {
            case .needMore: return
            case .begin(let order): start(order)
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
            if isSlice, !session.isFull, !conversion.isWriting { return try convert(bytes) }
            kept = []
            keptPayload = 0..<0
        }
        kept.append(span: bytes)
        keptPayload = keptPayload.lowerBound..<kept.count
        try continueBuffered(at: now)
    }

    private func open(_ envelope: Envelope) throws(Problem) {
        let profile = try context.router.profiles.profile(of: envelope, in: kept)
        guard let payload = envelope.payload else {
            throw Problem.badParameter("payload", "the envelope has no payload")
        }
        keptPayload = payload
        try startKept(profile, .json, PayloadType.json.offers[0])
    }

    /// Starts with the buffered payload after its profile has arrived.
    private func startKept(_ profile: RequestedProfile, _ type: PayloadType, _ contentType: String) throws(Problem) {
        switch profile {
        case .known(let recipe):
            start(ConversionOrder(recipe: recipe, type: type, contentType: contentType))
            stage = .kept
        case .document(let document, let direction, let limits):
            work(.compile(document, direction, limits), for: (type, contentType))
        }
    }

    // MARK: Long profiles

    /// Compiles or checks a profile: here if it is short, or else in the compile queue while the connection waits.
    private func work(_ order: CompileQueue.Job, for payload: (PayloadType, contentType: String)? = nil) {
        stage = .compiling(payload, nil)
        guard order.isLong, let token = session.token, let compileQueue = context.compileQueue else {
            return take(order.perform())
        }
        stage = .compiling(payload, compileQueue(order, token, session.wire.requestCount))
    }

    func take(_ product: CompileQueue.Outcome) {
        guard case .compiling(let payload, _) = stage else { return }
        switch product {
        case .recipe(let recipe):
            guard let (type, contentType) = payload else { return }
            start(ConversionOrder(recipe: recipe, type: type, contentType: contentType))
            stage = .kept
        case .report(let report): session.respond(WholeResponse(contentType: "application/json", body: report))
        case .problem(let problem): session.fail(problem)
        }
    }

    // MARK: Conversion

    private func start(_ order: ConversionOrder) {
        conversion = session.makeConversion(order)
        session.note(order)
    }

    private func convert(_ bytes: Span<UInt8>) throws(Problem) {
        guard let conversion else { return }
        var isLast = false
        if case .converting = stage { isLast = session.inflater == nil && session.wire.isBodyAtEnd }
        try conversion.begin(bytes, isLast: isLast, context.clock)
        // The end of the request comes next.
        if isLast, !isResponseDue(conversion) { return }
        if !isLast { try countKept() }
        try emit(conversion)
    }

    private func finishConversion() throws(Problem) {
        guard let conversion else { return }
        let maxTextBytes = context.configuration.decodingLimits.maxDecodedBytes ?? TranslationLimits().maxTextBytes
        if conversion.beginTranslation(maxTextBytes: maxTextBytes) {
            kept = []
            stage = .translating
            return
        }
        try conversion.finish()
        try session.checkCost(of: conversion)
        endEmitting(conversion)
    }
}

extension ServiceExchange: RequestExchange {
    func take(_ content: Span<UInt8>, at now: MonotonicTime) {
        do throws(Problem) {
            try deliver(content, at: now)
        } catch {
            session.fail(error)
        }
    }

    func requestEnded(_ problem: Problem?, at now: MonotonicTime) {
        do throws(Problem) {
            if let problem { throw problem }
            try finish()
        } catch {
            session.fail(error)
        }
    }

    func refuse(_ problem: Problem, at now: MonotonicTime) { session.fail(problem) }

    /// A form's payload has slices of its own.
    var sliceBytes: Int? { if case .form = stage { nil } else { conversion?.sliceBytes } }

    /// Whether buffered content must be translated, converted or written before the wire continues.
    var hasWork: Bool {
        switch stage {
        case .envelope, .profile, .compiling, .over: false
        case .converting, .form: !keptPayload.isEmpty || conversion?.isWriting ?? false
        case .kept, .translating: true
        }
    }

    func proceed(at now: MonotonicTime) {
        do throws(Problem) {
            try continueBuffered(at: now)
        } catch {
            session.fail(error)
        }
    }

    var isAway: Bool { conversion?.isAway ?? false }

    func takeBack(_ work: HeldObjectWork) -> Bool { conversion?.takeBack(work) ?? false }

    var takesInput: Bool { if case .compiling = stage { false } else { !isAway } }

    var awaitsClient: Bool { true }

    var waitingBytes: Int { conversion?.unit.output.capacity ?? 0 }

    var conversionNanoseconds: Int64? { conversion.flatMap { $0.result == nil ? nil : $0.nanoseconds } }

    func note(in record: AccessRecord) {
        if case .ok? = conversion?.result { record.skippedRecords = conversion?.skippedCount }
    }

    func close() {
        if case .compiling(_, let cancellation) = stage { cancellation?.cancel() }
        stage = .over
        if let conversion = conversion.take() {
            if let result = conversion.result {
                context.metrics.conversionEnded(result)
                if case .ok = result { context.metrics.count(.skippedRecords, conversion.skippedCount ?? 0) }
            }
            conversion.end(context.converters)
        }
        if let encoder = encoder.take() { context.encoders.giveBack(encoder) }
    }
}
