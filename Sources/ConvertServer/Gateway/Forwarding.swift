import ConvertCore
import HTTPWire

// One request's way through the gateway. It stands between two connections of one loop, the client's session and an upstream's
// connection, each of which calls it; it calls both. What must stay in step:
//
// - `upstream` is the connection in use, nil before the first attempt is made, between two attempts and after the answer.
// - A place among the upstream's `maxConnections` is held exactly while `place` is not nil.
// - The session gets one final response: by `answer` once the upstream's head has come and is committed, by `session.respond`
//   for any fault before. After the commit a fault aborts the client's connection.
// - When it is over, for whatever reason, `finish` is called once, by the session.

/// One request that is forwarded to an upstream, and its answer on the way back.
final class Forwarding {
    let session: Session
    let services: LoopServices
    let gateway: Gateway
    private(set) var request: ForwardedRequest
    private let upstreamState: Upstream
    private(set) var body: RequestBodyPath

    var upstream: UpstreamConnection?
    /// The server whose place is taken.
    private(set) var place: ServerAddress?
    private var hasRetried = false
    /// Whether the request's head was given to `upstream`.
    private var isHeadSent = false
    /// The answer's side, once its head has come.
    var answer: ForwardedAnswer?
    private(set) var isOver = false

    init(_ request: ForwardedRequest, of gateway: Gateway, in session: Session, _ services: LoopServices) {
        self.session = session
        self.services = services
        self.gateway = gateway
        self.request = request
        upstreamState = gateway.upstreams[request.route.configuration.upstream]
        body = Self.body(of: request, session, services)
    }

    private static func body(
        of request: ForwardedRequest, _ session: Session, _ services: LoopServices
    ) -> RequestBodyPath {
        if case .convert(let framing, let coding) = request.body, let conversion = request.route.request {
            return RequestBodyPath(conversion, framing, coding: coding, services)
        }
        return RequestBodyPath(passing: session.requestBody)
    }

    // MARK: Attempts

    /// Looks for a connection.
    func start(at now: MonotonicTime) {
        services.directory.requestBegan(at: now)
        attempt(avoiding: nil, at: now)
    }

    private func attempt(avoiding avoided: ServerAddress?, at now: MonotonicTime) {
        switch upstreamState.choose(avoiding: avoided, at: now) {
        case .unresolved: session.fail(.noUpstream("its name is not known"), at: now)
        case .unhealthy: session.fail(.unavailable("no server of the upstream is healthy"), at: now)
        case .full: session.fail(.unavailable("all connections to the upstream are in use"), at: now)
        case .server(let server):
            place = server
            isHeadSent = false
            // A second attempt over a connection that has waited could meet the same end.
            if !hasRetried, let idle = services.upstreams.take(server, for: request.method, at: now) {
                upstream = idle
                idle.take(for: self, upstreamState.configuration, at: now)
                upstreamConnected(at: now)
            } else {
                connect(to: server, at: now)
            }
        }
    }

    private func connect(to server: ServerAddress, at now: MonotonicTime) {
        do throws(SystemCallError) {
            let connection = try UpstreamConnection(
                to: server, upstreamState.configuration, for: self, services, at: now)
            upstream = connection
            services.arrivals.append(connection)
        } catch {
            upstreamFailed(.connect, "\(error)", at: now)
        }
    }

    // MARK: Told by the session

    /// Whether the client is not to be read: the upstream has no room, or all of the request is there.
    var holdsClient: Bool {
        guard answer?.isTunnel != true else { return upstream?.isBlocked ?? false }
        return body.isEnded || upstream?.isConnected != true || upstream?.isBlocked ?? false
    }

    /// Takes the next bytes of the body as they came.
    func take(_ bytes: Span<UInt8>, at now: MonotonicTime) {
        var portion = ByteBuffer(capacity: 0)
        swap(&portion, &services.decoded)
        defer { swap(&portion, &services.decoded) }
        do throws(Problem) {
            try body.take(bytes, &portion)
        } catch {
            return failBody(error, at: now)
        }
        sendBody(at: now)
    }

    /// Notes that the request is complete.
    func endBody(at now: MonotonicTime) {
        do throws(Problem) {
            try body.end()
        } catch {
            return failBody(error, at: now)
        }
        sendBody(at: now)
    }

