import Conversions
import ConvertEngine
import EventLoop
import HTTPSemantics
package import HTTPWire
import Observability
import PayloadStreams
package import Sockets
import Upstreams

// MARK: - From the upstream to the client

extension Forwarding {
    /// Takes an interim response: 103 is forwarded to clients that know such responses.
    package func upstreamInformed(_ head: ReceivedResponseHead) {
        guard head.status == 103, case .awaited = responseState, case .sending(let connection) = stage else { return }
        // Early fields describe the upstream's body, not the converted one.
        let isConverted = request.route.response != nil
        let received = head.fields.endToEnd()
        var fields = received.endToEnd(omitting: Self.notInformed, nominated: FieldNames()) { _ in !isConverted }
        let rewriting = request.locations(from: connection.server.server, upstream.configuration.host)
        ForwardedResponse.addLinks(received, to: &fields, request, rewriting)
        client.inform(ResponseHead(status: head.status, fields: fields))
    }

    private static let notInformed = FieldNames([ForwardedResponse.convertStatusName, "link"])

    package func upstreamResponded(_ response: ReceivedResponseHead, at now: MonotonicTime) {
        guard case .sending(let connection) = stage, case .awaited = responseState else { return }
        defer { client.touch() }
        upstream.responded(connection.server, at: now)
        count(ForwardingOutcome(status: response.status))
        observe(at: now)
        body.forgetSent()
        if response.status == 101 { return beginTunnel(connection, response.fields) }
        received = response
        // A server that responds before the end of the request may not read the rest. The rest must not be read as the
        // next request.
        if !body.isComplete { client.closeAfterResponse() }
        decide(.expected, at: now)
    }

    package func upstreamSent(_ bytes: Span<UInt8>, isLast: Bool, at now: MonotonicTime) {
        defer { client.touch() }
        switch responseState {
        case .awaited, .over: break
        case .relaying: client.relay(bytes)
        case .converting(let conversion):
            do throws(Problem) {
                if !client.isFull, try conversion.convertAtOnce(bytes, isLast: isLast, context.loop.clock) {
                    try passOn(conversion, at: now)
                } else {
                    conversion.take(bytes)
                }
                if conversion.hasWork { pump(at: now) }
            } catch {
                failConversion(conversion, error, at: now)
            }
        }
    }

    /// Sends all output so far to the client, because the next bytes may take long.
    package func upstreamPaused() {
        guard case .converting(let conversion) = responseState, conversion.isCommitted else { return }
        conversion.takeOutput(flushes: true) { client.relay(&$0) }
        client.touch()
    }

    package func upstreamEnded(at now: MonotonicTime) {
        defer { client.touch() }
        leave()
        switch responseState {
        case .awaited, .over: break
        case .relaying: client.endForwarded(skippedRecords: nil)
        case .converting(let conversion):
            conversion.inputEnded()
            pump(at: now)
        }
    }

    // MARK: The client's side

    /// Continues with the output for the client, which has accepted some of it.
    package func clientHasRoom(at now: MonotonicTime) {
        if let messages { relay(messages.toClient, at: now) }
        if case .converting(let conversion) = responseState, conversion.hasWork || conversion.isInputComplete {
            pump(at: now)
        }
        connection?.touch()
    }

    /// Continues the conversion of the bytes that have arrived, in a turn of its own.
    package func continueResponse(at now: MonotonicTime) {
        if let messages {
            relay(messages.toClient, at: now)
            if !messages.toClient.hasWork { connection?.touch() }
            return
        }
        guard case .converting(let conversion) = responseState, conversion.hasWork else { return }
        pump(at: now)
        guard case .converting = responseState, !conversion.hasWork else { return }
        // The upstream may have paused meanwhile, and has room again.
        upstreamPaused()
        connection?.touch()
    }

    package func expire(at now: MonotonicTime) {
        if let deadline = messages?.deadline, deadline <= now { return giveUpClosing() }
        guard case .converting(let conversion) = responseState, conversion.isDue(at: now) else { return }
        do throws(Problem) {
            try commit(conversion)
            // The upstream may have paused before the commit.
            if !conversion.hasWork { upstreamPaused() }
        } catch {
            failConversion(conversion, error, at: now)
        }
    }

    // MARK: Deciding

    /// Decides how the response is handled, and starts it unless it must be buffered.
    private func decide(_ finding: BodyFinding, at now: MonotonicTime) {
        guard let received, let server else { return }
        let forwarded: ForwardedResponse
        do throws(Problem) {
            forwarded = try ForwardedResponse(
                status: received.status, received.fields, to: request, from: server.server,
                host: upstream.configuration.host, now: context.loop.wallSeconds, finding: finding,
                sparesEncoder: !context.encoders.hasRoomToStream)
        } catch {
            letGo()
            return client.fail(error)
        }
        if case .convert(let framing)? = forwarded.ruling?.decision, request.method != .head {
            let conversion = makeConversion(forwarded, framing, at: now)
            if forwarded.ruling?.stream != nil { conversion.takeEncoder(context.encoders) }
            responseState = .converting(conversion)
            head = forwarded
            return
        }
        if case .skip(let reason?)? = forwarded.ruling?.decision { count(.skipped(reason)) }
        var original: [UInt8]?
        if case .converting(let conversion) = responseState {
            original = conversion.takeOriginal()
            conversion.close(context)
        }
        responseState = .relaying
        let framing = Self.framing(forwarded, received.fields, request.method)
        client.startForwarded(
            forwarded, body: finding == .empty ? .sized(0) : framing, announcesTrailer: false, skippedRecords: nil)
        if let original, finding == .unconvertible { client.relay(original.span) }
    }

