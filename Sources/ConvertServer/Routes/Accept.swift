/// What a client accepts (RFC 9110 §12.5.1).
struct Accept: Sendable, Hashable {
    private struct Range: Sendable, Hashable {
        let mediaType: MediaType
        /// Thousandths, 0 to 1000.
        let quality: Int
    }

    private let ranges: [Range]

    /// Reads the values of all Accept fields; elements that cannot be read count as absent.
    init(_ values: [String]) {
        ranges = values.flatMap { Self.elements(of: $0) }.compactMap { element in
            guard let mediaType = MediaType(element) else { return nil }
            let quality: Int
            if let weight = mediaType["q"] {
                guard let thousandths = Self.thousandths(weight) else { return nil }
                quality = thousandths
            } else {
                quality = 1000
            }
            return Range(mediaType: mediaType, quality: quality)
        }
    }

    /// The one of `offers` that the client likes most, the first of those it likes equally; nil when it accepts none.
    func best(of offers: [String]) -> String? {
        if ranges.isEmpty { return offers.first }
        var best: (offer: String, quality: Int)?
        for offer in offers {
            guard let mediaType = MediaType(offer) else { continue }
            let quality = quality(of: mediaType)
            if quality > best?.quality ?? 0 { best = (offer, quality) }
        }
        return best?.offer
    }

    /// The quality that the most exact range gives.
    private func quality(of mediaType: MediaType) -> Int {
        var exactest = -1
        var quality = 0
        for range in ranges {
            guard let precision = range.mediaType.precision(covering: mediaType), precision > exactest else { continue }
            exactest = precision
            quality = range.quality
        }
        return quality
    }

    /// The list's elements; commas inside quotes do not part them.
    private static func elements(of value: String) -> [Substring] {
        var elements: [Substring] = []
        var isQuoted = false
        var isEscaped = false
        var start = value.startIndex
        for index in value.utf8.indices {
            let byte = value.utf8[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted && byte == ASCII.backslash {
                isEscaped = true
            } else if byte == ASCII.quote {
                isQuoted.toggle()
            } else if byte == ASCII.comma && !isQuoted {
                elements.append(value[start..<index])
                start = value.utf8.index(after: index)
            }
        }
        elements.append(value[start...])
        return elements
    }

    // qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )
    private static func thousandths(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, first == ASCII.zero || first == ASCII.zero + 1, bytes.count <= 5 else {
            return nil
        }
        guard bytes.count == 1 || bytes[1] == ASCII.dot else { return nil }
        var value = Int(first - ASCII.zero) * 1000
        var unit = 100
        for digit in bytes.dropFirst(2) {
            guard ASCII.isDigit(digit) else { return nil }
            value += Int(digit - ASCII.zero) * unit
            unit /= 10
        }
        return value <= 1000 ? value : nil
    }
}
