import Text

/// The hosts of a route: one name, or all names that end in it.
package struct HostPattern: Sendable, Hashable {
    /// In lower case without a port; an address in its usual form. For `*.example.com`, the part after the star, with
    /// the dot.
    package let name: String
    /// Whether one or more labels must come before `name`.
    package let isWildcard: Bool

    /// Reads `api.example.com`, `127.0.0.1`, `[::1]` or `*.example.com`. Nil for anything else, also with a port.
    package init?(_ text: String) {
        isWildcard = text.hasPrefix("*.")
        let lowered = text.lowercased()
        name = isWildcard ? String(lowered.dropFirst()) : Self.normalized(lowered)
        let host = isWildcard ? name.dropFirst() : name[...]
        guard !host.isEmpty, Self.isHost(host) else { return nil }
    }

    /// A host in lower case, with an IPv6 address in the form of RFC 5952: `[0:0::1]` is `[::1]`.
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
