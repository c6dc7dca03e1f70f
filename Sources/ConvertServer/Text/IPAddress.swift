/// An IPv4 or IPv6 address. An IPv4 address mapped into IPv6 is the IPv4 address.
package struct IPAddress: Sendable, Hashable {
    package enum Family: Sendable, Hashable { case v4, v6 }

    package let family: Family
    /// The bits in network order; for IPv4 the lowest 32 bits.
    package let bits: UInt128

    package init(v4 bits: UInt32) {
        family = .v4
        self.bits = UInt128(bits)
    }

    package init(v6 bits: UInt128) {
        let isMapped = bits >> 32 == Self.mappedPrefix
        family = isMapped ? .v4 : .v6
        self.bits = isMapped ? UInt128(UInt32(truncatingIfNeeded: bits)) : bits
    }

    /// The 96 bits before a mapped IPv4 address: `::ffff:0:0/96` (RFC 4291 §2.5.5.2).
    private static let mappedPrefix = UInt128(UInt16.max)

    /// The number of bits of the family's addresses.
    package var width: Int { family == .v4 ? UInt32.bitWidth : UInt128.bitWidth }

    package var isLoopback: Bool { family == .v4 ? bits >> 24 == 127 : bits == 1 }

    /// Whether it is the usual local address: 127.0.0.1 or ::1.
    package var isLocalHost: Bool { isLoopback && (family == .v6 || bits == 127 << 24 | 1) }

    /// The identity of one client: for IPv6 the network of 64 bits, in which it can have any address (RFC 4291 §2.5.4).
    package var clientNetwork: IPAddress { family == .v4 ? self : IPAddress(v6: (bits >> 64) << 64) }

    /// Reads dotted decimal or the text forms of RFC 4291 §2.2, without brackets, port or zone; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        if let v4 = Self.dottedDecimal(bytes[...]) {
            self.init(v4: v4)
        } else if let v6 = Self.groups(bytes[...]) {
            self.init(v6: v6)
        } else {
            return nil
        }
    }

    /// Whether `text` is one of the text forms of an IPv6 address, also of one that is mapped.
    package static func isV6(_ text: ArraySlice<UInt8>) -> Bool { groups(text) != nil }

    /// Four numbers of up to three digits. Leading zeros are refused, because some parsers read them as octal.
    private static func dottedDecimal(_ text: ArraySlice<UInt8>) -> UInt32? {
        let parts = text.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.allSatisfy(ASCII.isDigit),
                part.count == 1 || part.first != ASCII.zero,
                let number = UInt8(String(decoding: part, as: UTF8.self))
            else { return nil }
            bits = bits << 8 | UInt32(number)
        }
        return bits
    }

    /// Eight groups of up to four hexadecimal digits. `::` replaces one or more zero groups, once. The last two groups
    /// may be dotted decimal.
    private static func groups(_ text: ArraySlice<UInt8>) -> UInt128? {
        var text = text
        var tail: [UInt16] = []
        if let colon = text.lastIndex(of: ASCII.colon), let v4 = dottedDecimal(text[(colon + 1)...]) {
            tail = [UInt16(v4 >> 16), UInt16(truncatingIfNeeded: v4)]
            text = text[...colon]
            // The colon belongs to the groups only if it is half of `::`.
            let isHalf = text.count >= 2 && text[text.endIndex - 2] == ASCII.colon
            if !isHalf { text = text.dropLast() }
        }
        let room = 8 - tail.count
        guard let gap = firstGap(in: text) else {
            guard let all = list(text), all.count == room else { return nil }
            return join(all + tail)
        }
        guard let before = list(text[..<gap]), let after = list(text[(gap + 2)...]) else { return nil }
        let zeros = room - before.count - after.count
        guard zeros >= 1 else { return nil }
        return join(before + Array(repeating: 0, count: zeros) + after + tail)
    }

    private static func firstGap(in text: ArraySlice<UInt8>) -> Int? {
        text.indices.dropLast().first { text[$0] == ASCII.colon && text[$0 + 1] == ASCII.colon }
    }

    private static func list(_ text: ArraySlice<UInt8>) -> [UInt16]? {
        if text.isEmpty { return [] }
        var groups: [UInt16] = []
        for part in text.split(separator: ASCII.colon, omittingEmptySubsequences: false) {
            guard (1...4).contains(part.count) else { return nil }
            var group: UInt16 = 0
            for digit in part {
                guard let value = ASCII.hexValue(digit) else { return nil }
                group = group << 4 | UInt16(value)
            }
            groups.append(group)
        }
        return groups
    }

    private static func join(_ groups: [UInt16]) -> UInt128 { groups.reduce(0) { $0 << 16 | UInt128($1) } }
}

extension IPAddress: CustomStringConvertible {
    /// Dotted decimal, or the form of RFC 5952 §4: lower case, the longest run of two or more zero groups as `::`.
    package var description: String {
        if family == .v4 {
            return Self.dotted(UInt32(truncatingIfNeeded: bits))
        }
        let groups = stride(from: 112, through: 0, by: -16).map { UInt16(truncatingIfNeeded: bits >> $0) }
        let run = Self.longestZeros(in: groups)
        func text(_ part: ArraySlice<UInt16>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard run.count > 1 else { return text(groups[...]) }
        return "\(text(groups[..<run.lowerBound]))::\(text(groups[run.upperBound...]))"
    }

    /// Written digit by digit, because each request writes one. A String stores its at most fifteen bytes without an
    /// allocation.
    private static func dotted(_ bits: UInt32) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(15)
        for shift in stride(from: 24, through: 0, by: -8) {
            if shift < 24 { text.append(ASCII.dot) }
            text.appendDecimal(Int(UInt8(truncatingIfNeeded: bits >> shift)))
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func longestZeros(in groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 { start = index + 1 }
            if index + 1 - start > longest.count { longest = start..<(index + 1) }
        }
        return longest
    }
}
