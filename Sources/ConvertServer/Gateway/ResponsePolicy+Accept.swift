import HTTPSemantics
import PayloadStreams
import Text

extension ResponsePolicy {
    private static let json = "application/json"

    /// The Accept value for an upstream from a route that withholds data. It contains only JSON and the types that may
    /// pass with a successful status, as far as the client accepts them. Ranges such as `*/*` are replaced by these
    /// types. Streams that `events` converts are requested only if the client names their type, because some backends
    /// send a stream to everybody who accepts one.
    ///
    /// - Parameter values: the client's Accept fields.
    package func asked(by values: [String]) -> String {
        let offers = [Self.json] + passes.filter { $0.statuses?.contains(200) ?? true }.map(\.essence)
        var asked: [String] = []
        // The set keeps this fast for clients that send thousands of ranges.
        var known: Set<String> = []
        for element in values.flatMap({ QuotedListElements(Array($0.utf8)[...], escapes: true) }) {
            let text = String(decoding: element, as: UTF8.self)
            guard let type = MediaType(text) else { continue }
            let weight = type["q"].flatMap { QualityValue($0.utf8[...]) == nil ? nil : ";q=\($0)" } ?? ""
            if !type.subtype.hasPrefix("*"), offers.contains(type.essence) || allows(type.essence) {
                // Some backends split at a quoted comma.
                let asks = text.contains("\"") ? type.essence + weight : text
                if known.insert(type.essence).inserted { asked.append(asks) }
            } else if type.subtype == "*" {
                for offer in offers where type.type == "*" || offer.hasPrefix("\(type.type)/") {
                    if known.insert(offer).inserted { asked.append(offer + weight) }
                }
            }
        }
        return asked.isEmpty ? Self.json : asked.joined(separator: ", ")
    }

    private func allows(_ essence: String) -> Bool {
        BodyType.framing(of: essence) != nil || events != nil && StreamFraming(of: essence) != nil
            || passes.contains { $0.covers(essence) && $0.statuses?.contains(200) ?? true }
    }
}
