import HTTPSemantics
import HTTPWire
import Sockets
import Text

/// Which sides of a tunnel have ended what they send.
struct TunnelEnds: Sendable, Hashable {
    var client = false
    var upstream = false
}

// MARK: - After 101

extension Forwarding {
    /// From now on bytes go both ways as they come.
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

    /// Takes bytes of the client, which may be meant for the upstream only.
    func tunnel(_ bytes: Span<UInt8>) { connection?.sendTunnelled(bytes) }

    /// Takes bytes of the upstream, which are meant for the client only.
    func upstreamTunnelled(_ bytes: Span<UInt8>, at now: MonotonicTime) {
        session.relayTunnelled(bytes)
        session.touch()
    }

    /// Notes that the client will send no more.
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

    /// Notes that all of the client's bytes, and its end, are on their way to the upstream.
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
