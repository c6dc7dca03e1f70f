import ConvertCore
import HTTPWire

// An answer is committed once: its head goes to the session, and from then on a fault can only abort. What is not converted is
// committed at once. What is waits by `CommitRule`, its output and perhaps its original held and counted among what all
// connections hold.

/// An upstream's answer on its way to the client.
final class ForwardedAnswer {
    let isTunnel: Bool
    let isEventStream: Bool
    private let received: ReceivedResponseHead
    private let server: UpstreamServer
    private let host: HostPolicy
    private let request: ForwardedRequest
    private let services: LoopServices
    private var response: ForwardedResponse
    private var conversion: AnswerConversion?
    private var deflater: DeflaterPool.Unit?
    private var isCommitted = false
    /// What is counted in the directory.
    private var countedBytes = 0

    /// Throws 502 when the route lets no answer pass that it cannot convert.
    init(
        _ received: ReceivedResponseHead, to request: ForwardedRequest, from server: UpstreamServer, _ host: HostPolicy,
        _ services: LoopServices
    ) throws(Problem) {
        self.received = received
        self.request = request
        self.server = server
        self.host = host
        self.services = services
        isTunnel = received.status == 101
        isEventStream = BodyType(received.fields.values(for: "content-type")).isEventStream
        response = try ForwardedResponse(
            status: received.status, received.fields, to: request, from: server, host: host,
            now: services.wallNanoseconds / 1_000_000_000)
        if let ruling = response.ruling, case .convert(let framing) = ruling.fate, request.method != .head,
            let rule = request.route.response
        {
            conversion = AnswerConversion(rule, framing, coding: ruling.bodyCoding, services.converters)
        }
    }

    /// Input bytes to take in one go; nil for coded ones, of which fewer are.
    var sliceBytes: Int? {
        guard let conversion, !isCommitted || response.ruling?.isConverted == true else { return ReadBuffer.capacity }
        return conversion.converter.isCoded ? nil : ReadBuffer.capacity
    }

    /// When `commitIfDue` has to be called though nothing comes; nil when it need not.
    var commitDeadline: MonotonicTime? { isCommitted ? nil : conversion?.commit.deadline }

    // MARK: The upstream's side

    func begin(in forwarding: Forwarding, at now: MonotonicTime) {
        if isTunnel {
            isCommitted = true
            let fields = received.fields.endToEnd()
            forwarding.session.switchProtocols(fields, to: received.fields["upgrade"] ?? "", at: now)
        } else if conversion == nil {
            commit(lengthOfBody: nil, in: forwarding, at: now)
        }
    }

    func take(_ bytes: Span<UInt8>, in forwarding: Forwarding, at now: MonotonicTime) {
        guard let conversion else { return forwarding.session.queueForwarded(bytes) }
        var portion = ByteBuffer(capacity: 0)
        swap(&portion, &services.decoded)
        defer { swap(&portion, &services.decoded) }
        do throws(Problem) {
            try conversion.take(bytes, &portion)
        } catch {
            return fail(error, in: forwarding, at: now)
        }
        if isCommitted { emit(in: forwarding) } else { commitIfDue(in: forwarding, at: now) }
    }

    /// Nothing more has come for now: the client gets what there is of a committed answer.
    func flush(in forwarding: Forwarding) {
        guard isCommitted, let deflater else { return }
        deflater.flush()
        forwarding.session.queueForwarded(&deflater.output)
    }

    func end(in forwarding: Forwarding, at now: MonotonicTime) {
        if let conversion {
            do throws(Problem) {
                try conversion.finish()
            } catch {
                fail(error, in: forwarding, at: now)
                guard isCommitted, self.conversion == nil, !forwarding.isOver else { return }
                return forwarding.session.endForwarded(at: now)
            }
            finish(conversion, in: forwarding, at: now)
        }
        forwarding.session.endForwarded(at: now)
    }

    /// Commits the answer if it has waited long enough.
    func commitIfDue(in forwarding: Forwarding, at now: MonotonicTime) {
        guard let conversion, !isCommitted else { return }
        let isCrowded = count(conversion.heldBytes) > forwarding.gateway.configuration.maxBufferedBytes
        let isDue = conversion.commit.isDue(
            heldBytes: conversion.converter.unit.output.count, hasRecord: conversion.hasRecord, isCrowded: isCrowded,
            at: now)
        guard isDue else { return }
        commit(lengthOfBody: nil, in: forwarding, at: now)
        emit(in: forwarding)
    }

    /// Gives everything back.
    func release(_ services: LoopServices) {
        count(0)
        if let conversion {
            services.metrics.conversionEnded(conversion.converter.result)
            services.converters.giveBack(conversion.converter.unit)
        }
        conversion = nil
        if let deflater { services.deflaters.giveBack(deflater) }
        deflater = nil
    }

