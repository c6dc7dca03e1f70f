/// What a connection is doing, as far as time is concerned.
enum Activity: Sendable, Hashable {
    /// Waiting for the first byte of a request; `number` counts the requests of the connection.
    case idle(number: Int)
    /// Waiting for the rest of a head.
    case head(number: Int)
    /// Waiting for more of a body; so many bytes have come of it, and gone.
    case body(number: Int, transferred: Int)
    /// Waiting for more of a body that goes on to an upstream; so many bytes have come of it, and gone.
    case upload(number: Int, transferred: Int)
    /// Waiting until the peer takes more, of which it has so many bytes.
    case sending(taken: Int)
    /// Waiting until the peer takes more of an answer whose rest is still the upstream's to send, of which it has so many bytes.
    case download(taken: Int)
    /// Waiting until the peer ends too, after so many bytes that are thrown away.
    case lingering(received: Int)
    /// Waiting for nothing.
    case none

    /// Whether it is over when the peer takes what there is.
    var waitsForTaking: Bool {
        switch self {
        case .sending, .download: true
        default: false
        }
    }
}
