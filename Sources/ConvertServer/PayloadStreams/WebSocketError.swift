/// The reason why a WebSocket connection must be closed.
package enum WebSocketError: Error, Sendable, Hashable {
    /// A frame breaks the rules of RFC 6455, as the text says.
    case badFrame(String)
    /// A binary message must not pass.
    case binary
    /// A text message is longer than this number of bytes.
    case tooLong(Int)
    /// The reason in a close frame is not UTF-8.
    case notUTF8
}

/// The code of a close frame (RFC 6455 §7.4.1).
package enum CloseCode: UInt16, Sendable, Hashable {
    case protocolError = 1002
    case unsupportedData = 1003
    /// A text message is not UTF-8, or not of the form that the endpoint expects.
    case invalidPayload = 1007
    case policyViolation = 1008
    case tooBig = 1009
    /// The endpoint is overloaded; registered at IANA after the RFC.
    case tryAgainLater = 1013

    /// Whether an endpoint may send the code: 1004 to 1006 and 1015 are reserved, and 1016 to 2999 not assigned.
    static func isSendable(_ code: Int) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
