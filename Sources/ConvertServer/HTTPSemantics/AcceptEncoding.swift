import Text

/// The content codings that a client accepts (RFC 9110 §12.5.3).
package struct AcceptEncoding: Sendable {
    /// The weight of each named coding. An element without a coding is `*`, which means all that are not named.
    private var elements: [(coding: ContentCoding?, quality: QualityValue)] = []
    /// Whether the client sent the field.
    private let isPresent: Bool

    /// Reads the values of all `Accept-Encoding` fields of a request.
    ///
    ///     Accept-Encoding = [ element *( OWS "," OWS element ) ]
    ///     element         = ( content-coding / "identity" / "*" ) [ OWS ";" OWS "q=" qvalue ]
    ///
    /// Elements that cannot be read count as absent, such as one with an invalid weight. Then there is less
    /// compression, which every client can read. If two elements name the same coding, the first counts.
    package init(_ values: [String]) {
        isPresent = !values.isEmpty
        for value in values {
            for element in value.utf8.listElements { take(element) }
        }
    }

    private mutating func take(_ element: Substring.UTF8View) {
        let semicolon = element.firstIndex(of: ASCII.semicolon)
        var quality = QualityValue.one
        if let semicolon {
            let parameter = element[element.index(after: semicolon)...].trimmed
            guard let weight = parameter.dropping("q="), let value = QualityValue(weight) else { return }
            quality = value
        }
        let name = element[..<(semicolon ?? element.endIndex)].trimmed
        let coding = ContentCoding(name: name)
        guard coding != nil || name.spells("*"), self[coding] == nil else { return }
        elements.append((coding, quality))
    }

    /// The coding for the response; nil if the client accepts none, which leads to 406.
    ///
    /// Among codings with the same weight, the first one in `ContentCoding` is chosen. A coding that the client names
    /// takes precedence over one that only `*` covers. A client without the field accepts every coding, but need not be
    /// able to decode any, so it gets `identity`. So does one that names codings which do not exist here. If `identity`
    /// is accepted only because it was not excluded, it comes last.
    package var best: ContentCoding? {
        var (best, weight) = (ContentCoding.identity, QualityValue.zero)
        for coding in ContentCoding.applied {
            guard let quality = self[coding], quality > weight else { continue }
            (best, weight) = (coding, quality)
        }
        if let others = self[nil], others > weight,
            let coding = ContentCoding.unnamed.first(where: { self[$0] == nil })
        {
            (best, weight) = (coding, others)
        }
        if let quality = quality(of: .identity), quality > weight { return .identity }
        return weight > .zero || accepts(.identity) ? best : nil
    }

    /// Whether a response may have this coding. So a small one can be sent as `identity` although another coding is
    /// preferred.
    package func accepts(_ coding: ContentCoding) -> Bool {
        guard isPresent else { return true }
        guard let quality = quality(of: coding) else { return coding == .identity }
        return quality > .zero
    }

    /// The weight from the client; nil if it did not name the coding.
    private func quality(of coding: ContentCoding) -> QualityValue? { self[coding] ?? self[nil] }

    private subscript(coding: ContentCoding?) -> QualityValue? { elements.first { $0.coding == coding }?.quality }
}

extension AcceptEncoding {
    /// The value for an upstream whose response may be converted: the client's codings that can be decoded here, else
    /// `identity`.
    package var narrowed: String {
        guard isPresent else { return ContentCoding.identity.name }
        let codings: [String] = [ContentCoding.gzip, .deflate].compactMap { coding in
            guard let quality = quality(of: coding), quality > .zero else { return nil }
            return quality == .one ? coding.name : "\(coding.name);q=\(quality)"
        }
        return codings.isEmpty ? ContentCoding.identity.name : codings.joined(separator: ", ")
    }
}
