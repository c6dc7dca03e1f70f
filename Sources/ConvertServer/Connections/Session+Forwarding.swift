import HTTPWire

// MARK: - Requests that go on to a backend

extension Session {
    /// Takes up a request for a route.
    func beginForwarding(_ gateway: Gateway, at now: MonotonicTime) {
        let head = wire.request
        let body = wire.requestBody
        do throws(Problem) {
            let context = RequestContext(
                peer: peer, requestID: record?.requestID ?? "", hasBody: body != .none,
                now: services.wallNanoseconds / 1_000_000_000)
            let request = try gateway.forward(head, context)
            stage = .forwarding
            let forwarding = Forwarding(request, body, gateway, self)
            self.forwarding = forwarding
            forwarding.begin(at: now)
        } catch {
            respond(error, at: now)
        }
    }

    /// Has the loop settle the client's connection.
    func touch() { services.touch(token) }

    /// Tells a client that waits for it that its body is wanted.
    func sendContinue() {
        services.scratch.removeAll(keepingCapacity: true)
        wire.sendContinue(into: &services.scratch)
        flushScratch()
        touch()
    }

    /// Starts the response that a backend has given.
    func startForwarded(_ forwarded: ForwardedResponse, body: ResponseBody) {
        isCommitted = true
        record?.status = forwarded.status
        let date = forwarded.fields.bytes(for: "date").map { Array($0) } ?? services.date
        let head = ResponseHead(
            status: forwarded.status, fields: forwarded.fields.endToEnd(omitting: Self.ownFields) { _ in true })
        services.scratch.removeAll(keepingCapacity: true)
        wire.startResponse(head, body: body, date: date, into: &services.scratch)
        flushScratch()
        touch()
    }

    private static let ownFields = FieldNames(["date"])

    /// Queues the next bytes of a response's body.
    func relay(_ bytes: Span<UInt8>) {
        guard wire.sendsBody, bytes.count > 0 else { return }
        record?.bytesOut += bytes.count
        wire.startBodyPart(of: bytes.count, into: &services.scratch)
        services.scratch.append(span: bytes)
        wire.endBodyPart(into: &services.scratch)
        flushScratch()
        touch()
    }

    /// Ends a response that was relayed.
    func endForwarded(at now: MonotonicTime) {
        services.scratch.removeAll(keepingCapacity: true)
        endResponse(at: now)
        touch()
    }
}