    /// The request's body cannot be converted: it is refused, or goes on as it came where that is still possible.
    private func failBody(_ problem: Problem, at now: MonotonicTime) {
        let isEnded = body.isEnded
        guard let original = body.original, !isHeadSent, let passed = session.forwardedUnconverted(by: gateway) else {
            upstream?.letGo()
            upstream = nil
            return session.fail(problem, at: now)
        }
        services.converters.giveBack(of: body)
        request = passed
        body = RequestBodyPath(passing: session.requestBody, beginning: original)
        if isEnded { return endBody(at: now) }
        sendBody(at: now)
    }

    /// Sends what there is of the request, if it can be sent.
    private func sendBody(at now: MonotonicTime) {
        guard let upstream, upstream.isConnected, let framing = body.framing, !isOver else { return }
        if !isHeadSent {
            isHeadSent = true
            let host = request.host(upstreamState.configuration.host, server: upstream.server.server)
            upstream.start(
                OutgoingRequest(
                    method: request.method, target: request.target, host: host, fields: request.fields,
                    upgrade: request.upgrade),
                body: framing)
        }
        let bytes = body.takeWaiting()
        if !bytes.isEmpty { upstream.send(bytes.span) }
        if body.isEnded, !isEndSent {
            isEndSent = true
            upstream.endRequest(at: now)
        }
    }

    private var isEndSent = false

    /// Lets go of everything; called once, by the session, when the exchange is over or the client is gone.
    func finish() {
        isOver = true
        upstream?.letGo()
        upstream = nil
        giveBackPlace()
        services.converters.giveBack(of: body)
        answer?.release(services)
        answer = nil
    }

    private func giveBackPlace() {
        if place != nil { upstreamState.giveBack() }
        place = nil
    }

    // MARK: Told by the upstream's connection

    func upstreamConnected(at now: MonotonicTime) {
        session.upstreamIsReady(at: now)
        sendBody(at: now)
    }

    func upstreamHasRoom() { session.touch() }

    func upstreamFailed(_ failure: RetryRule.Failure, _ detail: String, at now: MonotonicTime) {
        upstream = nil
        let failed = place
        giveBackPlace()
        if let failed { upstreamState.connectionFailed(failed, at: now) }
        guard answer == nil else {
            session.fail(.badAnswer(detail), at: now)
            return
        }
        if !hasRetried, RetryRule.allows(failure, request.method, isBodyHeld: body.isHeld),
            services.directory.takeRetry(at: now)
        {
            hasRetried = true
            isEndSent = false
            body.rewind()
            attempt(avoiding: failed, at: now)
            session.touch()
            return
        }
        session.fail(.upstream(failure, detail), at: now)
    }

    func upstreamInformed(_ head: ReceivedResponseHead, at now: MonotonicTime) {
        if head.status == 103 { session.inform(head, at: now) }
    }

    func upstreamAnswered(_ head: ReceivedResponseHead, at now: MonotonicTime) {
        guard let place else { return }
        upstreamState.answered(place)
        do throws(Problem) {
            let answer = try ForwardedAnswer(
                head, to: request, from: place.server, upstreamState.configuration.host, services)
            self.answer = answer
            answer.begin(in: self, at: now)
        } catch {
            session.fail(error, at: now)
        }
    }

    func upstreamEnded(at now: MonotonicTime) {
        upstream = nil
        giveBackPlace()
        answer?.end(in: self, at: now)
    }
}

extension ConverterPool {
    /// Takes the converter of a request's body back, if it has one.
    func giveBack(of body: RequestBodyPath) { if let unit = body.converter?.unit { giveBack(unit) } }
}

extension Problem {
    static func noUpstream(_ why: String) -> Problem { Problem(502, "no upstream was reached: \(why)", code: "upstream-connect") }

    static func badAnswer(_ why: String) -> Problem {
        Problem(502, "the upstream's answer could not be read: \(why)", code: "upstream-answer")
    }

    static func unavailable(_ why: String) -> Problem {
        var problem = Problem(503, why, code: "upstream-unavailable")
        problem.fields = [Field(name: "Retry-After", value: "1")]
        return problem
    }

    static func upstream(_ failure: RetryRule.Failure, _ detail: String) -> Problem {
        switch failure {
        case .connect: noUpstream(detail)
        case .timeout: Problem(504, "the upstream took too long: \(detail)", code: "upstream-timeout")
        case .closedUnanswered: Problem(502, "the upstream closed without an answer", code: "upstream-closed")
        case .brokenAnswer: badAnswer(detail)
        }
    }
}
