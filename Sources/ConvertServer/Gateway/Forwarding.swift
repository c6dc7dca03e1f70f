import ConvertCore
import HTTPSemantics
import HTTPWire
import Sockets
import Text

// One request on its way through the gateway, between the session of its client and a connection to an upstream,
// without socket and clock. Both sides call it from inside their own events. It calls them only to queue something.
//
// Two machines run side by side. `stage` is the state of the request:
//
//     gathering → connecting → sending → done         the header is sent when the body is ready for it (`body.isReady`)
//         ↑___________|___________|                   a second attempt starts again with what is kept of the body
//                                 → tunnel → done     after 101
//
// and `answer` is the state of the response:
//
//     awaited → relaying → over                       unchanged
//     awaited → converting → over                     committed or not; until the commit an error becomes another response
//     awaited → over                                  a problem document
//
// These must stay in step:
//
// - Only `connecting`, `sending` and `tunnel` own a connection, together with one of the upstream's `maxConnections`.
//   No connection waits for the request to begin, because its server could close it at any time. A request that only
//   had to know that there is a connection returns it. Only `letGo` and `giveBack` leave these stages.
// - The session starts a response exactly when `answer` leaves `awaited`. `over` means that the session has ended it,
//   and this object with it.
// - The client is read only while `takesInput`, so that few bytes wait for the upstream.
// - A slow upload occupies no connection for the part that fits into the upstream's `requestBufferBytes`. That part is
//   buffered before the first attempt.

/// One request and its response on their way through the gateway.
final class Forwarding {
    enum Stage {
        /// Nothing was sent to an upstream: there is no attempt yet, or the body is buffered first.
        case gathering
        case connecting(UpstreamConnection)
        /// The head was sent.
        case sending(UpstreamConnection)
        case tunnel(UpstreamConnection)
        /// The exchange with the upstream has ended.
        case done
    }

    enum Answer {
        case awaited
        case relaying
        case converting(AnswerConversion)
        case over
    }

    /// An upstream's response as received, as long as it may have to be handled a second time.
    struct Received {
        let status: Int
        let fields: Fields
        let server: UpstreamServer
    }

    let gateway: Gateway
    let upstream: Upstream
    /// The client whose share of the upstream's connections this request uses.
    let client: IPAddress?
    /// The session that owns this object.
    unowned let session: Session
    /// Replaced if its body passes unchanged in the end.
    var request: ForwardedRequest
    var body: ForwardingRequestBody
    var stage = Stage.gathering
    var answer = Answer.awaited
    var received: Received?
    /// The server of the last attempt.
    var server: ServerAddress?
    var attempts = 0
    /// When the current attempt began.
    var attemptStart: MonotonicTime?
    /// The time of all attempts, each until the head of the response or its failure.
    var upstreamNanoseconds: Int64?
    /// The response head for the client, until it is sent.
    var head: ForwardedResponse?
    /// Whether the client sees trailers.
    let acceptsTrailers: Bool
    /// Whether the client has ended its side of a tunnel, and whether the upstream has.
    var tunnelEnds = TunnelEnds()

    var services: LoopServices { session.services }

    /// - Parameter body: how the client's body is framed.
    init(
        _ request: ForwardedRequest, _ body: RequestBody, _ gateway: Gateway, _ session: Session, at now: MonotonicTime
    ) {
        self.gateway = gateway
        self.request = request
        self.session = session
        let services = session.services
        upstream = gateway.upstreams[request.route.configuration.upstream]
        client = gateway.configuration.trustedProxies.sharer(request.clientAddress)
        acceptsTrailers = session.wire.acceptsTrailers
        if case .convert(let framing, _, _) = request.body, let conversion = request.route.request {
            let order = ConversionOrder(
                recipe: conversion.recipe, type: framing == .lines ? .lines : .json, contentType: "")
            self.body = ForwardingRequestBody(
                session.makeConversion(order), conversion.rule, session.reservation)
        } else {
            self.body = ForwardingRequestBody(
                passing: Self.framing(body, of: request.method),
                maxGatheredBytes: upstream.configuration.requestBufferBytes, session.reservation)
        }
        services.directory.requestBegan(at: now)
    }

    /// The framing of an empty body depends on the method (RFC 9110 §8.6).
    static func framing(_ body: RequestBody, of method: RequestMethod) -> RequestBody {
        let expectsBody = method == .post || method == .put || method == .patch
        return body == .none && expectsBody ? .sized(0) : body
    }

    // MARK: State

