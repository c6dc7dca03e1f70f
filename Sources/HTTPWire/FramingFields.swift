import Text

/// The framing in the fields of a request or a response: Connection, Content-Length and Transfer-Encoding. They are
/// read one by one. The decision follows after the last one.
struct FramingFields: Sendable, Equatable {
    /// Whether several equal Content-Length fields count as one, as for upstreams.
    private let takesEqualLengths: Bool
    private var lengthIndex: Int?
    private var codingIndex: Int?
    private var isPlainlyChunked = false
    private var hasOtherCoding = false
    private var endsChunked = false
    private var asksClose = false
    private var asksKeepAlive = false

    init(takesEqualLengths: Bool = false) { self.takesEqualLengths = takesEqualLengths }

    /// Reads the field at `index` if it is one of them.
    mutating func read(_ index: Int, of fields: Fields) throws(WireError) {
        let entry = fields.entries[index]
        // The length of the name excludes nearly all other fields.
        switch entry.nameEnd - entry.nameStart {
        case 10 where fields.isName(at: index, "connection"):
            for element in ListElements(fields.valueBytes(at: index)) {
                asksClose = asksClose || element.spells("close")
                asksKeepAlive = asksKeepAlive || element.spells("keep-alive")
            }
        case 14 where fields.isName(at: index, "content-length"):
            guard let lengthIndex else {
                lengthIndex = index
                return
            }
            let known = Decimal.value(fields.valueBytes(at: lengthIndex))
            guard takesEqualLengths, known != nil, known == Decimal.value(fields.valueBytes(at: index)) else {
                throw WireError(.badContentLength, at: Int(entry.nameStart))
            }
        case 17 where fields.isName(at: index, "transfer-encoding"):
            readCodings(index, of: fields)
        default: break
        }
    }

    /// Whether the sender allows another exchange after this one (RFC 9112 §9.3).
    func persists(_ minorVersion: Int) -> Bool { !asksClose && (minorVersion == 1 || asksKeepAlive) }

    /// The body that the fields announce; `none` if they announce nothing.
    ///
    /// Leniency would allow smuggling, so all else that RFC 9112 §6 lets a recipient repair is refused.
    func body(_ fields: Fields, _ minorVersion: Int, maxBodyBytes: Int) throws(WireError) -> RequestBody {
        if let codingIndex {
            let offset = Int(fields.entries[codingIndex].nameStart)
            if lengthIndex != nil { throw WireError(.conflictingFraming, at: offset) }
            guard minorVersion > 0, endsChunked else { throw WireError(.badTransferEncoding, at: offset) }
            if hasOtherCoding { throw WireError(.unsupportedTransferEncoding, at: offset) }
            // The rest is `chunked` twice or with empty list elements around it. Parsers disagree about these.
            guard isPlainlyChunked else { throw WireError(.badTransferEncoding, at: offset) }
            return .chunked
        }
        guard let lengthIndex else { return .none }
        let offset = Int(fields.entries[lengthIndex].valueStart)
        guard let length = Decimal.value(fields.valueBytes(at: lengthIndex)) else {
            throw WireError(.badContentLength, at: offset)
        }
        if length > maxBodyBytes { throw WireError(.bodyTooLong, at: offset) }
        return .sized(length)
    }

    private mutating func readCodings(_ index: Int, of fields: Fields) {
        let value = fields.valueBytes(at: index)
        isPlainlyChunked = codingIndex == nil && value.spells("chunked")
        codingIndex = codingIndex ?? index
        endsChunked = false
        for element in ListElements(value) {
            let isChunked = element.spells("chunked")
            endsChunked = isChunked
            hasOtherCoding = hasOtherCoding || !isChunked
        }
    }
}
