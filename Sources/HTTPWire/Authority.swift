import Text

/// The host and port of a Host field or a target.
public enum Authority {
    /// Whether `text` is a host that is not empty, perhaps followed by a colon and a port.
    public static func isValid(_ text: String) -> Bool { isValid(Array(text.utf8)[...], requiringPort: false) }

    /// Whether `bytes` are a host that is not empty, a colon and a port. Only `requiringPort` makes colon and port mandatory.
    ///
    /// An empty host is valid by the grammar but not for http (RFC 9110 §4.2.1), and no port is above 65,535.
    static func isValid(_ bytes: ArraySlice<UInt8>, requiringPort: Bool) -> Bool {
        // uri-host [ ":" port ], where uri-host = IP-literal / IPv4address / reg-name
        let hostEnd: Int
        if bytes.first == ASCII.openBracket {
            guard let close = bytes.firstIndex(of: ASCII.closeBracket),
                isLiteral(bytes[(bytes.startIndex + 1)..<close])
            else { return false }
            hostEnd = close + 1
        } else {
            hostEnd = bytes.firstIndex(of: ASCII.colon) ?? bytes.endIndex
            guard isRegisteredName(bytes[..<hostEnd]) else { return false }
        }
        if hostEnd == bytes.endIndex { return !requiringPort }
        guard bytes[hostEnd] == ASCII.colon else { return false }
        return isPort(bytes[(hostEnd + 1)...], mayBeEmpty: !requiringPort)
    }

    // reg-name = *( unreserved / pct-encoded / sub-delims )
    private static func isRegisteredName(_ bytes: ArraySlice<UInt8>) -> Bool {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == ASCII.percent {
                guard ASCII.escapedByte(bytes, at: index + 1) != nil else { return false }
                index += 3
            } else {
                guard ASCII.isRegisteredName(bytes[index]) else { return false }
                index += 1
            }
        }
        return !bytes.isEmpty
    }

    // IP-literal = "[" ( IPv6address / IPvFuture ) "]"
    private static func isLiteral(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, ASCII.lowercased(first) == UInt8(ascii: "v") else {
            return IPAddress.isV6(bytes)
        }
        // IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
        let version = bytes.dropFirst().prefix { ASCII.hexValue($0) != nil }
        let rest = bytes[version.endIndex...]
        return !version.isEmpty && rest.first == ASCII.dot && rest.count > 1
            && rest.dropFirst().allSatisfy { ASCII.isRegisteredName($0) || $0 == ASCII.colon }
    }

    private static func isPort(_ bytes: ArraySlice<UInt8>, mayBeEmpty: Bool) -> Bool {
        if bytes.isEmpty { return mayBeEmpty }
        return Decimal.value(bytes).map { $0 <= UInt16.max } ?? false
    }
}

/// Numbers in decimal digits only.
enum Decimal {
    /// The value of one or more digits; nil for anything else, and for a value that does not fit into an Int.
    static func value(_ bytes: ArraySlice<UInt8>) -> Int? {
        if bytes.isEmpty { return nil }
        var value = 0
        for byte in bytes {
            guard ASCII.isDigit(byte) else { return nil }
            let (shifted, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = shifted.addingReportingOverflow(Int(byte &- ASCII.zero))
            if overflowed || carried { return nil }
            value = sum
        }
        return value
    }
}
