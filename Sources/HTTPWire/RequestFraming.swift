/// What a request's fields say about its body and about the connection: decided once, when the head is complete.
///
/// No leniency that smuggling could use: what RFC 9112 §6 lets a server repair is refused here.
struct RequestFraming: Sendable, Equatable {
    enum Body: Sendable, Equatable {
        case none
        case sized(Int)
        case chunked
    }

    private(set) var body = Body.none
    /// Whether the client allows another request after this one (RFC 9112 §9.3).
    private(set) var persists = true
    private(set) var expectsContinue = false
    /// Whether the client has said that it reads fields behind a chunked body (RFC 9110 §10.1.4).
    private(set) var acceptsTrailers = false

    private var hostIndex: Int?
    private var lengthIndex: Int?
    private var codingIndex: Int?
    private var isPlainlyChunked = false
    private var hasOtherCoding = false
    private var endsChunked = false
    private var asksClose = false
    private var asksKeepAlive = false
    private var hasUnknownExpectation = false

    init() {}

    /// Reads the fields of `head` and completes its authority.
    init(_ head: inout RequestHead, limits: WireLimits) throws(WireError) {
        persists = head.minorVersion == 1
        for index in head.fields.entries.indices { try read(index, of: head.fields) }
        try checkHost(&head)
        persists = !asksClose && (persists || asksKeepAlive)
        try decideBody(head, limits: limits)
        try decideExpectation(head)
    }

    private mutating func read(_ index: Int, of fields: Fields) throws(WireError) {
        let entry = fields.entries[index]
        // The length of a name tells nearly all others apart from these.
        switch entry.nameEnd - entry.nameStart {
        case 2 where fields.isName(at: index, "te"):
            for element in ListElements(fields.valueBytes(at: index)) {
                acceptsTrailers = acceptsTrailers || element.equalsIgnoringCase("trailers")
            }
        case 4 where fields.isName(at: index, "host"):
            if hostIndex != nil { throw WireError(.badHost, at: Int(entry.nameStart)) }
            hostIndex = index
        case 6 where fields.isName(at: index, "expect"):
            for element in ListElements(fields.valueBytes(at: index)) {
                if element.equalsIgnoringCase("100-continue") {
                    expectsContinue = true
                } else {
                    hasUnknownExpectation = true
                }
            }
        case 10 where fields.isName(at: index, "connection"):
            for element in ListElements(fields.valueBytes(at: index)) {
                asksClose = asksClose || element.equalsIgnoringCase("close")
                asksKeepAlive = asksKeepAlive || element.equalsIgnoringCase("keep-alive")
            }
        case 14 where fields.isName(at: index, "content-length"):
            if lengthIndex != nil { throw WireError(.badContentLength, at: Int(entry.nameStart)) }
            lengthIndex = index
        case 17 where fields.isName(at: index, "transfer-encoding"):
            readCodings(index, of: fields)
        default: break
        }
    }

    private mutating func readCodings(_ index: Int, of fields: Fields) {
        let value = fields.valueBytes(at: index)
        isPlainlyChunked = codingIndex == nil && value.equalsIgnoringCase("chunked")
        codingIndex = codingIndex ?? index
        endsChunked = false
        for element in ListElements(value) {
            let isChunked = element.equalsIgnoringCase("chunked")
            endsChunked = isChunked
            hasOtherCoding = hasOtherCoding || !isChunked
        }
    }

    private func checkHost(_ head: inout RequestHead) throws(WireError) {
        guard let hostIndex else {
            if head.minorVersion > 0 { throw WireError(.missingHost, at: head.fields.linesEnd) }
            return
        }
        let host = head.fields.valueBytes(at: hostIndex)
        guard Authority.isValid(host, requiringPort: false) else {
            throw WireError(.badHost, at: Int(head.fields.entries[hostIndex].valueStart))
        }
        if head.form == .origin || head.form == .asterisk { head.authorityRange = host.startIndex..<host.endIndex }
    }

    private mutating func decideBody(_ head: RequestHead, limits: WireLimits) throws(WireError) {
        if let codingIndex {
            let offset = Int(head.fields.entries[codingIndex].nameStart)
            if lengthIndex != nil { throw WireError(.conflictingFraming, at: offset) }
            guard head.minorVersion > 0, endsChunked else { throw WireError(.badTransferEncoding, at: offset) }
            if hasOtherCoding { throw WireError(.unsupportedTransferEncoding, at: offset) }
            // What is left is `chunked` twice, or with empty list elements around it, over which parsers disagree.
            guard isPlainlyChunked else { throw WireError(.badTransferEncoding, at: offset) }
            body = .chunked
        } else if let lengthIndex {
            let offset = Int(head.fields.entries[lengthIndex].valueStart)
            guard let length = Decimal.value(head.fields.valueBytes(at: lengthIndex)) else {
                throw WireError(.badContentLength, at: offset)
            }
            if length > limits.maxBodyBytes { throw WireError(.bodyTooLong, at: offset) }
            if length > 0 { body = .sized(length) }
        }
    }

    private mutating func decideExpectation(_ head: RequestHead) throws(WireError) {
        if hasUnknownExpectation { throw WireError(.unknownExpectation, at: head.fields.linesStart) }
        // HTTP/1.0 knows no interim responses (RFC 9110 §10.1.1), and without a body there is nothing to wait for.
        expectsContinue = expectsContinue && head.minorVersion > 0 && body != .none
    }
}

/// The elements of a comma-separated list that are not empty, without the white space around them (RFC 9110 §5.6.1.2).
struct ListElements: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(_ value: ArraySlice<UInt8>) { rest = value }

    mutating func next() -> ArraySlice<UInt8>? {
        while !rest.isEmpty {
            let end = rest.firstIndex(of: ASCII.comma) ?? rest.endIndex
            let element = rest[..<end].trimmed
            rest = end < rest.endIndex ? rest[(end + 1)...] : []
            if !element.isEmpty { return element }
        }
        return nil
    }
}
