import ContentCodings
import Conversions
import ConvertEngine
import EventLoop
import Gateway
import HTTPSemantics
import HTTPWire
import Observability
import Service
import Sockets
import Upstreams

// MARK: - A session of a public listener: its requests are forwarded to upstreams

extension Session: ClientExchange {
    /// Starts a request whose head is complete, with the routes of `gateway`.
    func begin(by gateway: Gateway, at now: MonotonicTime) {
        let request = wire.request
        beginRecord(of: request, at: now)
        do throws(Problem) {
            switch request.target.form {
            case .asterisk:
                record?.route = .server
                guard request.method == .options else { throw .notAllowed("OPTIONS") }
                return respond(Answer(allow: Self.serverMethods, acceptPost: nil), at: now)
            case .authority: throw .notAllowed(Self.serverMethods)
            default: break
            }
            let (route, path) = try gateway.findRoute(request)
            record?.note(route)
            if let description = route.description, description.isAt(path), [.get, .head].contains(request.method) {
                answerCoding = AnswerCoding(AcceptEncoding(request.fields.values(for: "accept-encoding")))
                return respond(Answer(description, to: request), at: now)
            }
            let forwarded = try gateway.forward(
                request, on: route, path, requestContext(hasBody: wire.requestBody != .none, leavesBody: false))
            let forwarding = Forwarding(
                forwarded, wire.requestBody, gateway, for: self, context.forwarding, at: now)
            self.forwarding = forwarding
            stage = .forwarding
            if forwarding.bodyCoding != .identity {
                inflater = Inflater(forwarding.bodyCoding, limits: context.limits.decoding)
            }
            forwarding.begin(at: now)
        } catch {
            noteRoute()
            respond(error, at: now)
        }
    }

    /// Whether the X-Request-Id of a request is used. If everybody could set it, clients could forge log lines of
    /// others. A gateway treats programs of this machine like other clients.
    var trustsIdentifiers: Bool {
        !isPublic || context.gateway == nil && peer.isLocal || context.trustedProxies.contains(peer)
    }

    private static let serverMethods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

    /// Records the upstream and the server of the request.
    func note(_ upstream: String, _ server: ServerAddress) {
        record?.upstream = upstream
        record?.server = server.server
    }

    /// Records the error that ends a tunnel.
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

    func closeAfterResponse() { wire.closeAfterResponse() }

    /// Tells the client to send its body.
    func sendContinue() {
        writeBuffer.write { wire.sendContinue(into: &$0) }
    }

    /// Writes more of a buffered object in the body, or converts more messages, as long as the upstream accepts it and the turn is not over.
    func continueForwarding(at now: MonotonicTime) {
        do throws(Problem) {
            while !isBlocked, let forwarding, forwarding.isWritingBody {
                try forwarding.continueBody(at: now)
                if isTurnOver(now) { return }
            }
        } catch {
            failForwarding(error, at: now)
        }
    }

    /// Handles a body that cannot be converted. It passes unchanged if the route allows that and nothing of it was
    /// sent.
    func failForwarding(_ problem: Problem, at now: MonotonicTime) {
        if let forwarding, forwarding.leaveBody(at: now) {
            inflater = nil
            coded = nil
        } else {
            fail(forwarding?.refusal(problem) ?? problem, at: now)
        }
    }

    // MARK: The response

    /// Sends an interim response to clients that support it.
    func inform(_ head: InterimHead) {
        guard wire.request.minorVersion > 0 else { return }
        writeBuffer.write { wire.sendInterim(head, into: &$0) }
        touch()
    }

    /// Sends the head of a forwarded response.
    ///
    /// - Parameter skippedRecords: those of the body, if they are already known.
    func startForwarded(
        _ answer: ForwardedResponse, body: ResponseBody, announcesTrailer: Bool, skippedRecords: SkippedRecords?
    ) {
        var head = ResponseHead(status: answer.status, fields: answer.fields)
        let understandsChunks = wire.request.minorVersion > 0
        if announcesTrailer, understandsChunks, wire.request.method != .head {
            head.fields.append(contentsOf: [SkippedRecords.trailer])
        }
        if let skippedRecords { head.fields.append(contentsOf: skippedRecords.fields) }
        let date = answer.date.map(Array.init) ?? context.fields.date
        writeBuffer.write { wire.startResponse(head, body: body, date: date, into: &$0) }
        record?.status = answer.status
        isCommitted = true
    }

    /// Sends the next bytes of a response body.
    func relay(_ bytes: Span<UInt8>) {
        if wire.sendsBody { queuePart(bytes) }
    }

    /// Sends the next bytes of a response body, which are taken out of `buffer`.
    func relay(_ buffer: inout ByteBuffer) { queuePart(&buffer) }

    /// Ends a forwarded response.
    func endForwarded(skippedRecords: SkippedRecords?, at now: MonotonicTime) {
        var trailers = Fields()
        if let skippedRecords, skippedRecords.total > 0 { trailers.append(contentsOf: skippedRecords.fields) }
        endResponse(trailers: trailers, at: now)
    }

    /// Whether an upstream's connection waits until the client has accepted the response bytes so far.
    var isDownloading: Bool { isCommitted && forwarding?.connection != nil }

    // MARK: The tunnel

    /// Whether the connection uses another protocol, whose bytes pass unchanged.
    var isTunnel: Bool { forwarding?.isTunnel ?? false }

    /// Sends 101 to the client: from now on the protocol is another one.
    func switchProtocols(to upgrade: String, _ fields: Fields, requestID: String) {
        var fields = fields.endToEnd(omitting: Self.ownFields) { _ in true }
        fields.append("X-Request-Id", requestID)
        writeBuffer.write { wire.switchProtocols(fields, to: upgrade, into: &$0) }
        record?.status = 101
        isCommitted = true
        touch()
    }

    private static let ownFields = FieldNames(["x-request-id", "convert-status"])

    /// Sends bytes of the other protocol.
    func relayTunnelled(_ bytes: Span<UInt8>) {
        record?.bytesOut += bytes.count
        writeBuffer.append(bytes)
    }

    /// Ends the sending side after all bytes were sent.
    func endSending() { endsSending = true }

    /// Ends the tunnel. If the client has not ended its side, its further bytes are discarded.
    func endTunnel(at now: MonotonicTime) {
        wire.endTunnel()
        closing = hasInputEnded ? .clean : .lingering
        endRecord(isAborted: false)
    }

    // MARK: The loop

    /// Makes the loop settle the connection, because there may be bytes to send, or room for more.
    func touch() { if let token { context.loop.touch(token) } }

    /// Handles that the client has accepted some of the waiting bytes.
    func clientTook(at now: MonotonicTime) { if !isFull { forwarding?.clientHasRoom(at: now) } }

    /// When `wakeUp` must be called, even if nothing happens.
    var wakeUpMoment: MonotonicTime? { forwarding?.deadline }

    func wakeUp(at now: MonotonicTime) { forwarding?.expire(at: now) }
}
