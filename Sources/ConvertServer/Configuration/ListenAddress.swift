/// Where the server listens.
enum ListenAddress: Sendable, Hashable {
    /// A host name or an address without brackets, empty for every interface; port 0 lets the system choose.
    case tcp(host: String, port: UInt16)
    case unix(path: String)

    /// Reads `HOST:PORT`, `[IPV6]:PORT`, `:PORT` or `unix:PATH`; nil for anything else.
    init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst("unix:".count))
            guard !path.isEmpty else { return nil }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy(ASCII.isDigit), let port = UInt16(digits) else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        self = .tcp(host: String(host), port: port)
    }
}

extension ListenAddress: CustomStringConvertible {
    /// As a client spells it: `http://127.0.0.1:8080`, `http://[::1]:8080` or `unix:/run/convert.sock`.
    var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
