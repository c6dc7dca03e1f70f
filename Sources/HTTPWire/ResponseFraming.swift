import Text

/// The framing of a response, for its body and the connection, from its head and its request (RFC 9112 §6.3). It is
/// decided once, when the head is complete.
public struct ResponseFraming: Sendable, Equatable {
    /// How the end of the body is marked.
    public enum Body: Sendable, Equatable {
        /// There is no body: for HEAD, 1xx, 204 and 304 whatever the fields are, or because the length is 0.
        case none
        /// Exactly this number of bytes, at least one.
        case sized(Int)
        case chunked
        /// All bytes up to the end of the connection.
        case untilClose
    }

    public private(set) var body = Body.none
    /// Whether the fields announce a body that does not follow, which is allowed for HEAD and 304.
    public private(set) var announcesAbsentBody = false
    /// Whether the upstream allows another request after this response (RFC 9112 §9.3).
    public private(set) var persists = true

    init() {}

    /// Reads the fields of `head`. If Content-Length is a list of equal values, it becomes the first of them.
    init(_ head: inout ReceivedResponseHead, to method: RequestMethod, limits: WireLimits) throws(WireError) {
        var shared = FramingFields(takesEqualLengths: true)
        head.fields.joinEqualLengths()
        for index in head.fields.entries.indices { try shared.read(index, of: head.fields) }
        let fields = head.fields
        let neverHasBody = head.status < 200 || head.status == 204
        let isBodiless = neverHasBody || head.status == 304 || method == .head
        // Invalid fields are refused even if they have no effect.
        let announced = try shared.body(
            fields, head.minorVersion, maxBodyBytes: isBodiless ? Int.max : limits.maxBodyBytes)
        persists = shared.persists(head.minorVersion)
        guard !isBodiless else {
            announcesAbsentBody = announced != .none && announced != .sized(0)
            // A server that announces an impossible body may send it nevertheless.
            if neverHasBody, announcesAbsentBody { persists = false }
            return
        }
        switch announced {
        case .sized(let length): body = length > 0 ? .sized(length) : .none
        case .chunked: body = .chunked
        case .none:
            body = .untilClose
            persists = false
        }
    }
}

extension Fields {
    /// Shortens `Content-Length: 3, 3` to `3`, as RFC 9112 §6.3 allows. Any other list stays and is refused.
    fileprivate mutating func joinEqualLengths() {
        let name = "content-length"
        let length = name.utf8.count
        for index in entries.indices
        where entries[index].hasName(of: length) && isName(at: index, name)
            && valueBytes(at: index).contains(ASCII.comma)
        {
            let elements = valueBytes(at: index).split(separator: ASCII.comma, omittingEmptySubsequences: false)
            let lengths = elements.map { Decimal.value($0.trimmed) }
            guard let first = lengths[0], lengths.allSatisfy({ $0 == first }) else { continue }
            entries[index].valueEnd = UInt32(elements[0].trimmed.endIndex)
        }
    }
}
