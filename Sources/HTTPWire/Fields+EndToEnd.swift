extension Fields {
    /// The fields that belong to one connection only, whether or not Connection names them (RFC 9110 §7.6.1), and
    /// those of framing, which every connection writes anew.
    private static let hopByHop = [
        "connection", "content-length", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]

    /// The fields that may be passed on: without the hop-by-hop ones, those of framing, and all that any Connection
    /// line nominates.
    public func endToEnd() -> Fields {
        var nominated: [ArraySlice<UInt8>] = []
        for index in entries.indices where isName(at: index, "connection") {
            nominated += ListElements(valueBytes(at: index))
        }
        var kept = Fields()
        for index in entries.indices {
            let name = name(at: index)
            if Self.hopByHop.contains(where: { isName(at: index, $0) }) { continue }
            if nominated.contains(where: { $0.equalsIgnoringCase(name) }) { continue }
            kept.append(name, bytes: valueBytes(at: index))
        }
        return kept
    }
}
