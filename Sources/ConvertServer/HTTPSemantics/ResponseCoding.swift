/// The compression of the response to one request, once its length is known.
package struct ResponseCoding: Sendable, Hashable {
    /// A shorter response is not compressed, because with its fields it fits into one packet.
    static let minCodedBytes = 1024

    /// For a client that has not sent Accept-Encoding.
    package static let unasked = ResponseCoding(best: .identity, acceptsIdentity: true)

    /// The coding of a response that is long enough.
    package let best: ContentCoding
    private let acceptsIdentity: Bool

    private init(best: ContentCoding, acceptsIdentity: Bool) {
        self.best = best
        self.acceptsIdentity = acceptsIdentity
    }

    /// Chooses for a client; nil if it accepts no available coding.
    package init?(_ accepted: AcceptEncoding) {
        guard let best = accepted.best else { return nil }
        self.init(best: best, acceptsIdentity: accepted.accepts(.identity))
    }

    /// The coding of a response of `count` bytes; nil means more than are buffered.
    package func coding(forBytes count: Int?) -> ContentCoding {
        if let count, count < Self.minCodedBytes, acceptsIdentity { return .identity }
        return best
    }

    /// The same without room for an encoder: no compression, or nil if the client excludes that.
    package var sparing: ResponseCoding? { acceptsIdentity ? .unasked : nil }
}
