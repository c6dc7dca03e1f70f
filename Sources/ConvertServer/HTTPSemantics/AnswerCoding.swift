/// How the answer to one request is coded, once it is known how long it is.
package struct AnswerCoding: Sendable, Hashable {
    /// A shorter answer gains nothing from a coding: with its fields it fits one packet.
    static let minCodedBytes = 1024

    /// What a client that has not spoken of codings gets.
    package static let unasked = AnswerCoding(best: .identity, acceptsIdentity: true)

    /// The coding of an answer that is long enough.
    package let best: ContentCoding
    private let acceptsIdentity: Bool

    private init(best: ContentCoding, acceptsIdentity: Bool) {
        self.best = best
        self.acceptsIdentity = acceptsIdentity
    }

    /// Chooses for a client; nil when it accepts no coding that there is.
    package init?(_ accepted: AcceptEncoding) {
        guard let best = accepted.best else { return nil }
        self.init(best: best, acceptsIdentity: accepted.accepts(.identity))
    }

    /// The coding of a response of `count` bytes; nil means more than are buffered.
    package func coding(forBytes count: Int?) -> ContentCoding {
        if let count, count < Self.minCodedBytes, acceptsIdentity { return .identity }
        return best
    }

    /// The same where there is no room for an encoder: none, or nil if the client does not agree to that.
    package var sparing: AnswerCoding? { acceptsIdentity ? .unasked : nil }
}
