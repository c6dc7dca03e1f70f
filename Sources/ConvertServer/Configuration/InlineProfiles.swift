import Sockets
import Text

/// Whether requests may bring profiles of their own, which are programs that strangers write.
enum InlineProfiles: String, Sendable, CaseIterable {
    case on, off
    /// Only if only this machine can connect.
    case auto
}

extension ServerConfiguration {
    /// Whether profiles that come with requests are compiled and checked.
    var acceptsInlineProfiles: Bool {
        switch inlineProfiles {
        case .on: true
        case .off: false
        // Whether routes leave the service's own paths to `admin` may change while the server runs.
        case .auto: (listen + gateway.admin).allSatisfy(\.isLocal)
        }
    }
}

extension ListenAddress {
    /// Whether only this machine can connect: a loopback address, or a Unix socket, whose mode says who.
    var isLocal: Bool {
        switch self {
        case .unix: true
        case .tcp(let host, _): host == "localhost" || IPAddress(host)?.isLoopback ?? false
        }
    }
}
