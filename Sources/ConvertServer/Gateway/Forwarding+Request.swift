import EventLoop
package import HTTPSemantics
import HTTPWire
package import Sockets
package import Upstreams

// MARK: - From the client to the upstream

extension Forwarding {
    /// Starts the request. A request without a body needs its connection now, and so does a client that waits for 100.
    package func begin(at now: MonotonicTime) {
        if body.isReady || client.expectsContinue { attempt(at: now) }
    }

    /// Takes bytes of the client's body before they are decompressed.
    package func keepOriginal(_ bytes: Span<UInt8>) { body.keepOriginal(bytes) }

    /// Takes the next bytes of the client's content.
    package func take(_ content: Span<UInt8>, at now: MonotonicTime) {
        guard body.isConverted else { return pass(content, at: now) }
        do throws(Problem) {
            try body.convert(content, context.loop.clock)
            try checkCost()
            sendBody(at: now)
        } catch {
            refuse(error, at: now)
        }
    }

    /// Takes the next bytes of a body that passes unchanged. It is buffered until it ends or is too long.
    private func pass(_ bytes: Span<UInt8>, at now: MonotonicTime) {
        if case .gathering = stage {
            if !client.isBodyAtEnd, body.gather(bytes) {
                if body.isPressing { attempt(at: now) }
                return
            }
            attempt(at: now)
        }
        switch stage {
        case .sending(let connection):
            body.pass(bytes)
            connection.send(bytes)
        case .connecting: body.hold(bytes)
        case .gathering, .tunnel, .done: break
        }
    }

    /// Writes more of a buffered object in the body, or converts more messages, as long as the upstream accepts it and the turn is
    /// not over.
    package func proceed(at now: MonotonicTime) {
        if let messages { return relay(messages.toUpstream, at: now) }
        do throws(Problem) {
            while hasWork, takesInput, !client.isFull {
                try body.continueWriting(context.loop.clock)
                try checkCost()
                sendBody(at: now)
                if context.loop.isTurnOver(now) { return }
            }
        } catch {
            refuse(error, at: now)
        }
    }

    private func checkCost() throws(Problem) {
        if let conversion = body.conversion { try client.checkCost(of: conversion) }
    }

    /// Handles the end of the client's content. With a `problem`, the compressed content is not complete.
    package func requestEnded(_ problem: Problem?, at now: MonotonicTime) {
        guard !body.isComplete else { return }
        do throws(Problem) {
            if let problem { throw problem }
            if body.isConverted { try body.finishConversion() }
        } catch {
            refuse(error, at: now)
            // Only a body that passes unchanged is not over.
            if case .over = responseState { return }
        }
        body.complete()
        sendBody(at: now)
    }

    /// The error for the client's body. A body that is not JSON, and whose Content-Type is not JSON either, has the
    /// wrong type.
    private func refusal(_ problem: Problem) -> Problem {
        guard case .convert(_, _, isLabelled: false) = request.body, problem.status == 400 else { return problem }
        return RequestRuling.unsupportedType
    }

    /// Handles a body that cannot be converted. It passes unchanged if the route allows that and nothing of it was sent.
    package func refuse(_ problem: Problem, at now: MonotonicTime) {
        if leaveBody(at: now) { client.leaveBodyCoded() } else { client.fail(refusal(problem)) }
    }

    private func leaveBody(at now: MonotonicTime) -> Bool {
        guard body.canBeLeft, case .awaited = responseState else { return false }
        let left = client.leftRequest
        do throws(Problem) {
            request = try gateway.forward(left.head, left.facts)
        } catch {
            return false
        }
        if let conversion = body.conversion { context.end(conversion, countsSkipped: false) }
        body.leave(left.body)
        sendBody(at: now)
        return true
    }

    // MARK: Sending

    /// Sends the waiting bytes if the stage allows it, and begins an attempt if the body is ready.
    package func sendBody(at now: MonotonicTime) {
        switch stage {
        case .gathering: if body.framing != nil { attempt(at: now) }
        case .sending(let connection):
            body.takeOutput { connection.send($0) }
            if body.isComplete { connection.endRequest() }
        case .connecting, .tunnel, .done: break
        }
    }

    /// Sends the head, the bytes of an earlier attempt, and the waiting bytes.
    package func startRequest(_ connection: UpstreamConnection) {
        guard let framing = body.framing else { preconditionFailure("an attempt begins once the framing is known") }
        stage = .sending(connection)
        let outgoing = OutgoingRequest(
            method: request.method, target: request.target,
            host: request.host(upstream.configuration.host, server: connection.server.server), fields: request.fields,
            upgrade: request.upgrade)
        connection.start(outgoing, body: framing)
        let again = body.sent.bytes
        if !again.isEmpty { connection.send(again.span) }
        body.takeOutput { connection.send($0) }
        if body.isComplete { connection.endRequest() }
    }
}
