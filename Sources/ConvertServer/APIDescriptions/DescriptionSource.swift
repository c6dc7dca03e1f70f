import ConvertEngine
import ConvertProfiles
import HTTPSemantics
import Text
import YAMLText

/// A value of a description.
typealias NodeID = JSONDocument.NodeID

/// A description as it was read: a tree of JSON without white space.
final class DescriptionSource: Sendable {
    let document: JSONDocument
    /// The members of each large object, by their keys.
    private let members: [NodeID: [[UInt8]: NodeID]]

    /// Throws if the text is neither JSON nor YAML.
    init(_ text: [UInt8], maxDepth: Int) throws(DescriptionError) {
        let minified = try Self.json(text, maxDepth)
        do throws(ProfileFault) {
            document = try JSONDocumentParser.parse(minified, maxDepth: maxDepth)
        } catch {
            throw DescriptionError(at: error.pointer, error.message)
        }
        var members: [NodeID: [[UInt8]: NodeID]] = [:]
        for index in document.nodes.indices where document.nodes[index].children.count > Self.fewMembers {
            let id = NodeID(index: index)
            guard document[id].kind == .object else { continue }
            var known: [[UInt8]: NodeID] = [:]
            for child in document[id].children {
                guard case .member(let name, _) = document[child].step, known[name] == nil else { continue }
                known[name] = child
            }
            members[id] = known
        }
        self.members = members
    }

    /// Up to this many members are searched one by one.
    private static let fewMembers = 8

    /// The text as JSON without white space. Other text may be YAML, which begins with a bracket in rare cases only.
    private static func json(_ text: [UInt8], _ maxDepth: Int) throws(DescriptionError) -> [UInt8] {
        let jsonError: DescriptionError
        do throws(ConversionError) {
            return try Plan.minify(limits: Limits(maxDepth: maxDepth)).convert(text)
        } catch {
            jsonError = DescriptionError(
                at: error.pointer, "line \(error.line), column \(error.column): \(error.message)")
        }
        let beginning = text.first { $0 > ASCII.space }
        let looksLikeJSON = beginning == ASCII.openBrace || beginning == ASCII.openBracket
        guard YAMLDocument.isReadable else {
            throw looksLikeJSON
                ? jsonError
                : DescriptionError(
                    at: "", "expected JSON: this looks like YAML, and this program was built without libyaml",
                    hint: "convert it first: yq -o json openapi.yaml | convert-server openapi --profile PROFILE -")
        }
        do throws(YAMLError) {
            return try YAMLDocument.json(of: text, maxBytes: APIDescription.maxBytes, maxDepth: maxDepth)
        } catch {
            throw looksLikeJSON
                ? jsonError
                : DescriptionError(at: "", "line \(error.line), column \(error.column): \(error.message)")
        }
    }

    subscript(id: NodeID) -> JSONDocument.Node { document[id] }

    func isObject(_ id: NodeID) -> Bool { document[id].kind == .object }

    func member(_ name: String, of id: NodeID) -> NodeID? { member(Array(name.utf8), of: id) }

    func member(_ name: [UInt8], of id: NodeID) -> NodeID? {
        guard isObject(id) else { return nil }
        if let known = members[id] { return known[name] }
        return document[id].children.first {
            if case .member(name, _) = document[$0].step { true } else { false }
        }
    }

    /// The components of a kind of an OpenAPI document, such as `schemas`.
    func components(_ kind: String) -> NodeID? {
        member("components", of: JSONDocument.root).flatMap { member(kind, of: $0) }
    }

    /// The members of an object; empty for any other value.
    func members(of id: NodeID) -> [(name: [UInt8], value: NodeID)] {
        document[id].children.compactMap { child in
            if case .member(let name, _) = document[child].step { (name, child) } else { nil }
        }
    }

    /// The elements of an array; empty for any other value.
    func elements(of id: NodeID?) -> [NodeID] {
        guard let id, document[id].kind == .array else { return [] }
        return document[id].children
    }

    /// The content of a string; nil for any other value.
    func string(_ id: NodeID?) -> [UInt8]? {
        if let id, case .string(let content) = document[id].kind { content } else { nil }
    }

    func strings(_ id: NodeID?) -> [[UInt8]] { elements(of: id).compactMap { string($0) } }

    func isTrue(_ id: NodeID?) -> Bool { id.map { document[$0].kind == .boolean(true) } ?? false }

    func text(_ id: NodeID) -> [UInt8] { document.source(of: id) }

    func pointer(_ id: NodeID) -> String { document.pointer(to: id) }

    // MARK: References

    /// The value that the `$ref` of an object leads to; nil without one.
    func referenced(by id: NodeID) throws(DescriptionError) -> NodeID? {
        guard let reference = member("$ref", of: id), let text = string(reference) else { return nil }
        return try target(of: text, at: reference)
    }

    /// The value that a `$ref` leads to.
    ///
    /// Throws for references to other documents and to anchors, and for those that lead nowhere.
    func target(of reference: [UInt8], at id: NodeID) throws(DescriptionError) -> NodeID {
        let shown = String(decoding: reference, as: UTF8.self)
        guard reference.first == ASCII.numberSign, reference.count == 1 || reference[1] == ASCII.slash else {
            throw DescriptionError(
                at: pointer(id), "expected a reference that begins with `#/`, not `\(shown)`",
                hint: "bundle the documents into one first, for example with `redocly bundle`")
        }
        var target = JSONDocument.root
        for segment in Self.segments(of: reference.dropFirst()) {
            guard let next = child(segment, of: target) else {
                throw DescriptionError(at: pointer(id), "the reference `\(shown)` leads nowhere")
            }
            target = next
        }
        return target
    }

    private func child(_ segment: [UInt8], of id: NodeID) -> NodeID? {
        guard document[id].kind == .array else { return member(segment, of: id) }
        guard let index = Int(String(decoding: segment, as: UTF8.self)), index >= 0 else { return nil }
        return index < document[id].children.count ? document[id].children[index] : nil
    }

    /// The keys of a JSON Pointer in a fragment. A segment with an unknown escape sequence is a key as it is.
    static func segments(of fragment: ArraySlice<UInt8>) -> [[UInt8]] {
        let decoded = RequestPath.decoded(Array(fragment))
        return decoded.split(separator: ASCII.slash, omittingEmptySubsequences: false).dropFirst().map { segment in
            PayloadPointer.unescaped(segment) ?? Array(segment)
        }
    }

    /// A key in a JSON Pointer in a fragment.
    static func segment(of name: [UInt8]) -> [UInt8] {
        name.flatMap { byte -> [UInt8] in
            switch byte {
            case ASCII.tilde, ASCII.slash: return PayloadPointer.escaped(byte: byte)
            case _ where ASCII.isLetter(byte) || ASCII.isDigit(byte) || signs.contains(byte): return [byte]
            default: return [ASCII.percent, ASCII.hexDigit(byte >> 4), ASCII.hexDigit(byte & 15)]
            }
        }
    }

    /// The signs that a fragment (RFC 3986) may have.
    private static let signs = Set("-._!$&'()*+,;=:@?".utf8)
}
