import ConvertEngine
import HTTPSemantics
import Text

/// The fields that a client selects of a response.
struct FieldSelection: Sendable, Hashable {
    typealias Path = [Selector.Segment]

    enum Scope: Sendable, Hashable {
        /// Paths in the document, at least one.
        case document([Path])
        /// Paths in the resource objects of a JSON:API document, by the type of the resource.
        case resources([[UInt8]: [Path]])
    }

    /// The selection as the client wrote it, without the escapes of the query. Two selections with the same text are the same.
    let text: [UInt8]
    let scope: Scope

    /// The most fields of a selection, and the most keys of a field.
    static let maxFields = 256
    static let maxDepth = 32

    /// Parses fields of a document, such as `id,items(name,author/name)`.
    ///
    ///     fields    = field *( "," field )
    ///     field     = key [ "/" field / "(" fields ")" ]
    ///     key       = "*" / 1*( plain / "\" character )
    ///
    /// `*` means all keys of an object. Space around a key is ignored. A path leads through arrays. Throws 400 with
    /// the position of an error.
    init(parsing text: [UInt8], of parameter: String) throws(Problem) {
        var parser = Parser(text: text, parameter: parameter)
        try parser.readFields(in: [])
        guard parser.next == nil else { throw parser.problem("this `)` has no `(`") }
        self.text = text
        scope = .document(parser.paths)
    }

    /// The sparse fieldsets of JSON:API: for each type, the names of fields with commas between them, or none.
    ///
    /// A type that occurs twice has all its fields. Throws 400 if there are too many fields.
    init(fieldsets: [(type: [UInt8], names: [UInt8])], of parameter: String) throws(Problem) {
        var paths: [[UInt8]: [Path]] = [:]
        var count = 0
        for (type, names) in fieldsets {
            let names = names.split(separator: ASCII.comma).map(Array.init)
            count += names.count
            paths[type, default: Self.alwaysInResources] += names.flatMap { name in
                Self.fieldObjects.map { [.literal($0), .literal(name)] }
            }
        }
        guard count <= Self.maxFields, fieldsets.count <= Self.maxFields else {
            throw .badParameter(parameter, "there are more than \(Self.maxFields) fields")
        }
        // Neither byte occurs in UTF-8, so no other selection has the same text.
        text = fieldsets.flatMap { $0.type + [0xFE] + $0.names + [0xFF] }
        scope = .resources(paths)
    }

    /// The objects of a resource that have its fields, and its other members.
    private static let fieldObjects = ["attributes", "relationships"].map { Array($0.utf8) }
    private static let alwaysInResources: [Path] =
        ["type", "id", "lid", "links", "meta"].map { [.literal(Array($0.utf8))] }

    /// Eight hexadecimal digits that belong to the selection, the same on every replica.
    var digits: String { String(UInt32(truncatingIfNeeded: PlanFingerprint.hash(text)), width: 8, radix: 16) }
}

private struct Parser {
    let text: [UInt8]
    let parameter: String
    var paths: [[Selector.Segment]] = []
    var index = 0

    var next: UInt8? { index < text.count ? text[index] : nil }

    func problem(_ reason: String) -> Problem {
        .badParameter(
            parameter, "at character \(String(decoding: text[..<index], as: UTF8.self).count + 1): \(reason)",
            hint: "write keys with commas between them, and `a/b` or `a(b,c)` for keys in `a`")
    }

    /// Reads fields up to the end of the text, or to a `)`.
    mutating func readFields(in path: [Selector.Segment]) throws(Problem) {
        while true {
            try readField(in: path)
            guard next == ASCII.comma else { return }
            index += 1
        }
    }

    private mutating func readField(in outer: [Selector.Segment]) throws(Problem) {
        var path = outer
        while true {
            guard path.count < FieldSelection.maxDepth else {
                throw problem("a field may have at most \(FieldSelection.maxDepth) keys")
            }
            path.append(try readKey())
            guard next == ASCII.slash else { break }
            index += 1
        }
        if next == ASCII.openParenthesis {
            index += 1
            try readFields(in: path)
            guard next == ASCII.closeParenthesis else { throw problem("a `)` is missing") }
            repeat { index += 1 } while next == ASCII.space
        } else {
            paths.append(path)
        }
        guard paths.count <= FieldSelection.maxFields else {
            throw problem("there are more than \(FieldSelection.maxFields) fields")
        }
        if let next, next != ASCII.comma, next != ASCII.closeParenthesis {
            throw problem("expected `,` or `)`")
        }
    }

    private mutating func readKey() throws(Problem) -> Selector.Segment {
        var key: [UInt8] = []
        /// The length of the key without space at its end.
        var length = 0
        let start = index
        while let byte = next, !Self.ends.contains(byte) {
            index += 1
            if byte == ASCII.backslash, let escaped = next {
                key.append(escaped)
                length = key.count
                index += 1
            } else if byte != ASCII.space {
                key.append(byte)
                length = key.count
            } else if length > 0 {
                key.append(byte)
            }
        }
        key.removeLast(key.count - length)
        guard !key.isEmpty else { throw problem("a key is missing") }
        let isWildcard = key == [ASCII.asterisk] && !text[start..<index].contains(ASCII.backslash)
        return isWildcard ? .anyOne : .literal(key)
    }

    private static let ends = Array(",/()".utf8)
}
