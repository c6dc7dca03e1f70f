package import ConvertEngine
package import HTTPWire
import Text

/// Decides from a message's Content-Type whether its body can be converted.
///
/// The type is checked separately from its parameters, and so is each one of several types. The next reader of the body
/// may use only the type, and any of them. So a malformed field never hides JSON, which would bypass the withholding.
package struct BodyType: Sendable, Hashable {
    /// One JSON text, or one on each line. Nil if the type is not JSON, is missing, or cannot be read.
    package let framing: Converter.Framing?
    /// The type in lower case, if there is one valid type or all are the same.
    package let essence: String?
    /// Whether any of the types is JSON.
    package let mayBeJSON: Bool
    /// Whether the only charset is UTF-8 or US-ASCII, which is a part of it, and all charsets are valid.
    package let isUTF8: Bool
    package let isEventStream: Bool
    /// Whether there is one field with one type, and all of it is valid.
    package let isWellFormed: Bool

    private static let usual = Array("application/json".utf8)[...]

    /// Reads the Content-Type of a message.
    package init(of fields: Fields) {
        guard let value = fields.bytes(for: "content-type") else {
            self.init([], isWellFormed: false)
            return
        }
        let isOnly = fields.count(of: "content-type") == 1
        // The usual type needs no parsing.
        if isOnly, value == Self.usual {
            self.init(CollectionOfOne(Part(essence: "application/json", isUTF8: true)), isWellFormed: true)
        } else if isOnly, let type = MediaType(String(decoding: value, as: UTF8.self)) {
            self.init(CollectionOfOne(Part(type)), isWellFormed: true)
        } else {
            let values = fields.values(for: "content-type").map { Array($0.utf8)[...] }
            let types = values.flatMap { QuotedListElements($0, escapes: true) }
            self.init(types.map { Part(reading: $0) }, isWellFormed: false)
        }
    }

    private init(_ elements: some Collection<Part>, isWellFormed: Bool) {
        let first = elements.first
        let isOne = elements.allSatisfy { $0.essence == first?.essence }
        essence = isOne ? first?.essence : nil
        framing = essence.flatMap(Self.framing(of:))
        mayBeJSON = elements.contains { $0.essence.flatMap(Self.framing(of:)) != nil }
        isUTF8 = elements.allSatisfy(\.isUTF8)
        isEventStream = isOne && first?.essence == "text/event-stream"
        self.isWellFormed = isWellFormed
    }

    /// The types with one JSON text on each line, the usual one first. Several names are in use;
    /// `application/stream+json` is that of Spring WebFlux.
    package static let lineTypes = [
        "application/x-ndjson", "application/jsonl", "application/ndjson", "application/jsonlines",
        "application/json-lines", "application/stream+json",
    ]

    /// The endings of more of them, such as `application/vnd.elasticsearch+x-ndjson`.
    private static let lineSuffixes = ["+ndjson", "+x-ndjson", "+jsonl"]

    /// The framing of a body of this type, in lower case; nil if it is not JSON.
    package static func framing(of essence: String) -> Converter.Framing? {
        if essence == "application/json" { return .document }
        // The lines come first, because the name of one of their types ends like that of a document.
        if lineTypes.contains(essence) || lineSuffixes.contains(where: { essence.hasSuffix($0) }) { return .lines }
        return essence.hasSuffix("+json") ? .document : nil
    }

    /// Whether a body in this charset is UTF-8: also `utf8`, which many programs write, and US-ASCII, which is a part of it.
    package static func isUTF8(_ charset: String) -> Bool {
        ["utf-8", "utf8", "us-ascii"].contains(charset.lowercased())
    }
}

extension BodyType {
    /// One media type of a Content-Type, which should have no other.
    fileprivate struct Part {
        /// In lower case; nil if it is invalid.
        let essence: String?
        let isUTF8: Bool

        init(essence: String?, isUTF8: Bool) {
            self.essence = essence
            self.isUTF8 = isUTF8
        }

        init(_ type: MediaType) {
            let charsets = type.parameters.filter { $0.name == "charset" }
            self.init(essence: type.essence, isUTF8: charsets.allSatisfy { BodyType.isUTF8($0.value) })
        }

        /// Reads the type. If the parameters are invalid as a whole, it still reads the charset.
        init(reading bytes: ArraySlice<UInt8>) {
            if let type = MediaType(String(decoding: bytes, as: UTF8.self)) {
                self.init(type)
                return
            }
            let essence = bytes.prefix { $0 != ASCII.semicolon && $0 != ASCII.space && $0 != ASCII.tab }
            // Semicolons in quotes count too, because the quotes may be the invalid part.
            let parameters = bytes[essence.endIndex...].split(separator: ASCII.semicolon)
            self.init(
                essence: MediaType(String(decoding: essence, as: UTF8.self))?.essence,
                isUTF8: parameters.allSatisfy { Self.leavesUTF8($0) })
        }

        /// Whether this parameter is not a charset, or names UTF-8.
        private static func leavesUTF8(_ parameter: ArraySlice<UInt8>) -> Bool {
            var reader = FieldReader(parameter)
            guard reader.token()?.spells("charset") ?? false else { return true }
            reader = FieldReader(parameter)
            guard let charset = reader.parameter()?.value,
                BodyType.isUTF8(String(decoding: charset, as: UTF8.self))
            else { return false }
            reader.skipBlanks()
            return reader.isAtEnd
        }
    }
}
