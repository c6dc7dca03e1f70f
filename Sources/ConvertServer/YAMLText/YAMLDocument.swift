import ConvertEngine
import Text

/// A document in YAML (1.2, core schema) that has the same meaning in JSON.
///
/// Keys are strings, whatever they look like: `200:` is `"200":`. Numbers keep their digits. An alias is replaced by the value of its
/// anchor. Comments are lost. Errors: text that is not YAML, two documents, tags of an application, merge keys (`<<`), `.inf` and
/// `.nan`.
package enum YAMLDocument {
    /// Whether this program was built with libyaml.
    package static var isReadable: Bool {
        #if YAML
            true
        #else
            false
        #endif
    }

    /// The document as JSON without white space.
    ///
    /// - Parameters:
    ///   - maxBytes: the limit for the JSON. With aliases, it is also limited to ten times the text, or 1 MiB.
    ///   - maxDepth: the most mappings and sequences that may be open at one time.
    package static func json(of text: [UInt8], maxBytes: Int, maxDepth: Int) throws(YAMLError) -> [UInt8] {
        #if YAML
            var parser = YAMLParser(text)
            var writer = YAMLWriter(maxBytes: min(maxBytes, max(10 * text.count, 1 << 20)), maxDepth: maxDepth)
            do throws(YAMLError) {
                while true {
                    let (event, mark) = try parser.next()
                    if case .streamEnds = event { return try writer.end(at: mark) }
                    try writer.write(event, at: mark)
                }
            } catch {
                throw error.inBytes(of: text)
            }
        #else
            throw YAMLError(YAMLMark(), "this program was built without libyaml")
        #endif
    }
}

/// Writes events as JSON.
struct YAMLWriter {
    /// A mapping or a sequence that has begun.
    private struct Collection {
        let isMapping: Bool
        let anchor: String?
        let start: Int
        var isEmpty = true
        var keys: Set<[UInt8]> = []
        /// The key of the next value; nil if a key is next.
        var key: [UInt8]?
    }

    private let maxBytes, maxDepth: Int
    private var json: [UInt8] = []
    private var open: [Collection] = []
    /// The position of the value of each anchor; nil until it is complete.
    private var anchored: [String: Range<Int>?] = [:]
    private var documents = 0

    init(maxBytes: Int, maxDepth: Int) {
        self.maxBytes = maxBytes
        self.maxDepth = maxDepth
    }

    mutating func write(_ event: YAMLEvent, at mark: YAMLMark) throws(YAMLError) {
        switch event {
        case .documentBegins:
            documents += 1
            guard documents == 1 else { throw YAMLError(mark, "a second document begins; expected one") }
        case .mappingBegins(let tag, let anchor):
            try begin(isMapping: true, tag, anchor, at: mark)
        case .sequenceBegins(let tag, let anchor):
            try begin(isMapping: false, tag, anchor, at: mark)
        case .collectionEnds:
            guard let ended = open.popLast() else { return }
            json.append(ended.isMapping ? ASCII.closeBrace : ASCII.closeBracket)
            if let anchor = ended.anchor { anchored[anchor] = .some(ended.start..<json.count) }
        case .scalar(let content, let isPlain, let tag, let anchor):
            guard !isKeyNext else { return try writeKey(content, isPlain: isPlain, tag, anchor, at: mark) }
            beginValue()
            let start = json.count
            json += try Self.value(content, isPlain: isPlain, tag, at: mark)
            if let anchor { anchored[anchor] = .some(start..<json.count) }
        case .alias(let name):
            guard !isKeyNext else { throw YAMLError(mark, "an alias cannot be a key") }
            guard let range = anchored[name] ?? nil else {
                throw YAMLError(mark, "the alias `\(name)` has no complete value before it")
            }
            beginValue()
            guard json.count + range.count <= maxBytes else { throw tooLong(mark) }
            // A copy of the range alone: the array cannot grow while a slice of it exists.
            json += Array(json[range])
        case .streamEnds, .other: break
        }
        guard json.count <= maxBytes else { throw tooLong(mark) }
    }

    /// The whole text.
    consuming func end(at mark: YAMLMark) throws(YAMLError) -> [UInt8] {
        guard documents == 1 else { throw YAMLError(mark, "expected a document, and there is none") }
        return json
    }

    private func tooLong(_ mark: YAMLMark) -> YAMLError {
        YAMLError(mark, "the document has more than \(maxBytes) bytes with its aliases replaced")
    }

    private var isKeyNext: Bool {
        if let last = open.last { last.isMapping && last.key == nil } else { false }
    }

    private mutating func begin(
        isMapping: Bool, _ tag: String?, _ anchor: String?, at mark: YAMLMark
    ) throws(YAMLError) {
        guard !isKeyNext else { throw YAMLError(mark, "a key is a mapping or a sequence; expected a string") }
        guard Self.isCore(tag, [isMapping ? "map" : "seq"]) else { throw Self.unknown(tag, mark) }
        guard open.count < maxDepth else {
            throw YAMLError(mark, "more than \(maxDepth) nested mappings and sequences")
        }
        beginValue()
        if let anchor { anchored[anchor] = .some(nil) }
        open.append(Collection(isMapping: isMapping, anchor: anchor, start: json.count))
        json.append(isMapping ? ASCII.openBrace : ASCII.openBracket)
    }

    /// Writes what comes before a value.
    private mutating func beginValue() {
        guard let last = open.indices.last else { return }
        if !open[last].isEmpty { json.append(ASCII.comma) }
        open[last].isEmpty = false
        guard let key = open[last].key.take() else { return }
        json += JSONText.quoted(key) + [ASCII.colon]
    }

    private mutating func writeKey(
        _ content: [UInt8], isPlain: Bool, _ tag: String?, _ anchor: String?, at mark: YAMLMark
    ) throws(YAMLError) {
        guard Self.isCore(tag, Self.scalarKinds) else { throw Self.unknown(tag, mark) }
        guard !isPlain || content != Array("<<".utf8) else {
            throw YAMLError(mark, "merge keys (`<<`) are not in YAML 1.2; write the members out")
        }
        guard anchor == nil else { throw YAMLError(mark, "a key cannot have an anchor") }
        let last = open.count - 1
        guard open[last].keys.insert(content).inserted else {
            throw YAMLError(mark, "the key `\(String(decoding: content, as: UTF8.self))` occurs twice in one mapping")
        }
        open[last].key = content
    }

    private static func value(
        _ content: [UInt8], isPlain: Bool, _ tag: String?, at mark: YAMLMark
    ) throws(YAMLError) -> [UInt8] {
        guard isCore(tag, scalarKinds) else { throw unknown(tag, mark) }
        guard tag == nil ? isPlain : tag != core + "str" && tag != "!" else { return JSONText.quoted(content) }
        guard let text = YAMLScalar.json(plain: content) else {
            throw YAMLError(mark, "JSON has no number `\(String(decoding: content, as: UTF8.self))`")
        }
        if let tag, text.first == ASCII.quote {
            throw YAMLError(mark, "`\(String(decoding: content, as: UTF8.self))` is not what the tag `\(tag)` says")
        }
        return text
    }

    private static let scalarKinds = ["str", "null", "bool", "int", "float"]

    private static let core = "tag:yaml.org,2002:"

    private static func isCore(_ tag: String?, _ kinds: [String]) -> Bool {
        guard let tag, tag != "!" else { return true }
        return kinds.contains { tag == core + $0 }
    }

    private static func unknown(_ tag: String?, _ mark: YAMLMark) -> YAMLError {
        YAMLError(mark, "the tag `\(tag ?? "")` has no counterpart in JSON")
    }
}
