import Text

/// The framing in a request's fields, for its body and the connection. It is decided once, when the head is complete.
///
/// Leniency would allow smuggling, so all that RFC 9112 §6 lets a server repair is refused.
struct RequestFraming: Sendable, Equatable {
    private(set) var body = RequestBody.none
    /// Whether the client allows another request after this one (RFC 9112 §9.3).
    private(set) var persists = true
    private(set) var expectsContinue = false
    /// Whether the client accepts trailers after a chunked body (RFC 9110 §10.1.4).
    private(set) var acceptsTrailers = false

    init() {}

    /// Reads the fields of `head` and completes its authority.
    init(_ head: inout RequestHead, limits: WireLimits) throws(WireError) {
        let fields = head.fields
        var shared = FramingFields()
        var hostIndex: Int?
        var hasUnknownExpectation = false
        for index in fields.entries.indices {
            let entry = fields.entries[index]
            // The length of the name excludes nearly all other fields.
            switch entry.nameEnd - entry.nameStart {
            case 2 where fields.isName(at: index, "te"):
                for element in ListElements(fields.valueBytes(at: index)) {
                    acceptsTrailers = acceptsTrailers || element.spells("trailers")
                }
            case 4 where fields.isName(at: index, "host"):
                if hostIndex != nil { throw WireError(.badHost, at: Int(entry.nameStart)) }
                hostIndex = index
            case 6 where fields.isName(at: index, "expect"):
                for element in ListElements(fields.valueBytes(at: index)) {
                    if element.spells("100-continue") {
                        expectsContinue = true
                    } else {
                        hasUnknownExpectation = true
                    }
                }
            default: try shared.read(index, of: fields)
            }
        }
        try Self.check(hostAt: hostIndex, &head)
        persists = shared.persists(head.minorVersion)
        body = try shared.body(fields, head.minorVersion, maxBodyBytes: limits.maxBodyBytes)
        if body == .sized(0) { body = .none }
        if hasUnknownExpectation { throw WireError(.unknownExpectation, at: fields.linesStart) }
        // HTTP/1.0 has no interim responses (RFC 9110 §10.1.1), and without a body the client waits for none.
        expectsContinue = expectsContinue && head.minorVersion > 0 && body != .none
    }

    private static func check(hostAt index: Int?, _ head: inout RequestHead) throws(WireError) {
        guard let index else {
            if head.minorVersion > 0 { throw WireError(.missingHost, at: head.fields.linesEnd) }
            return
        }
        let host = head.fields.valueBytes(at: index)
        guard Authority.isValid(host, requiringPort: false) else {
            throw WireError(.badHost, at: Int(head.fields.entries[index].valueStart))
        }
        if head.authorityRange.isEmpty { head.authorityRange = host.startIndex..<host.endIndex }
    }
}
