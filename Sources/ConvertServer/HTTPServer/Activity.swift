/// The activity of a connection, which decides its deadline.
enum Activity: Sendable, Hashable {
    /// Waiting for the first byte of a request; `number` counts the requests of the connection.
    case idle(number: Int)
    /// Waiting for the rest of a head.
    case head(number: Int)
    /// Waiting for more of a body; `transferred` counts the bytes that have arrived and that were sent.
    case body(number: Int, transferred: Int)
    /// Waiting for more of a body that is forwarded to an upstream; `transferred` as above.
    case upload(number: Int, transferred: Int)
    /// Waiting until the peer accepts more; it has accepted `taken` bytes.
    case sending(taken: Int)
    /// The same for a response of which the upstream still sends the rest.
    case download(taken: Int)
    /// Waiting until the peer ends too, after `received` bytes that were discarded.
    case lingering(received: Int)
    /// Waiting for nothing.
    case none

    /// Whether the activity ends when the peer accepts the waiting bytes.
    var waitsForTaking: Bool {
        switch self {
        case .sending, .download: true
        default: false
        }
    }
}
