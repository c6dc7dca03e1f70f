import Conversions
import ConvertEngine
import EventLoop
import HTTPSemantics
import Observability
import PayloadStreams
import Sockets
import Upstreams

// open → closing
//
// While it is open, each direction is converted as far as its receiver accepts the output. A frame that breaks the protocol,
// or a message that must not pass, closes both directions. Then both peers get a close frame and the end of our bytes, and
// all their further bytes are discarded. The tunnel ends when the upstream has ended, or at `deadline`.

/// The messages of a WebSocket connection, which are converted in at least one direction.
final class MessageTunnel {
    typealias Direction = StreamConversion<MessageStream>

    static let extensionsName = "sec-websocket-extensions"
    static let closingSeconds: Int64 = 5

    let toUpstream: Direction
    let toClient: Direction
    /// When a closing tunnel ends at the latest; nil while it is open.
    var deadline: MonotonicTime?

    init(toUpstream: Direction, toClient: Direction) {
        self.toUpstream = toUpstream
        self.toClient = toClient
    }

    var directions: [Direction] { [toUpstream, toClient] }

    func take(_ bytes: Span<UInt8>, _ direction: Direction) { if deadline == nil { direction.take(bytes) } }

    /// Takes the finished work for a buffered object. False if it belongs to another exchange.
    func takeBack(_ work: HeldObjectWork) -> Bool { directions.contains { $0.conversion?.takeBack(work) ?? false } }
}

extension Forwarding {
    func makeMessages() -> MessageTunnel {
        let (request, response) = (request.route.request, request.route.response)
        let configuration = self.request.route.configuration
        return MessageTunnel(
            toUpstream: makeDirection(
                configuration.request?.messages == nil ? nil : request?.recipe, isFromClient: true,
                withholds: request?.withholds ?? false, onError: request?.rule.onError),
            toClient: makeDirection(
                configuration.response?.messages == nil ? nil : response?.recipe, isFromClient: false,
                withholds: response?.policy.withholds ?? false, onError: response?.policy.onError))
    }

    /// - Parameter recipe: nil if the messages are not converted.
    private func makeDirection(
        _ recipe: Recipe?, isFromClient: Bool, withholds: Bool, onError: ErrorPolicy?
    ) -> MessageTunnel.Direction {
        let order = recipe.map { ConversionOrder(recipe: $0, type: .lines) }
        if let order { client.note(order) }
        let rule = MessageRule(isFromClient: isFromClient, convertsText: order != nil, withholds: withholds)
        let (metrics, label) = (context.metrics, request.route.label)
        return MessageTunnel.Direction(
            order.map(client.makeConversion), MessageStream(rule, maxUnitBytes: context.maxStreamUnitBytes),
            withholds: withholds, passesErrors: onError == .pass
        ) { outcome in
            if order != nil { metrics.payloadEnded(outcome, label) }
        }
    }

    /// Converts the messages that have arrived, as long as their receiver accepts the output and until the turn is over.
    func relay(_ direction: MessageTunnel.Direction, at now: MonotonicTime) {
        guard let messages, let connection else { return }
        let isFromClient = direction === messages.toUpstream
        do throws(Problem) {
            try countHeld(direction)
            while direction.hasWork, !direction.isAway, !(isFromClient ? connection.isBlocked : client.isFull),
                !context.loop.isTurnOver(now)
            {
                try direction.step(context.loop.clock)
                send(direction)
                try countHeld(direction)
            }
        } catch {
            close(messages, error, at: now)
        }
    }

    private func countHeld(_ direction: MessageTunnel.Direction) throws(Problem) {
        let keptBytes = direction.heldBytes + (direction.conversion?.keptBytes ?? 0)
        let part: Reservation.Part = direction === messages?.toUpstream ? .body : .response
        let hasGrown = client.reservation.set(part, firm: keptBytes, passing: direction.waitingBytes)
        if hasGrown, let refusal = client.reservation.refusal { throw refusal }
    }

    private func send(_ direction: MessageTunnel.Direction) {
        if direction === messages?.toUpstream {
            connection?.sendTunnelled(direction.output.bytes)
        } else {
            client.relayTunnelled(direction.output.bytes)
        }
        direction.clearOutput()
    }

    // MARK: Closing

    private func close(_ messages: MessageTunnel, _ problem: Problem, at now: MonotonicTime) {
        messages.deadline = now.advanced(milliseconds: MessageTunnel.closingSeconds * 1000)
        client.note(problem)
        for direction in messages.directions {
            direction.close(CloseCode(problem), reason: problem.code ?? "")
            send(direction)
        }
        client.reservation.set(.body)
        client.reservation.set(.response)
        connection?.endTunnelSending()
        client.endSending()
        client.touch()
    }

    /// Ends a closing tunnel whose upstream has not ended.
    func giveUpClosing() {
        letGo()
        client.endTunnel()
    }
}

extension WebSocketError: StreamFailure {
    var problem: Problem {
        switch self {
        case .badFrame(let detail): Problem(400, detail, code: "bad-frame")
        case .binary: Problem(400, "a binary message cannot be converted", code: "binary-message")
        case .tooLong(let maxBytes):
            Problem(
                400, "a message is longer than \(maxBytes) bytes", code: ConversionError.Code.limit.rawValue)
        case .notUTF8: .notUTF8
        }
    }
}

extension Problem {
    /// A text message, or the reason of a close frame, that is not UTF-8.
    static let notUTF8 = Problem(400, "the text is not UTF-8", code: ConversionError.Code.json.rawValue)
}

extension CloseCode {
    /// The code for a peer, by the code of the error.
    init(_ problem: Problem) {
        self =
            switch problem.code {
            case "bad-frame": .protocolError
            case "binary-message": .unsupportedData
            case ConversionError.Code.json.rawValue: .invalidPayload
            case ConversionError.Code.limit.rawValue: .tooBig
            case Problem.buffersFull.code: .tryAgainLater
            default: .policyViolation
            }
    }
}