    /// Whether the next bytes of the client's body can be taken.
    var takesInput: Bool {
        switch stage {
        case .gathering: !body.isComplete
        case .sending(let connection): body.takesMore && !connection.isBlocked
        case .tunnel(let connection): !connection.isBlocked
        case .connecting, .done: false
        }
    }

    /// Whether the exchange waits for the client.
    var awaitsClient: Bool {
        if case .tunnel = stage { return false }
        return takesInput
    }

    /// The coding that the session must decode.
    var bodyCoding: ContentCoding { if case .convert(_, let coding, _) = request.body { coding } else { .identity } }

    /// Whether a buffered object in the client's body is being written.
    var isWritingBody: Bool { body.isWriting }

    /// Whether the body waits for the work on a buffered object, which runs outside the loop.
    var isBodyAway: Bool { body.conversion?.isAway ?? false }

    /// Takes the finished work for a buffered object of the body or the response. False if it belongs to another
    /// exchange.
    func takeBack(_ work: HeldObjectWork) -> Bool {
        if body.conversion?.takeBack(work) ?? false { return true }
        guard case .converting(let conversion) = answer else { return false }
        return conversion.conversion.takeBack(work)
    }

    /// Whether more of the response can be converted now.
    var canConvertAnswer: Bool {
        if case .converting(let conversion) = answer {
            conversion.hasWork && !conversion.conversion.isAway
        } else {
            false
        }
    }

    /// Whether bytes of the response wait to be converted, for the next turn or for room.
    var hasAnswerWork: Bool { if case .converting(let conversion) = answer { conversion.hasWork } else { false } }

    /// The number of response bytes that the client's session does not have yet.
    var waitingBytes: Int {
        let unread = connection?.unread.count ?? 0
        guard case .converting(let conversion) = answer else { return unread }
        return unread + conversion.waitingBytes + conversion.conversion.unit.output.capacity
    }

    /// How many bytes of the client's body are converted before the waiting output is checked again.
    var sliceBytes: Int? { body.conversion?.sliceBytes }

    var isTunnel: Bool { if case .tunnel = stage { true } else { false } }

    /// When `expire` must be called even if nothing else happens.
    var deadline: MonotonicTime? { if case .converting(let conversion) = answer { conversion.deadline } else { nil } }

    /// Whether the upstream must wait because the client accepts no more.
    var holdsUpstream: Bool {
        hasAnswerWork || session.isFull
    }

    var connection: UpstreamConnection? {
        switch stage {
        case .gathering, .done: nil
        case .connecting(let connection), .sending(let connection), .tunnel(let connection): connection
        }
    }

    /// The number of bad records of the request and its response that were skipped or replaced by null so far. Nil if
    /// no profile counts them.
    var skippedRecords: Int? {
        var counts = [body.conversion?.skippedCount]
        if case .converting(let conversion) = answer { counts.append(conversion.conversion.skippedCount) }
        let known = counts.compactMap(\.self)
        return known.isEmpty ? nil : known.reduce(0, +)
    }

    /// Counts the result of the request at the server that it went to last.
    func count(_ outcome: ForwardingOutcome) {
        guard let server else { return }
        let label = gateway.label(of: server.server, upstream: request.route.configuration.upstream)
        services.metrics.forwarded(request.route.label, outcome, label)
    }

    /// Records the time of the last server, until the response head arrived or the attempt failed.
    func observe(at now: MonotonicTime) {
        guard let start = attemptStart, let server else { return }
        attemptStart = nil
        let nanoseconds = max(0, now.nanoseconds - start.nanoseconds)
        upstreamNanoseconds = (upstreamNanoseconds ?? 0) + nanoseconds
        services.metrics.upstreamTook(
            nanoseconds, gateway.label(of: server.server, upstream: request.route.configuration.upstream))
    }

    // MARK: The end

    /// Leaves the upstream and closes its connection, which cannot be used again.
    func letGo() {
        guard let connection else { return }
        leave()
        connection.letGo()
    }

    /// Leaves the connection. Its exchange is over, and it decides itself what to do next.
    func leave() {
        guard connection != nil else { return }
        stage = .done
        upstream.giveBack(client)
        session.reservation.set(.upstream)
    }

    /// Releases everything, because the session has ended the exchange or lost its client.
    func close() {
        letGo()
        stage = .done
        if let conversion = body.conversion {
            if let result = conversion.result { services.metrics.conversionEnded(result) }
            services.metrics.recordsSkipped(conversion.skippedCount ?? 0)
            conversion.abandon()
            services.converters.giveBack(conversion.unit)
        }
        if case .converting(let conversion) = answer { conversion.close(services) }
        answer = .over
    }
}