    /// The framing of a body that passes unchanged: by the length that the upstream sent, if that may be used.
    private static func framing(
        _ forwarded: ForwardedResponse, _ fields: Fields, _ method: RequestMethod
    ) -> ResponseBody {
        let isBodiless = method == .head || forwarded.status == 304
        if forwarded.status == 204 { return .none }
        guard let length = fields.contentLength, !isBodiless || forwarded.keepsLength else { return .streamed }
        return .sized(length)
    }

    private func makeConversion(
        _ forwarded: ForwardedResponse, _ framing: Converter.Framing, at now: MonotonicTime
    ) -> ResponseBodyConversion {
        guard let ruling = forwarded.ruling, let response = request.route.response else {
            preconditionFailure("only routes with `response` convert responses")
        }
        let order = ConversionOrder(
            recipe: response.recipe, type: framing == .lines ? .lines : .json,
            fields: request.selection.map { context.fieldRecipes.order($0, of: response.recipe) })
        client.note(order)
        let conversion = client.makeConversion(order)
        return ResponseBodyConversion(
            conversion, from: ruling.bodyCoding, maxDecodedRatio: context.maxDecodedRatio,
            to: ruling.responseCoding, isLabelled: ruling.isLabelled,
            keepsOriginal: response.policy.onError == .pass,
            client.reservation,
            stream: makeStream(conversion, ruling, response.policy).map { ($0, begin: now) },
            sample: ruling.stream == nil ? response.shadow?.nextSample(framing) : nil)
    }

    /// The payloads of a body that is a stream of them.
    private func makeStream(
        _ conversion: PayloadConversion, _ ruling: ResponseRuling, _ policy: ResponsePolicy
    ) -> StreamConversion<PayloadStream>? {
        guard let framing = ruling.stream, let rule = policy.events else { return nil }
        let (metrics, label) = (context.metrics, request.route.label)
        let stream = PayloadStream(framing, rule, maxUnitBytes: context.maxStreamUnitBytes)
        return StreamConversion(conversion, stream, withholds: rule.withholds) { metrics.payloadEnded($0, label) }
    }

    // MARK: Converting

    /// Converts the bytes that arrived, as long as the client accepts the output and until the turn is over. After the
    /// end of the body it ends the response. The session continues with the rest in a later turn (`continueResponse`).
    private func pump(at now: MonotonicTime) {
        guard case .converting(let conversion) = responseState else { return }
        do throws(Problem) {
            while conversion.hasWork, !conversion.conversion.isAway, !client.isFull, !context.loop.isTurnOver(now) {
                try conversion.step(context.loop.clock)
                try passOn(conversion, at: now)
            }
            guard conversion.isInputComplete, !conversion.hasWork else { return }
            guard try conversion.finish() else {
                decide(.empty, at: now)
                return client.endForwarded(skippedRecords: nil)
            }
            try end(conversion)
        } catch {
            failConversion(conversion, error, at: now)
        }
    }

    /// Sends the converted output if the response is committed, or must be committed now.
    private func passOn(_ conversion: ResponseBodyConversion, at now: MonotonicTime) throws(Problem) {
        if conversion.isDue(at: now) { try commit(conversion) }
        if conversion.isCommitted { conversion.takeOutput { client.relay(&$0) } }
    }

    /// Handles a body that cannot be converted. If nothing was sent yet, the client gets an error, or the unchanged
    /// body if the route allows that. After the commit, only a reset can report that it is cut off.
    private func failConversion(_ conversion: ResponseBodyConversion, _ problem: Problem, at now: MonotonicTime) {
        guard !conversion.isCommitted, request.route.response?.policy.onError == .pass else {
            letGo()
            let isSecret = request.route.response?.policy.withholds ?? false
            return client.fail(isSecret ? problem.hidingUpstream() : problem.blamingUpstream())
        }
        decide(.unconvertible, at: now)
        if conversion.isInputComplete { client.endForwarded(skippedRecords: nil) }
    }

    /// Starts the response with the buffered output.
    ///
    /// - Throws: 503 if there is no room for the encoder that the client requires.
    private func commit(_ conversion: ResponseBodyConversion) throws(Problem) {
        guard let head else { return }
        guard conversion.hasRoom(for: context.encoders) else { throw .buffersFull }
        conversion.commit(context.encoders)
        client.startForwarded(head, body: .streamed, announcesTrailer: acceptsTrailers, skippedRecords: nil)
        conversion.takeOutput { client.relay(&$0) }
    }

    /// Sends the rest of a converted body. If the response was not committed, it sends the whole body with its length.
    private func end(_ conversion: ResponseBodyConversion) throws(Problem) {
        guard let head else { return }
        let skipped = conversion.conversion.skippedRecords
        if conversion.isCommitted || acceptsTrailers && skipped?.total ?? 0 > 0 {
            if !conversion.isCommitted { try commit(conversion) }
            conversion.takeOutput(isLast: true) { client.relay(&$0) }
        } else {
            conversion.commit(context.encoders)
            conversion.takeOutput(isLast: true) {
                client.startForwarded(
                    head, body: .sized($0.count), announcesTrailer: false, skippedRecords: skipped)
                client.relay(&$0)
            }
        }
        client.endForwarded(skippedRecords: acceptsTrailers ? skipped : nil)
        conversion.compareSample()
    }
}
