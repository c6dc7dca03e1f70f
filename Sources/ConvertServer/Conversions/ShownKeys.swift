package import ConvertEngine
import ConvertProfiles
import Text

/// The keys of payloads that the paths of differences show. All others become `*`.
package enum ShownKeys: Sendable {
    /// For people who have the payload.
    case all
    /// Keys that look like names that a programmer chose.
    case plain
    /// Keys that the profiles name, because a route withholds data.
    case named(Set<[UInt8]>)

    /// The longest key that looks like a name.
    private static let maxPlainBytes = 64
    /// Names such as `addressLine1` and `sha256` have few digits. Numbers and identifiers have more.
    private static let maxPlainDigits = 4

    /// The step of a path, with its slash.
    package func step(_ key: [UInt8]) -> String {
        let isShown =
            switch self {
            case .all: true
            case .plain: Self.isPlain(key)
            case .named(let names): names.contains(key)
            }
        return isShown ? PayloadPointer.step(key) : "/*"
    }

    /// A pointer with its keys as in `step`. A number may be a key, and becomes `*`, too.
    package func path(of pointer: String) -> String {
        Array(pointer.utf8).split(separator: ASCII.slash, omittingEmptySubsequences: false).dropFirst().map { token in
            Selector.isIndex(Array(token)) ? "/*" : step(PayloadPointer.unescaped(token) ?? Array(token))
        }.joined()
    }

    private static func isPlain(_ key: [UInt8]) -> Bool {
        guard let first = key.first, key.count <= maxPlainBytes, !ASCII.isDigit(first), first != ASCII.hyphen else {
            return false
        }
        let marks = [ASCII.underscore, ASCII.hyphen, UInt8(ascii: "$")]
        return key.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || marks.contains($0) }
            && key.count(where: ASCII.isDigit) <= maxPlainDigits
    }
}

extension ShownKeys {
    /// The keys that either profile names, as it writes them and as it converts them.
    ///
    /// - Parameter documents: the documents of the two profiles.
    package init(namedIn documents: [[UInt8]], _ plans: [Plan]) {
        var names: Set<[UInt8]> = []
        for document in documents { names.formUnion(Self.names(in: document)) }
        for plan in plans {
            var translator = NameTranslator(plan)
            for name in names {
                var output = ByteBuffer()
                translator.translate(name.span, NameForm(syntax: .name), into: &output)
                names.insert([UInt8](output))
            }
        }
        self = .named(names)
    }

    /// All strings of a profile's rules, and the keys that these strings are selectors of. Its examples are payloads, and
    /// not rules.
    private static func names(in document: [UInt8]) -> Set<[UInt8]> {
        guard let parsed = try? JSONDocumentParser.parse(document) else { return [] }
        var names: Set<[UInt8]> = []
        var isRule = [Bool](repeating: true, count: parsed.nodes.count)
        for (index, node) in parsed.nodes.enumerated() {
            if let parent = node.parent, !isRule[parent.index] { isRule[index] = false }
            var texts: [[UInt8]] = []
            if case .member(let name, _) = node.step {
                if node.parent == JSONDocument.root, name.elementsEqual("examples".utf8) { isRule[index] = false }
                texts.append(name)
            }
            if case .string(let text) = node.kind { texts.append(text) }
            guard isRule[index] else { continue }
            for text in texts {
                names.insert(text)
                let steps = text.first == ASCII.slash ? text.split(separator: ASCII.slash) : [text[...]]
                for step in steps { names.insert(Selector.unescaped(step) ?? Array(step)) }
            }
        }
        return names
    }
}
