package import ConvertProfiles
import HTTPWire
import Text
package import Upstreams

extension ConfigurationReader {
    /// Reads the root's `upstreams`.
    package mutating func upstreams(_ value: SettingsValue) -> [UpstreamConfiguration] {
        var upstreams: [UpstreamConfiguration] = []
        for member in namedValues(of: value, hint: #"write { "NAME": { "servers": "http://HOST:PORT" } }"#) ?? [] {
            if member.name.isEmpty { refuse(member.location, "an upstream needs a name") }
            if Self.holdsControls(member.name) { refuse(member.location, "an upstream's name has a control character") }
            upstreams.append(upstream(member.name, member.value))
        }
        return upstreams
    }

    /// Upstreams with errors are created too, so that routes that name them have no error because of that.
    private mutating func upstream(_ name: String, _ value: SettingsValue) -> UpstreamConfiguration {
        var upstream = UpstreamConfiguration(name: ExactText(name), servers: [])
        let hint = #"write { "servers": "http://HOST:PORT" }"#
        guard let members = members(of: value, as: .upstream, hint: hint) else { return upstream }
        if let value = required("servers", of: members) { upstream.servers = servers(value) }
        if let value = members["connectTimeoutSeconds"], let time = seconds(value) { upstream.timeouts.connect = time }
        if let value = members["responseTimeoutSeconds"], let time = seconds(value) {
            upstream.timeouts.response = time
        }
        if let value = members["bodyIdleSeconds"], let time = seconds(value) { upstream.timeouts.bodyIdle = time }
        if let value = members["maxConnections"] {
            upstream.maxConnections = integer(value, in: 1...ConfigurationFormat.maxCount) ?? upstream.maxConnections
        }
        if let value = members["reservedConnections"] {
            // At least one connection must be left for every client.
            upstream.reservedConnections = integer(value, in: 0...upstream.maxConnections - 1)
        }
        if let value = members["requestBufferBytes"] {
            upstream.requestBufferBytes =
                integer(value, in: 0...ConfigurationFormat.maxRequestBufferBytes, .bytes)
                ?? upstream.requestBufferBytes
        }
        if let value = members["host"] { upstream.host = hostPolicy(value) }
        if let value = members["health"] { upstream.health = health(value) }
        return upstream
    }

    private mutating func hostPolicy(_ value: SettingsValue) -> HostPolicy {
        switch text(value, expected: "`keep`, `upstream` or a host") {
        case "keep", nil: return .keep
        case "upstream": return .upstream
        case let text?:
            if !Authority.isValid(text) { refuse(value.location, "`\(text)` is neither `keep`, `upstream` nor a host") }
            return .literal(text)
        }
    }

    private mutating func health(_ value: SettingsValue) -> HealthCheck? {
        if case .text = value.content { return healthPath(value).map { HealthCheck(path: $0) } }
        guard let members = members(of: value, as: .health), let path = required("path", of: members) else {
            return nil
        }
        var health = HealthCheck(path: healthPath(path) ?? "/")
        if let value = members["intervalSeconds"], let time = seconds(value) { health.interval = time }
        if let value = members["timeoutSeconds"], let time = seconds(value) { health.timeout = time }
        let counts = 1...ConfigurationFormat.maxCount
        if let value = members["healthyAfter"], let count = integer(value, in: counts) { health.healthyAfter = count }
        if let value = members["unhealthyAfter"], let count = integer(value, in: counts) {
            health.unhealthyAfter = count
        }
        if let value = members["status"] {
            health.status = statuses(value)
            refuseEmptyList(value, "without `status`, 2xx is good")
        }
        return health
    }

    /// A target in origin form, which is written into a request line unchanged.
    private mutating func healthPath(_ value: SettingsValue) -> String? {
        guard let path = text(value, expected: "a path") else { return nil }
        let isTarget = path.hasPrefix("/") && path.utf8.allSatisfy { $0 > ASCII.space && $0 < ASCII.delete }
        guard isTarget, !path.utf8.contains(ASCII.numberSign) else {
            return refused(value.location, "`\(path)` is not a path", hint: "write it as in a request: `/healthz`")
        }
        return path
    }
}

// MARK: - Servers

extension ConfigurationReader {
    private mutating func servers(_ value: SettingsValue) -> [UpstreamServer] {
        let expected = "a server such as `http://10.0.0.1:3000` or `unix:/run/app.sock`"
        var servers: [UpstreamServer] = []
        for (text, element) in texts(value, expected: expected) {
            guard let server = server(text, at: element.location) else { continue }
            guard !servers.contains(server) else {
                refuse(element.location, "the server `\(text)` is listed twice")
                continue
            }
            servers.append(server)
        }
        if case .list(let elements) = value.content, elements.isEmpty {
            refuse(value.location, "an upstream needs a server")
        }
        return servers
    }

    private mutating func server(_ text: String, at location: DocumentLocation) -> UpstreamServer? {
        if let path = text.dropping(prefix: "unix:") {
            guard !path.isEmpty else { return refused(location, "`unix:` needs a path") }
            let server = UpstreamServer.unix(path: ExactText(resolved(String(path))))
            guard ServerAddress.literal(server) != nil else {
                return refused(
                    location, "the path of `\(text)` is too long for a Unix socket", hint: "write at most 107 bytes")
            }
            return server
        }
        guard text.lowercased().dropping(prefix: "https://") == nil else {
            return refused(
                location, "`\(text)` needs TLS, which is not supported",
                hint: "put a TLS proxy on localhost and write its address, such as http://127.0.0.1:PORT")
        }
        guard text.lowercased().hasPrefix(UpstreamServer.scheme) else {
            let hint = Authority.isValid(text) ? "write `\(UpstreamServer.scheme)\(text)`" : nil
            return refused(location, "`\(text)` begins neither with `http://` nor with `unix:`", hint: hint)
        }
        var authority = text.dropFirst(UpstreamServer.scheme.count)
        if authority.hasSuffix("/") { authority = authority.dropLast() }
        guard !authority.contains(where: { $0 == "/" || $0 == "?" || $0 == "#" }) else {
            return refused(
                location, "the server `\(text)` has a path",
                hint: "the upstream gets the client's path; see `stripPrefix`")
        }
        guard Authority.isValid(String(authority)), let server = UpstreamServer(authority: authority) else {
            return refused(location, "`\(text)` is not an http URI with a host and an optional port from 1 to 65535")
        }
        return server
    }
}

extension UpstreamServer {
    /// Reads a valid `host[:port]`; nil if the port is 0.
    fileprivate init?(authority: Substring) {
        var host = authority
        var port = Self.defaultPort
        let colon = authority.lastIndex(of: ":")
        if let colon, authority[colon...].dropFirst().utf8.allSatisfy(ASCII.isDigit) {
            host = authority[..<colon]
            let digits = authority[authority.index(after: colon)...]
            guard digits.isEmpty || UInt16(digits).map({ $0 > 0 }) == true else { return nil }
            port = UInt16(digits) ?? port
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        self = .tcp(host: host.lowercased(), port: port)
    }
}
