/// What a received response's head says about its body and about the connection (RFC 9112 §6.3 and §9.3): decided once,
/// from the response and the request that it answers.
///
/// Where two recipients could disagree about where the body ends, the response is refused.
struct ResponseFraming: Sendable, Equatable {
    enum Body: Sendable, Equatable {
        case none
        case sized(Int)
        case chunked
        /// All that comes until the connection closes.
        case untilClose
        /// No HTTP any more: the protocol that both sides have switched to.
        case tunnel
    }

    private(set) var body = Body.none
    /// Whether the server allows another request after this one.
    private(set) var persists = true

    init() {}

    /// - Parameters:
    ///   - method: of the request.
    ///   - asksUpgrade: whether the request asked to switch protocols.
    init(_ head: ReceivedResponseHead, to method: RequestMethod, asksUpgrade: Bool) throws(WireError) {
        var lengthIndex: Int?
        var codingIndex: Int?
        var asksClose = false
        var asksKeepAlive = false
        let fields = head.fields
        for index in fields.entries.indices {
            let entry = fields.entries[index]
            switch entry.nameEnd - entry.nameStart {
            case 10 where fields.isName(at: index, "connection"):
                for element in ListElements(fields.valueBytes(at: index)) {
                    asksClose = asksClose || element.equalsIgnoringCase("close")
                    asksKeepAlive = asksKeepAlive || element.equalsIgnoringCase("keep-alive")
                }
            case 14 where fields.isName(at: index, "content-length"):
                if lengthIndex != nil { throw WireError(.badContentLength, at: Int(entry.nameStart)) }
                lengthIndex = index
            case 17 where fields.isName(at: index, "transfer-encoding"):
                if codingIndex != nil { throw WireError(.badTransferEncoding, at: Int(entry.nameStart)) }
                codingIndex = index
            default: break
            }
        }
        persists = !asksClose && (head.minorVersion == 1 || asksKeepAlive)
        let length = try Self.length(lengthIndex, of: fields)
        if let codingIndex { try Self.checkCoding(codingIndex, lengthIndex, of: head) }
        if head.status == 101 {
            guard asksUpgrade else { throw WireError(.unaskedSwitch, at: 0) }
            body = .tunnel
            persists = false
        } else if method == .head || head.status < 200 || head.status == 204 || head.status == 304 {
            body = .none
        } else if codingIndex != nil {
            body = .chunked
        } else if let length {
            body = length > 0 ? .sized(length) : .none
        } else {
            body = .untilClose
            persists = false
        }
    }

    private static func length(_ index: Int?, of fields: Fields) throws(WireError) -> Int? {
        guard let index else { return nil }
        guard let length = Decimal.value(fields.valueBytes(at: index)) else {
            throw WireError(.badContentLength, at: Int(fields.entries[index].valueStart))
        }
        return length
    }

    private static func checkCoding(
        _ index: Int, _ lengthIndex: Int?, of head: ReceivedResponseHead
    ) throws(WireError) {
        let offset = Int(head.fields.entries[index].nameStart)
        if lengthIndex != nil { throw WireError(.conflictingFraming, at: offset) }
        guard head.minorVersion > 0 else { throw WireError(.badTransferEncoding, at: offset) }
        guard head.fields.valueBytes(at: index).equalsIgnoringCase("chunked") else {
            throw WireError(.unsupportedTransferEncoding, at: offset)
        }
    }
}
