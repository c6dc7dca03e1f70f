extension Fields {
    /// The fields that belong to one connection only, whether or not Connection names them (RFC 9110 §7.6.1), and
    /// those of framing, which every connection writes anew.
    private static let hopByHop = FieldNames([
        "connection", "content-length", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade",
    ])

    /// The names that the Connection fields nominate, of which the sender wants none passed on.
    public func nominated() -> FieldNames {
        var names = FieldNames()
        for index in entries.indices where isName(at: index, "connection") {
            for element in ListElements(valueBytes(at: index)) {
                names.insert(String(decoding: element, as: UTF8.self))
            }
        }
        return names
    }

    /// The fields that may be passed on: without the hop-by-hop ones, those of framing, and all that any Connection
    /// line nominates.
    public func endToEnd() -> Fields { endToEnd(omitting: FieldNames()) { _ in true } }

    /// The fields that may be passed on, without those in `names` and those that `isKept` refuses by their name.
    public func endToEnd(
        omitting names: FieldNames, where isKept: (ArraySlice<UInt8>) -> Bool
    ) -> Fields {
        let nominated = nominated()
        var kept = Fields()
        for index in entries.indices {
            let name = nameBytes(at: index)
            if Self.hopByHop.contains(name) || nominated.contains(name) || names.contains(name) { continue }
            if isKept(name) { kept.append(at: index, of: self) }
        }
        return kept
    }
}