    // MARK: The client's side

    /// Starts the response; `length` is that of a converted body that is known whole.
    private func commit(lengthOfBody length: Int?, in forwarding: Forwarding, at now: MonotonicTime) {
        isCommitted = true
        conversion?.forgetOriginal()
        count(0)
        if conversion != nil, length == nil, let coding = response.ruling?.answerCoding, coding != .identity {
            deflater = services.deflaters.take(coding)
        }
        let head = ResponseHead(status: response.status, fields: response.fields)
        let date = response.date.map { Array($0) } ?? services.date
        forwarding.session.startForwarded(head, body: body(length), date: date)
    }

    private func body(_ length: Int?) -> ResponseBody {
        if conversion != nil { return length.map { .sized($0) } ?? .streamed }
        if response.status == 204 { return .none }
        let told = received.fields["content-length"].flatMap(Int.init)
        let isBodiless = response.status == 304 || request.method == .head
        if isBodiless, !response.keepsLength { return response.status == 304 ? .none : .streamed }
        return told.map { .sized($0) } ?? (response.status == 304 ? .none : .streamed)
    }

    /// Sends what was converted of a committed answer.
    private func emit(in forwarding: Forwarding) {
        guard let unit = conversion?.converter.unit else { return }
        guard let deflater else { return forwarding.session.queueForwarded(&unit.output) }
        deflater.encode(unit.output.bytes)
        unit.output.removeAll()
        forwarding.session.queueForwarded(&deflater.output)
    }

    private func finish(_ conversion: AnswerConversion, in forwarding: Forwarding, at now: MonotonicTime) {
        let unit = conversion.converter.unit
        if isCommitted {
            emit(in: forwarding)
            if let deflater {
                deflater.finish()
                forwarding.session.queueForwarded(&deflater.output)
            }
            return
        }
        let coding = response.ruling?.answerCoding ?? .identity
        guard coding != .identity else {
            commit(lengthOfBody: unit.output.count, in: forwarding, at: now)
            return forwarding.session.queueForwarded(&unit.output)
        }
        let coder = services.deflaters.take(coding)
        coder.encode(unit.output.bytes)
        coder.finish()
        commit(lengthOfBody: coder.output.count, in: forwarding, at: now)
        forwarding.session.queueForwarded(&coder.output)
        services.deflaters.giveBack(coder)
    }

    /// The answer cannot be converted: it goes on as it came where that is allowed and still possible.
    private func fail(_ problem: Problem, in forwarding: Forwarding, at now: MonotonicTime) {
        guard !isCommitted, let original = conversion?.original,
            let passed = try? ForwardedResponse(
                status: received.status, received.fields, to: request, from: server, host: host,
                now: services.wallNanoseconds / 1_000_000_000, leavesBody: true)
        else { return forwarding.session.fail(problem, at: now) }
        release(services)
        response = passed
        commit(lengthOfBody: nil, in: forwarding, at: now)
        forwarding.session.queueForwarded(original.span)
    }

    /// Counts what is held among what all connections hold; answers that sum.
    @discardableResult
    private func count(_ heldBytes: Int) -> Int {
        let change = heldBytes - countedBytes
        countedBytes = heldBytes
        return services.directory.hold(change)
    }
}

// MARK: - What the connections call

extension Forwarding {
    /// Whether the client's side has no room for more of the answer.
    var holdsUpstream: Bool { session.isOutboxFull }

    var isEventStream: Bool { answer?.isEventStream ?? false }

    /// Input bytes of the answer to take in one go; nil for few.
    var answerSliceBytes: Int? { answer.map(\.sliceBytes) ?? ReadBuffer.capacity }

    /// When a converted answer is committed though nothing comes.
    var commitDeadline: MonotonicTime? { answer?.commitDeadline }

    func commitIfDue(at now: MonotonicTime) { answer?.commitIfDue(in: self, at: now) }

    func upstreamSent(_ bytes: Span<UInt8>, at now: MonotonicTime) { answer?.take(bytes, in: self, at: now) }

    func upstreamPaused(at now: MonotonicTime) { answer?.flush(in: self) }

    func upstreamTunnelled(_ bytes: Span<UInt8>, at now: MonotonicTime) { session.queueTunnelled(bytes) }

    func upstreamEndedTunnel(at now: MonotonicTime) { session.endTunnel(at: now) }

    /// Sends what the client has sent in the protocol that was switched to.
    func tunnel(_ bytes: Span<UInt8>) { upstream?.sendTunnelled(bytes) }

    /// The client will send no more in that protocol.
    func clientEndedTunnel() { upstream?.endTunnelSending() }
}
