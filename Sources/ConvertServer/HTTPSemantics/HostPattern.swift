import Text

/// A host that a route is for: one name, or all that end in one.
package struct HostPattern: Sendable, Hashable {
    /// In lower case without a port, an address in its usual form; of `*.example.com` what follows the star, dot included.
    package let name: String
    /// Whether one or more labels must come before `name`.
    package let isWildcard: Bool

    /// Reads `api.example.com`, `127.0.0.1`, `[::1]` or `*.example.com`; nil for anything else, a port included.
    package init?(_ text: String) {
        isWildcard = text.hasPrefix("*.")
        let lowered = text.lowercased()
        name = isWildcard ? String(lowered.dropFirst()) : Self.normalized(lowered)
        let host = isWildcard ? name.dropFirst() : name[...]
        guard !host.isEmpty, Self.isHost(host) else { return nil }
    }

    /// A host in lower case, with an IPv6 address as RFC 5952 writes it: `[0:0::1]` is `[::1]`.
    package static func normalized(_ host: String) -> String {
        guard host.hasPrefix("["), let address = IPAddress(host.dropFirst().dropLast()) else { return host }
        return "[\(address)]"
    }

    private static func isHost(_ text: Substring) -> Bool {
        if text.hasPrefix("["), text.hasSuffix("]") { return IPAddress(text.dropFirst().dropLast()) != nil }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            !label.isEmpty
                && label.utf8.allSatisfy {
                    ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.hyphen || $0 == ASCII.underscore
                }
        }
    }
}

extension HostPattern: CustomStringConvertible {
    package var description: String { isWildcard ? "*\(name)" : name }
}
