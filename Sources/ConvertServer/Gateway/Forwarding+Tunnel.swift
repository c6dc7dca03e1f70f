import HTTPSemantics
import HTTPWire
import Sockets
import Text

/// Which sides of a tunnel have stopped sending.
struct TunnelEnds: Sendable, Hashable {
    var client = false
    var upstream = false
}

// MARK: - After 101

extension Forwarding {
    /// From now on bytes pass unchanged in both directions.
    func beginTunnel(_ connection: UpstreamConnection, _ fields: Fields, at now: MonotonicTime) {
        let protocols = fields.values(for: "upgrade").joined(separator: ", ")
        guard let upgrade = request.upgrade, !protocols.isEmpty, Self.isOffered(protocols, upgrade) else {
            letGo()
            return session.fail(
                Problem(.brokenAnswer, "the upstream switched to a protocol that the request did not ask for"), at: now)
        }
        stage = .tunnel(connection)
        session.switchProtocols(to: protocols, fields.endToEnd(), requestID: request.requestID)
    }

    /// Sends bytes of the client to the upstream.
    func tunnel(_ bytes: Span<UInt8>) { connection?.sendTunnelled(bytes) }

    /// Sends bytes of the upstream to the client.
    func upstreamTunnelled(_ bytes: Span<UInt8>, at now: MonotonicTime) {
        session.relayTunnelled(bytes)
        session.touch()
    }

    /// Handles the end of the client's bytes.
    func clientEndedTunnel(at now: MonotonicTime) {
        guard isTunnel, !tunnelEnds.client else { return }
        tunnelEnds.client = true
        connection?.endTunnelSending()
        endTunnel(at: now)
    }

    func upstreamEndedTunnel(at now: MonotonicTime) {
        guard isTunnel, !tunnelEnds.upstream else { return }
        tunnelEnds.upstream = true
        session.endSending()
        endTunnel(at: now)
        session.touch()
    }

    /// Handles that all bytes of the client, and its end, were sent to the upstream.
    func upstreamTookTunnel(at now: MonotonicTime) {
        guard isTunnel else { return }
        endTunnel(at: now)
        session.touch()
    }

    private func endTunnel(at now: MonotonicTime) {
        guard let connection, tunnelEnds.upstream, connection.hasEndedTunnel else { return }
        leave()
        connection.endTunnel()
        session.endTunnel(at: now)
    }

    private static func isOffered(_ chosen: String, _ offered: String) -> Bool {
        let names = offered.lowercased().utf8.listElements.map { String(Substring($0)) }
        return chosen.lowercased().utf8.listElements.allSatisfy { names.contains(String(Substring($0))) }
    }
}
