import ConvertCore
import HTTPWire

// MARK: - Requests that go to an upstream

extension Session {
    /// Decides where a request goes and sends it on its way.
    func beginForwarding(by gateway: Gateway, at now: MonotonicTime) {
        do throws(Problem) {
            let request = try gateway.forward(wire.request, requestContext)
            record?.route = request.route.label
            let forwarding = Forwarding(request, of: gateway, in: self, services)
            self.forwarding = forwarding
            stage = .forwarding
            forwarding.start(at: now)
        } catch {
            respond(error, at: now)
        }
    }

    private var requestContext: RequestContext {
        RequestContext(
            peer: peer, requestID: record?.requestID ?? "", hasBody: wire.requestBody != .none,
            now: services.wallNanoseconds / 1_000_000_000)
    }

    /// The request with its body as it came; nil where it would go nowhere then.
    func forwardedUnconverted(by gateway: Gateway) -> ForwardedRequest? {
        var context = requestContext
        context.leavesBody = true
        return try? gateway.forward(wire.request, context)
    }

    /// How the current request's body goes on as it came: an empty one that was announced is announced (RFC 9110 §8.6).
    var requestBody: RequestBody {
        let body = wire.requestBody
        return body == .none && wire.request.fields.count(of: "content-length") > 0 ? .sized(0) : body
    }

    /// Has the loop look at the client's connection.
    func touch() { if let token { services.touch(token) } }

    /// An upstream's connection exists: now the client may send its body.
    func upstreamIsReady(at now: MonotonicTime) {
        if wire.expectsContinue {
            services.scratch.removeAll(keepingCapacity: true)
            wire.sendContinue(into: &services.scratch)
            flushScratch()
        }
        touch()
    }

    /// Passes an interim response on, to who understands it.
    func inform(_ head: ReceivedResponseHead, at now: MonotonicTime) {
        guard wire.request.minorVersion > 0 else { return }
        services.scratch.removeAll(keepingCapacity: true)
        wire.sendInterim(InterimHead(status: head.status, fields: head.fields.endToEnd()), into: &services.scratch)
        flushScratch()
        touch()
    }

    // MARK: The answer

    func startForwarded(_ head: ResponseHead, body: ResponseBody, date: [UInt8]) {
        // An answer before the request's end is the connection's last.
        if !wire.isRequestComplete { wire.closeAfterResponse() }
        isCommitted = true
        record?.status = head.status
        services.scratch.removeAll(keepingCapacity: true)
        wire.startResponse(head, body: body, date: date, into: &services.scratch)
        flushScratch()
        touch()
    }

    /// Queues the next bytes of the answer's body.
    func queueForwarded(_ bytes: Span<UInt8>) {
        guard bytes.count > 0, wire.sendsBody else { return }
        record?.bytesOut += bytes.count
        services.scratch.removeAll(keepingCapacity: true)
        wire.startBodyPart(of: bytes.count, into: &services.scratch)
        services.scratch.append(span: bytes)
        wire.endBodyPart(into: &services.scratch)
        flushScratch()
        touch()
    }

    /// Queues the bytes of a buffer, which is empty afterwards.
    func queueForwarded(_ buffer: inout ByteBuffer) {
        services.scratch.removeAll(keepingCapacity: true)
        queuePart(&buffer)
        flushScratch()
        touch()
    }

    func endForwarded(at now: MonotonicTime) {
        services.scratch.removeAll(keepingCapacity: true)
        endResponse(at: now)
        touch()
    }

    // MARK: Other protocols

    func switchProtocols(_ fields: Fields, to upgrade: String, at now: MonotonicTime) {
        isCommitted = true
        record?.status = 101
        services.scratch.removeAll(keepingCapacity: true)
        wire.switchProtocols(fields, to: upgrade, into: &services.scratch)
        flushScratch()
        touch()
    }

    func queueTunnelled(_ bytes: Span<UInt8>) {
        record?.bytesOut += bytes.count
        outbox.append(bytes)
        touch()
    }

    /// The upstream has ended: the client's connection ends once it has all.
    func endTunnel(at now: MonotonicTime) {
        closing = .clean
        endRecord(isAborted: false)
        touch()
    }
}
