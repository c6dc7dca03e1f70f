import HTTPWire

/// The fields that tell the upstream about the client's connection: X-Forwarded-For, -Proto, -Host and -Prefix.
///
/// From peers that are not trusted nothing that is said about others is believed: all such fields are removed and set
/// anew. From trusted ones X-Forwarded-For is appended to, and the rest is kept, or set where it is absent.
struct ForwardingFields: Sendable {
    static let forwardedFor = "X-Forwarded-For"
    static let proto = "X-Forwarded-Proto"
    static let host = "X-Forwarded-Host"
    static let prefix = "X-Forwarded-Prefix"
    /// There is no TLS here.
    static let ownScheme = "http"

    /// Those that are written anew.
    private(set) var fields: [(name: String, value: String)] = []
    /// The scheme that the upstream is told.
    private(set) var scheme = ownScheme

    /// - Parameters:
    ///   - host: Host as received, port included; empty when there was none.
    ///   - strippedPrefix: what was cut off the path; the root when nothing was.
    init(_ received: Fields, peer: TrustedProxies.Peer, isTrusted: Bool, host: String, strippedPrefix: RoutePrefix) {
        var chain = isTrusted ? received.values(for: Self.forwardedFor) : []
        switch peer {
        case .address(let address): chain.append(address.description)
        // A socket's peer has no address: the chain stays, or begins with a client of whom nothing is known.
        case .unix: if chain.isEmpty { chain.append("unknown") }
        }
        fields.append((Self.forwardedFor, chain.joined(separator: ", ")))
        func isAbsent(_ name: String) -> Bool { !isTrusted || received.count(of: name) == 0 }
        if isAbsent(Self.proto) {
            fields.append((Self.proto, Self.ownScheme))
        } else {
            scheme = received[Self.proto]?.lowercased() ?? Self.ownScheme
        }
        if isAbsent(Self.host), !host.isEmpty { fields.append((Self.host, host)) }
        if isAbsent(Self.prefix), !strippedPrefix.bytes.isEmpty {
            fields.append((Self.prefix, strippedPrefix.description))
        }
    }

    /// Whether a field goes on though the peer is not trusted.
    static func isHarmless(_ name: ArraySlice<UInt8>) -> Bool {
        guard let first = name.first else { return false }
        switch ASCII.lowercased(first) {
        case UInt8(ascii: "x"): return !isForwarded(name) && !spoofable.contains(name)
        case UInt8(ascii: "f"): return !spoofable.contains(name)
        default: return true
        }
    }

    private static let spoofable = FieldNames(["x-real-ip", "forwarded"])

    private static func isForwarded(_ name: ArraySlice<UInt8>) -> Bool {
        let start = "x-forwarded-".utf8
        return name.prefix(start.count).elementsEqual(start) { ASCII.lowercased($0) == $1 }
    }
}
