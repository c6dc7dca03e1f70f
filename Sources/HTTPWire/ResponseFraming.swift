import Text

/// What a response's head, and the request it answers, say about its body and about the connection (RFC 9112 §6.3):
/// decided once, when the head is complete.
public struct ResponseFraming: Sendable, Equatable {
    /// How the end of the body is marked.
    public enum Body: Sendable, Equatable {
        /// There is no body, whatever the fields say: HEAD, 1xx, 204, 304; or the fields say that its length is 0.
        case none
        /// Exactly so many bytes, at least one.
        case sized(Int)
        case chunked
        /// All bytes up to the end of the connection.
        case untilClose
    }

    public private(set) var body = Body.none
    /// The value of Content-Length, also where no body follows: to HEAD and with 304 it is the GET's.
    public private(set) var announcedLength: Int?
    /// Whether the fields announce a body that does not follow, as those of an answer to HEAD may and those of a 304.
    public private(set) var announcesAbsentBody = false
    /// Whether the upstream allows another request after this response (RFC 9112 §9.3).
    public private(set) var persists = true

    init() {}

    /// Reads the fields of `head`, in which a Content-Length that is a list of equal values becomes the first of them.
    init(_ head: inout ReceivedResponseHead, to method: RequestMethod, limits: WireLimits) throws(WireError) {
        var shared = FramingFields(takesEqualLengths: true)
        for index in head.fields.entries.indices {
            head.fields.joinEqualLengths(at: index)
            try shared.read(index, of: head.fields)
        }
        let fields = head.fields
        let neverHasBody = head.status < 200 || head.status == 204
        let isBodiless = neverHasBody || head.status == 304 || method == .head
        // Fields that cannot be right are refused even where they do not count.
        let announced = try shared.body(
            fields, head.minorVersion, maxBodyBytes: isBodiless ? Int.max : limits.maxBodyBytes)
        if case .sized(let length) = announced { announcedLength = length }
        persists = shared.persists(head.minorVersion)
        guard !isBodiless else {
            announcesAbsentBody = announced != .none && announced != .sized(0)
            // Who announces a body that there cannot be may send it nevertheless.
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
    /// Shortens `Content-Length: 3, 3` to `3`, as RFC 9112 §6.3 allows; any other list stays and is refused.
    fileprivate mutating func joinEqualLengths(at index: Int) {
        guard isName(at: index, "content-length"), valueBytes(at: index).contains(ASCII.comma) else { return }
        let elements = valueBytes(at: index).split(separator: ASCII.comma, omittingEmptySubsequences: false)
        let lengths = elements.map { Decimal.value($0.trimmed) }
        guard let length = lengths[0], lengths.allSatisfy({ $0 == length }) else { return }
        entries[index].valueEnd = UInt32(elements[0].trimmed.endIndex)
    }
}
