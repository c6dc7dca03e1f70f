import Gateway
package import Sockets
import Text

/// Whether requests may contain profiles of their own, which are programs from unknown clients.
package enum InlineProfiles: String, Sendable, CaseIterable {
    case on, off
    /// On if only this machine can connect.
    case auto
}

extension ServerConfiguration {
    /// Whether profiles that come with requests are compiled and checked.
    package var acceptsInlineProfiles: Bool {
        switch inlineProfiles {
        case .on: true
        case .off: false
        // All addresses count, because a reload may add or remove routes, and so change which addresses have the
        // service's paths.
        case .auto: (listen + gateway.admin).allSatisfy(\.isLocal)
        }
    }
}

extension ListenAddress {
    /// Whether only this machine can connect: a loopback address, or a Unix socket, whose mode limits the users.
    package var isLocal: Bool {
        switch self {
        case .unix: true
        case .tcp(let host, _): host == "localhost" || IPAddress(host)?.isLoopback ?? false
        }
    }
}
