import Text

extension Fields {
    /// The fields that are not passed on, whether or not Connection names them:
    ///
    /// - those of one connection only (RFC 9110 §7.6.1);
    /// - those between a client and the proxy that it has credentials for (§11.7);
    /// - those of framing, which every connection writes itself.
    private static let hopByHop = FieldNames([
        "connection", "content-length", "http2-settings", "keep-alive", "proxy-authenticate",
        "proxy-authentication-info",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ])

    /// The names of present fields that the Connection fields list, which must not be passed on. The set does not
    /// contain `close`, fields that are never passed on, and those that `isMeant` refuses.
    public func nominated(where isMeant: (ArraySlice<UInt8>) -> Bool = { _ in true }) -> FieldNames {
        // There are few fields, but Connection may name thousands that are absent.
        var own: FieldNames?
        var found: Set<Int> = []
        var names: [String] = []
        for index in entries.indices where isName(at: index, "connection") {
            for element in ListElements(valueBytes(at: index))
            where !element.spells("close") && !Self.hopByHop.contains(element) {
                let known = own ?? FieldNames(entries.indices.map(name(at:)))
                own = known
                guard let position = known.index(of: element), isMeant(element), found.insert(position).inserted else {
                    continue
                }
                names.append(String(decoding: element, as: UTF8.self))
            }
        }
        return names.isEmpty ? FieldNames() : FieldNames(names)
    }

    /// The fields that may be passed on: without the hop-by-hop fields, those of framing, those in `names`, and those whose
    /// name `isKept` refuses.
    ///
    /// - Parameter nominated: those that a Connection field names, for a caller that has the result of `nominated()`.
    public func endToEnd(
        omitting names: FieldNames = FieldNames(), nominated: FieldNames? = nil,
        where isKept: (ArraySlice<UInt8>) -> Bool = { _ in true }
    ) -> Fields {
        let nominated = nominated ?? self.nominated()
        var kept = Fields()
        // A gateway adds some of its own.
        kept.storage.reserveCapacity(storage.count + Self.usualBytes)
        kept.entries.reserveCapacity(entries.count + Self.usualCount)
        for index in entries.indices {
            let name = nameBytes(at: index)
            if Self.hopByHop.contains(name) || names.contains(name) { continue }
            if !nominated.isEmpty, nominated.contains(name) { continue }
            if isKept(name) { kept.append(at: index, of: self) }
        }
        return kept
    }

    /// Appends the field at `index` of another head with the same spelling.
    private mutating func append(at index: Int, of other: Fields) {
        let entry = other.entries[index]
        let shift = UInt32(storage.count) &- entry.nameStart
        let isPlain =
            entry.valueStart == entry.nameEnd + 2 && other.storage[Int(entry.nameEnd)] == ASCII.colon
            && other.storage[Int(entry.nameEnd) + 1] == ASCII.space
        // Nearly every line is `name: value`, so it is copied in one piece.
        guard isPlain else { return append(other.name(at: index), bytes: other.valueBytes(at: index)) }
        storage.append(contentsOf: other.storage[Int(entry.nameStart)..<Int(entry.valueEnd)])
        entries.append(
            Entry(
                nameStart: entry.nameStart &+ shift, nameEnd: entry.nameEnd &+ shift,
                valueStart: entry.valueStart &+ shift, valueEnd: entry.valueEnd &+ shift))
        storage.append(ASCII.carriageReturn)
        storage.append(ASCII.lineFeed)
        linesEnd = storage.count
    }
}
