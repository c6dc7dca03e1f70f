import ContentCodings
import ConvertCore
import HTTPSemantics
import HTTPWire
import Sockets

// MARK: - A session of a public listener: its requests go on to upstreams

extension Session {
    /// Takes up a request whose head is complete, by the routes of `gateway`.
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
            let forwarded = try gateway.forward(
                request, on: route, path, requestContext(hasBody: wire.requestBody != .none, leavesBody: false))
            let forwarding = Forwarding(forwarded, wire.requestBody, gateway, self, at: now)
            self.forwarding = forwarding
            stage = .forwarding
            if forwarding.bodyCoding != .identity {
                inflater = Inflater(forwarding.bodyCoding, limits: services.decodingLimits)
            }
            forwarding.begin(at: now)
        } catch {
            noteRoute()
            respond(error, at: now)
        }
    }

    /// Whether a request may bring its own X-Request-Id; from anybody, others would find their lines of the log forged. At a
    /// gateway programs of this machine are clients like others.
    var trustsIdentifiers: Bool {
        !isPublic || services.trustedProxies.contains(peer) || services.gateway == nil && peer.isLocal
    }

    private static let serverMethods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

    /// Notes where the request goes.
    func note(_ upstream: String, _ server: ServerAddress) {
        record?.upstream = upstream
        record?.server = server.server
    }

    /// What decides about the request apart from its head.
    func requestContext(hasBody: Bool, leavesBody: Bool) -> RequestContext {
        RequestContext(
            peer: peer, requestID: record?.requestID ?? "", hasBody: hasBody,
            now: services.wallSeconds, leavesBody: leavesBody, trace: record?.trace)
    }

    // MARK: The request

    /// Tells the client to send its body.
    func sendContinue() {
        outbox.write { wire.sendContinue(into: &$0) }
    }

    /// Writes more of an object in the body that was held, as far as the upstream takes it and the turn goes.
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

    /// Notes that the body cannot be converted. It passes unchanged if the route allows that and nothing of it was
    /// sent.
    func failForwarding(_ problem: Problem, at now: MonotonicTime) {
        if let forwarding, forwarding.leaveBody(at: now) {
            inflater = nil
            coded = nil
        } else {
            fail(forwarding?.refusal(problem) ?? problem, at: now)
        }
    }

    // MARK: The answer

    /// Sends an interim answer to clients that know of such.
    func inform(_ head: InterimHead) {
        guard wire.request.minorVersion > 0 else { return }
        outbox.write { wire.sendInterim(head, into: &$0) }
        touch()
    }

    /// Sends the head of a forwarded answer.
    ///
    /// - Parameter skippedRecords: of its body, where they are known by now.
    func startForwarded(
        _ answer: ForwardedResponse, body: ResponseBody, announcesTrailer: Bool = false,
        skippedRecords: SkippedRecords? = nil
    ) {
        var head = ResponseHead(status: answer.status, fields: answer.fields)
        let understandsChunks = wire.request.minorVersion > 0
        if announcesTrailer, understandsChunks, wire.request.method != .head {
            head.fields.append(contentsOf: [SkippedRecords.trailer])
        }
        if let skippedRecords { head.fields.append(contentsOf: skippedRecords.fields) }
        let date = answer.date.map(Array.init) ?? services.date
        outbox.write { wire.startResponse(head, body: body, date: date, into: &$0) }
        record?.status = answer.status
        isCommitted = true
    }

    /// Sends the next bytes of an answer's body.
    func relay(_ bytes: Span<UInt8>) {
        if wire.sendsBody { queuePart(bytes) }
    }

    /// Sends the next bytes of an answer's body, which are taken out of `buffer`.
    func relay(_ buffer: inout ByteBuffer) { queuePart(&buffer) }

    /// Ends a forwarded answer.
    func endForwarded(skippedRecords: SkippedRecords? = nil, at now: MonotonicTime) {
        var trailers = Fields()
        if let skippedRecords, skippedRecords.total > 0 { trailers.append(contentsOf: skippedRecords.fields) }
        endResponse(trailers: trailers, at: now)
    }

    /// Whether an upstream's connection waits until the client has taken its answer, as far as that has come.
    var isDownloading: Bool { isCommitted && forwarding?.connection != nil }

    // MARK: The tunnel

    /// Whether the connection speaks another protocol, whose bytes go on as they come.
    var isTunnel: Bool { forwarding?.isTunnel ?? false }

    /// Tells the client that the protocol is another from now on.
    func switchProtocols(to upgrade: String, _ fields: Fields, requestID: String) {
        var fields = fields.endToEnd(omitting: Self.ownFields) { _ in true }
        fields.append("X-Request-Id", requestID)
        outbox.write { wire.switchProtocols(fields, to: upgrade, into: &$0) }
        record?.status = 101
        isCommitted = true
        touch()
    }

    private static let ownFields = FieldNames(["x-request-id", "convert-status"])

    /// Sends bytes of the other protocol.
    func relayTunnelled(_ bytes: Span<UInt8>) {
        record?.bytesOut += bytes.count
        outbox.append(bytes)
    }

    /// Tells the client that no more will be sent, once all is.
    func endSending() { endsSending = true }

    /// Ends the other protocol, whose sides have both ended.
    func endTunnel(at now: MonotonicTime) {
        wire.endTunnel()
        closing = .clean
        endRecord(isAborted: false)
    }

    // MARK: The loop

    /// Has the loop look at the connection: there may be something to send, or room for more.
    func touch() { if let token { services.touch(token) } }

    /// Notes that the client has taken some of what waited.
    func clientTook(at now: MonotonicTime) { if !isFull { forwarding?.clientHasRoom(at: now) } }

    /// When `wakeUp` must be called, even if nothing happens.
    var wakeUpMoment: MonotonicTime? { forwarding?.deadline }

    func wakeUp(at now: MonotonicTime) { forwarding?.expire(at: now) }
}
