package import HTTPWire
package import Text

/// The peers whose fields about clients are used: networks, and peers on a Unix socket.
package struct TrustedProxies: Sendable, Hashable {
    /// Addresses that share their first bits.
    struct Network: Sendable, Hashable {
        let address: IPAddress
        let prefixLength: Int

        /// Reads `10.0.0.0/8`, `2001:db8::/32` or one address. Nil for anything else, also if there are bits after the
        /// prefix.
        init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard let first = parts.first, parts.count <= 2, let address = IPAddress(first) else { return nil }
            self.address = address
            guard parts.count == 2 else {
                prefixLength = address.width
                return
            }
            guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy(ASCII.isDigit),
                let length = Int(parts[1]), length <= address.width
            else { return nil }
            prefixLength = length
            guard Self.network(of: address, length) == address.bits else { return nil }
        }

        func contains(_ other: IPAddress) -> Bool {
            other.family == address.family && Self.network(of: other, prefixLength) == address.bits
        }

        private static func network(of address: IPAddress, _ length: Int) -> UInt128 {
            let shift = address.width - length
            return (address.bits >> shift) << shift
        }
    }

    /// The other end of a client's connection.
    package enum Peer: Sendable, Hashable, CustomStringConvertible {
        case address(IPAddress)
        /// A Unix socket, which has no address.
        case unix

        /// Whether it is a program of this machine.
        package var isLocal: Bool { if case .address(let address) = self { address.isLocalHost } else { true } }

        /// The text in logs: an address, or `unix`.
        package var description: String { if case .address(let address) = self { address.description } else { "unix" } }
    }

    /// The fields about clients that they write themselves, and that overwrite those of their clients.
    package var fields = FieldNames([ForwardingFields.forwardedFor, ForwardingFields.proto])
    private var networks: [Network] = []
    private var trustsLocalSockets = false

    package init() {}

    /// Adds a network, an address or `unix`; false if the text is something else.
    package mutating func insert(_ text: String) -> Bool {
        if text == "unix" {
            trustsLocalSockets = true
            return true
        }
        guard let network = Network(text) else { return false }
        networks.append(network)
        return true
    }

    package func contains(_ peer: Peer) -> Bool {
        switch peer {
        case .address(let address): networks.contains { $0.contains(address) }
        case .unix: trustsLocalSockets
        }
    }

    /// The fields of a peer that are used.
    package func fields(from peer: Peer) -> FieldNames { contains(peer) ? fields : FieldNames() }

    /// The client's address, from the request's fields if a trusted peer has written it.
    package func clientAddress(of peer: Peer, in received: Fields) -> IPAddress? {
        let isBelieved = fields.contains(Self.forwardedFor)
        return clientAddress(
            of: peer, forwardedFor: isBelieved ? received.values(for: ForwardingFields.forwardedFor) : [])
    }

    private static let forwardedFor = Array(ForwardingFields.forwardedFor.utf8)[...]

    /// The client's address: the rightmost one that is not trusted, of those in X-Forwarded-For and the peer's.
    ///
    /// An entry that is not an address ends the search, because it does not name the client. Then the address to its
    /// right counts. If all are trusted, the leftmost is the client's. Nil for a peer on a Unix socket without other
    /// information.
    ///
    /// - Parameter forwardedFor: the values of all X-Forwarded-For fields, in order.
    package func clientAddress(of peer: Peer, forwardedFor: [String]) -> IPAddress? {
        var client: IPAddress?
        if case .address(let address) = peer { client = address }
        guard contains(peer) else { return client }
        let entries = forwardedFor.joined(separator: ",").utf8.split(separator: ASCII.comma)
        for entry in entries.reversed() {
            guard let address = Self.address(Substring(entry.trimmed)) else { break }
            client = address
            guard contains(.address(address)) else { break }
        }
        return client
    }

    /// The address that counts as one client for shared limits. Nil for peers that speak for many clients: programs of this
    /// machine, Unix sockets, and trusted proxies without a known client.
    package func sharer(_ client: IPAddress?) -> IPAddress? {
        guard let client, !client.isLocalHost, !contains(.address(client)) else { return nil }
        return client.clientNetwork
    }

    /// The address of an entry. Some proxies write it with a port.
    private static func address(_ entry: Substring) -> IPAddress? {
        if let address = IPAddress(entry) { return address }
        if entry.hasPrefix("["), let end = entry.firstIndex(of: "]") {
            return IPAddress(entry[entry.index(after: entry.startIndex)..<end])
        }
        // Only one colon. A second one would make it IPv6, whose port needs brackets.
        let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? IPAddress(parts[0]) : nil
    }
}
