import Text

/// The media types that a client accepts (RFC 9110 §12.5.1).
package struct Accept: Sendable, Hashable {
    /// An offer, and its weight in the most exact range.
    private struct Candidate {
        let offer: String
        let mediaType: MediaType
        var precision = -1
        var quality = QualityValue.zero
    }

    private let values: [String]

    /// Takes the values of all Accept fields. Invalid elements are ignored.
    package init(_ values: [String]) { self.values = values }

    /// The one of `offers` with the highest weight, and the first one of equal weights. Nil if the client accepts none.
    package func best(of offers: [String]) -> String? {
        var candidates = offers.compactMap { offer in
            MediaType(offer).map { Candidate(offer: offer, mediaType: $0) }
        }
        var hasRange = false
        for element in values.lazy.flatMap({ QuotedListElements(Array($0.utf8)[...], escapes: true) }) {
            guard let range = MediaRange(element) else { continue }
            hasRange = true
            for index in candidates.indices {
                guard let precision = range.precision(covering: candidates[index].mediaType),
                    precision > candidates[index].precision
                else { continue }
                candidates[index].precision = precision
                candidates[index].quality = range.quality
            }
        }
        guard hasRange else { return offers.first }
        var best: Candidate?
        for candidate in candidates where candidate.quality > best?.quality ?? .zero { best = candidate }
        return best?.offer
    }
}
