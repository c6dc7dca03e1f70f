package import ConvertCore
package import HTTPWire
import Text

/// What a message's Content-Type says about whether its body can be converted.
///
/// The type is judged apart from its parameters, and so is each where there are several: who reads the body next may look at
/// the type alone, and at any of them. So what is not well-formed never makes JSON something else, from which nothing would be
/// withheld.
package struct BodyType: Sendable, Hashable {
    /// One JSON text, or one on each line. Nil if the type is not JSON, is missing, or cannot be read.
    package let framing: Converter.Framing?
    /// The type in lower case, where there is one that can be read or all are the same.
    package let essence: String?
    /// Whether any of the types is JSON, though others may not be.
    package let mayBeJSON: Bool
    /// Whether the only charset named is UTF-8 or US-ASCII, which is a part of it, and every charset can be read.
    package let isUTF8: Bool
    package let isEventStream: Bool
    /// Whether there is one field with one type, and all of it can be read.
    package let isWellFormed: Bool

    private static let usual = Array("application/json".utf8)[...]

    /// Reads the Content-Type of a message.
    package init(of fields: Fields) {
        guard let value = fields.bytes(for: "content-type") else {
            self.init([], isWellFormed: false)
            return
        }
        let isOnly = fields.count(of: "content-type") == 1
        // What nearly everybody sends needs no reading.
        if isOnly, value == Self.usual {
            self.init(CollectionOfOne(Element(essence: "application/json", isUTF8: true)), isWellFormed: true)
        } else if isOnly, let type = MediaType(String(decoding: value, as: UTF8.self)) {
            self.init(CollectionOfOne(Element(type)), isWellFormed: true)
        } else {
            let values = fields.values(for: "content-type").map { Array($0.utf8)[...] }
            let types = values.flatMap { QuotedListElements($0, escapes: true) }
            self.init(types.map { Element(reading: $0) }, isWellFormed: false)
        }
    }

    private init(_ elements: some Collection<Element>, isWellFormed: Bool) {
        let first = elements.first
        let isOne = elements.allSatisfy { $0.essence == first?.essence }
        essence = isOne ? first?.essence : nil
        framing = essence.flatMap(Self.framing(of:))
        mayBeJSON = elements.contains { $0.essence.flatMap(Self.framing(of:)) != nil }
        isUTF8 = elements.allSatisfy(\.isUTF8)
        isEventStream = isOne && first?.essence == "text/event-stream"
        self.isWellFormed = isWellFormed
    }

    /// How a body of this type, in lower case, is read; nil if it is not JSON.
    package static func framing(of essence: String) -> Converter.Framing? {
        switch essence {
        case "application/json": .document
        case "application/x-ndjson", "application/jsonl": .lines
        default: essence.hasSuffix("+json") ? .document : nil
        }
    }
}

extension BodyType {
    /// One media type of a Content-Type, which should have no other.
    fileprivate struct Element {
        /// In lower case; nil where it cannot be read.
        package let essence: String?
        package let isUTF8: Bool

        package init(essence: String?, isUTF8: Bool) {
            self.essence = essence
            self.isUTF8 = isUTF8
        }

        package init(_ type: MediaType) {
            let charsets = type.parameters.filter { $0.name == "charset" }
            self.init(essence: type.essence, isUTF8: charsets.allSatisfy { Self.isUTF8($0.value) })
        }

        /// Reads the type, and of parameters that cannot be read as a whole what is said of the charset.
        package init(reading bytes: ArraySlice<UInt8>) {
            if let type = MediaType(String(decoding: bytes, as: UTF8.self)) {
                self.init(type)
                return
            }
            let essence = bytes.prefix { $0 != ASCII.semicolon && $0 != ASCII.space && $0 != ASCII.tab }
            // Semicolons in quotes count, too: the quotes may be what cannot be read.
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
            guard let charset = reader.parameter()?.value, isUTF8(String(decoding: charset, as: UTF8.self)) else {
                return false
            }
            reader.skipBlanks()
            return reader.isAtEnd
        }

        private static func isUTF8(_ charset: String) -> Bool {
            ["utf-8", "utf8", "us-ascii"].contains(charset.lowercased())
        }
    }
}
