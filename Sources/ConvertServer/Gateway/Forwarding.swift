package import Conversions
import ConvertEngine
package import HTTPSemantics
package import HTTPWire
package import Observability
package import Sockets
package import Text
package import Upstreams

// One request on its way through the gateway, between its client and a connection to an upstream,
// without socket and clock. Both sides call it from inside their own events. It calls them only to queue something.
//
// Two machines run side by side. `stage` is the state of the request:
//
//     gathering → connecting → sending → done         the header is sent when the body is ready for it (`body.isReady`)
//         ↑___________|___________|                   a second attempt starts again with what is kept of the body
//                                 → tunnel → done     after 101
//
// and `responseState` is the state of the response:
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
// - The client's side starts a response exactly when `responseState` leaves `awaited`. `over` means that it has ended it,
//   and this object with it.
// - The client is read only while `takesInput`, so that few bytes wait for the upstream.
// - A slow upload occupies no connection for the part that fits into the upstream's `requestBufferBytes`. That part is
//   buffered before the first attempt.

/// One request and its response on their way through the gateway.
package final class Forwarding: UpstreamExchange {
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

    enum ResponseState {
        case awaited
        case relaying
        case converting(ResponseBodyConversion)
        case over
    }

    package let gateway: Gateway
    package let upstream: Upstream
    /// The address whose share of the upstream's connections this request uses.
    package let share: IPAddress?
    /// The client's side, which owns this object.
    package unowned let client: any ForwardingClient
    package let context: GatewayContext
    /// Replaced if its body passes unchanged in the end.
    var request: ForwardedRequest
    let body: ForwardingRequestBody
    var stage = Stage.gathering
    var responseState = ResponseState.awaited
    /// The upstream's response as received, because it may have to be handled a second time.
    var received: ReceivedResponseHead?
    /// The server of the last attempt, and its label in metrics.
    var server: ServerAddress?
    var serverLabel = BackendLabel.other
    package var attempts = 0
    /// When the current attempt began.
    var attemptStart: MonotonicTime?
    /// The time of all attempts, each until the head of the response or its failure.
    package var upstreamNanoseconds: Int64?
    /// The response head for the client, until it is sent.
    var head: ForwardedResponse?
    /// Whether the client sees trailers.
    package let acceptsTrailers: Bool
    /// Whether the upstream has ended its side of a tunnel.
    var hasUpstreamEnded = false
    /// The messages of a tunnel, if they are converted; else nil.
    var messages: MessageTunnel?

    /// - Parameter body: how the client's body is framed.
    package init(
        _ request: ForwardedRequest, _ body: RequestBody, _ gateway: Gateway, for client: any ForwardingClient,
        _ context: GatewayContext, at now: MonotonicTime
    ) {
        self.gateway = gateway
        self.request = request
        self.client = client
        self.context = context
        upstream = gateway.upstreams[request.route.configuration.upstream]
        share = gateway.configuration.trustedProxies.sharer(request.clientAddress)
        acceptsTrailers = client.acceptsTrailers
        if let order = request.conversionOrder, let conversion = request.route.request {
            self.body = ForwardingRequestBody(client.makeConversion(order), conversion.rule, client.reservation)
        } else {
            self.body = ForwardingRequestBody(
                passing: body,
                maxGatheredBytes: upstream.configuration.requestBufferBytes, client.reservation)
        }
        context.directory.requestBegan(at: now)
    }

    // MARK: State

    package var takesInput: Bool {
        if isAway { return false }
        return switch stage {
        case .gathering: !body.isComplete
        case .sending(let connection): body.takesMore && !connection.isBlocked
        case .tunnel(let connection): !connection.isBlocked
        case .connecting, .done: false
        }
    }

    /// Whether the exchange waits for the client.
    package var awaitsClient: Bool {
        if case .tunnel = stage { return false }
        return takesInput
    }

    /// The coding that the session must decode.
    package var bodyCoding: ContentCoding {
        switch request.body {
        case .convert(_, let coding, _), .convertPatch(let coding): coding
        case .pass: .identity
        }
    }

    /// Whether a buffered object in the client's body is being written, or messages of the client wait to be converted.
    package var hasWork: Bool { messages?.toUpstream.hasWork ?? body.conversion?.isWriting ?? false }

    /// Whether the body, or a message of the client, waits for the work on a buffered object, which runs outside the loop.
    package var isAway: Bool { messages?.toUpstream.isAway ?? body.conversion?.isAway ?? false }

    /// Takes the finished work for a buffered object of the body or the response. False if it belongs to another
    /// exchange.
    package func takeBack(_ work: HeldObjectWork) -> Bool {
        if body.conversion?.takeBack(work) ?? messages?.takeBack(work) ?? false { return true }
        guard case .converting(let conversion) = responseState else { return false }
        return conversion.conversion.takeBack(work)
    }

    /// Whether more of the response can be converted now.
    package var canConvertResponse: Bool {
        if let messages { return messages.toClient.hasWork && !messages.toClient.isAway }
        guard case .converting(let conversion) = responseState else { return false }
        return conversion.hasWork && !conversion.conversion.isAway
    }

    /// Whether bytes of the response wait to be converted, for the next turn or for room.
    package var hasResponseWork: Bool {
        if let messages { return messages.toClient.hasWork }
        return if case .converting(let conversion) = responseState { conversion.hasWork } else { false }
    }

    /// The number of response bytes that the client's session does not have yet.
    package var waitingBytes: Int {
        let unread = connection?.unreadBytes ?? 0
        guard case .converting(let conversion) = responseState else { return unread }
        return unread + conversion.waitingBytes + conversion.conversion.unit.output.capacity
    }

    /// How many bytes of the client's body are converted before the waiting output is checked again.
    package var sliceBytes: Int? { body.conversion?.sliceBytes }

    package var isTunnel: Bool { if case .tunnel = stage { true } else { false } }

    /// When `expire` must be called even if nothing else happens.
    package var deadline: MonotonicTime? {
        if case .converting(let conversion) = responseState { conversion.deadline } else { messages?.deadline }
    }

    package var clientToken: PollToken? { client.token }

    package var maxReadBytes: Int { client.maxReadBytes }

    package func isTooMuchWaiting(_ count: Int) -> Bool { client.isTooMuchWaiting(count) }

    package func setWaitingForUpstream(_ count: Int) { client.reservation.set(.upstream, passing: count) }

    /// Whether the upstream must wait because the client accepts no more.
    package var holdsUpstream: Bool {
        hasResponseWork || client.isFull
    }

    package var connection: UpstreamConnection? {
        switch stage {
        case .gathering, .done: nil
        case .connecting(let connection), .sending(let connection), .tunnel(let connection): connection
        }
    }

    /// The number of bad records of the request and its response that were skipped or replaced by null so far. Nil if
    /// no profile counts them.
    package var skippedRecords: Int? {
        var total = body.conversion?.skippedCount
        func add(_ count: Int?) { if let count { total = (total ?? 0) + count } }
        for direction in messages?.directions ?? [] { add(direction.conversion?.skippedCount) }
        if case .converting(let conversion) = responseState { add(conversion.conversion.skippedCount) }
        return total
    }

    /// Counts the result of the request at the server that it went to last.
    package func count(_ outcome: ForwardingOutcome) {
        guard server != nil else { return }
        context.metrics.forwarded(request.route.label, outcome, serverLabel)
    }

    /// Records the time of the last server, until the response head arrived or the attempt failed.
    package func observe(at now: MonotonicTime) {
        guard let start = attemptStart, server != nil else { return }
        attemptStart = nil
        let nanoseconds = max(0, now.nanoseconds - start.nanoseconds)
        upstreamNanoseconds = (upstreamNanoseconds ?? 0) + nanoseconds
        context.metrics.upstreamTook(nanoseconds, serverLabel)
    }

    // MARK: The end

    /// Leaves the upstream and closes its connection, which cannot be used again.
    package func letGo() {
        guard let connection else { return }
        leave()
        connection.letGo()
    }

    /// Leaves the connection. Its exchange is over, and it decides itself what to do next.
    package func leave() {
        guard connection != nil else { return }
        stage = .done
        upstream.giveBack(share)
        client.reservation.set(.upstream)
    }

    /// Releases everything, because the client's side has ended the exchange or lost its client.
    package func close() {
        letGo()
        stage = .done
        if let conversion = body.conversion { context.end(conversion) }
        if case .converting(let conversion) = responseState { conversion.close(context) }
        if let messages {
            for direction in messages.directions { direction.end(context, isComplete: messages.deadline == nil) }
        }
        messages = nil
        responseState = .over
    }
}
