import HTTPSemantics
import HTTPWire
import Observability
package import Sockets
import Upstreams

// MARK: - After 101

extension Forwarding {
    /// From now on bytes pass in both directions, unchanged unless the route converts messages. The connection has
    /// checked that the upstream chose a protocol that the request asked for.
    func beginTunnel(_ connection: UpstreamConnection, _ fields: Fields) {
        if request.route.configuration.convertsMessages {
            guard fields.count(of: MessageTunnel.extensionsName) == 0 else {
                letGo()
                let detail = "the upstream chose a WebSocket extension that the request did not offer"
                return client.fail(Problem(.brokenResponse, detail))
            }
            messages = makeMessages()
        }
        stage = .tunnel(connection)
        let protocols = fields.values(for: "upgrade").joined(separator: ", ")
        client.switchProtocols(to: protocols, fields.endToEnd(), requestID: request.requestID)
    }

    /// Sends bytes of the client to the upstream.
    package func tunnel(_ bytes: Span<UInt8>, at now: MonotonicTime) {
        guard let messages else {
            connection?.sendTunnelled(bytes)
            return
        }
        messages.take(bytes, messages.toUpstream)
        relay(messages.toUpstream, at: now)
    }

    /// Sends bytes of the upstream to the client.
    package func upstreamTunnelled(_ bytes: Span<UInt8>, at now: MonotonicTime) {
        defer { client.touch() }
        guard let messages else { return client.relayTunnelled(bytes) }
        messages.take(bytes, messages.toClient)
        relay(messages.toClient, at: now)
    }

    /// Handles the end of the client's bytes.
    package func clientEndedTunnel() {
        guard isTunnel else { return }
        connection?.endTunnelSending()
        endTunnel()
    }

    package func upstreamEndedTunnel() {
        guard isTunnel, !hasUpstreamEnded else { return }
        hasUpstreamEnded = true
        client.endSending()
        endTunnel()
        client.touch()
    }

    /// Handles that all bytes of the client, and its end, were sent to the upstream.
    package func upstreamTookTunnel() {
        guard isTunnel else { return }
        endTunnel()
        client.touch()
    }

    private func endTunnel() {
        guard let connection, hasUpstreamEnded, connection.hasEndedTunnel else { return }
        leave()
        connection.endTunnel()
        client.endTunnel()
    }
}
