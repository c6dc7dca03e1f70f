/// How acronyms of the list are written where the target case capitalises a word.
public enum AcronymStyle: String, Sendable, Hashable, CaseIterable {
    /// `Url`.
    case title
    /// `URL`, or however the list spells it.
    case asListed
}

/// One case rule of a profile, ready to rewrite names.
///
/// The rule scans Unicode scalars by general category and uses the full case mappings of the root locale, scalar by
/// scalar: no context, so a final sigma is like any other. Keys without a letter, UUIDs and keys with a foreign character
/// inside (`dc:title`, `a@b.com`) stay as they are.
public struct KeyCaseRule: Sendable, Hashable {
    public let target: KeyCase
    public let acronyms: [String]
    public let acronymStyle: AcronymStyle
    private let table: AcronymTable

    public init(target: KeyCase, acronyms: [String] = [], acronymStyle: AcronymStyle = .title) {
        self.target = target
        self.acronyms = acronyms
        self.acronymStyle = acronymStyle
        table = AcronymTable(acronyms)
    }

    /// The name in the target case. `name` is unescaped, valid UTF-8 of any length.
    public func converted(_ name: [UInt8]) -> [UInt8] {
        Array(converted(String(decoding: name, as: Unicode.UTF8.self)).utf8)
    }

    /// The name in the target case.
    public func converted(_ name: String) -> String {
        guard target != .preserve, !Self.isUUID(name) else { return name }
        let all = Array(name.unicodeScalars)
        let trimmed = Self.trimmed(all[...])
        let kinds = ScalarKind.kinds(of: trimmed)
        guard kinds.contains(where: \.isLetter), let first = kinds.firstIndex(where: { !$0.isAffix }),
            let last = kinds.lastIndex(where: { !$0.isAffix })
        else { return name }
        let core = Array(trimmed)[first...last]
        let coreKinds = kinds[first...last]
        guard !coreKinds.contains(.other) else { return name }

        var output = String.UnicodeScalarView()
        output.append(contentsOf: trimmed.prefix(first))
        join(words(core, coreKinds), into: &output)
        output.append(contentsOf: trimmed.suffix(kinds.count - 1 - last))
        return String(output)
    }

    private func words(
        _ core: ArraySlice<Unicode.Scalar>, _ kinds: ArraySlice<ScalarKind>
    ) -> [WordSplitter.Word] {
        kinds.split(separator: .separator).flatMap { segment in
            WordSplitter(scalars: core[segment.startIndex..<segment.endIndex], kinds: segment, acronyms: table).words()
        }
    }

    // MARK: Joining

    private func join(_ words: [WordSplitter.Word], into output: inout String.UnicodeScalarView) {
        for (index, word) in words.enumerated() {
            if index > 0, let separator { output.append(separator) }
            if capitalises(index) {
                appendCapitalised(word, to: &output)
            } else {
                for scalar in word.scalars {
                    let mapping =
                        target == .screamingSnakeCase
                        ? scalar.properties.uppercaseMapping : scalar.properties.lowercaseMapping
                    output.append(contentsOf: mapping.unicodeScalars)
                }
            }
        }
    }

    private func appendCapitalised(_ word: WordSplitter.Word, to output: inout String.UnicodeScalarView) {
        var rest = word.scalars
        if word.acronymLength > 0, acronymStyle == .asListed {
            output.append(contentsOf: word.listed.unicodeScalars)
            rest = rest.dropFirst(word.acronymLength)
        } else if let first = rest.popFirst() {
            output.append(contentsOf: first.properties.titlecaseMapping.unicodeScalars)
        }
        for scalar in rest { output.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars) }
    }

    private var separator: Unicode.Scalar? {
        switch target {
        case .snakeCase, .screamingSnakeCase: "_"
        case .kebabCase, .trainCase: "-"
        case .dotCase: "."
        case .camelCase, .pascalCase, .flatCase, .preserve: nil
        }
    }

    private func capitalises(_ index: Int) -> Bool {
        switch target {
        case .pascalCase, .trainCase: true
        case .camelCase: index > 0
        default: false
        }
    }

    // MARK: What stays

    private static func trimmed(_ scalars: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return [] }
        return scalars[first...last]
    }

    /// RFC 9562: 8-4-4-4-12 hexadecimal digits of either case.
    private static func isUUID(_ name: String) -> Bool {
        let hyphens: Set = [8, 13, 18, 23]
        guard name.utf8.count == 36 else { return false }
        return name.utf8.enumerated().allSatisfy { index, byte in
            hyphens.contains(index) ? byte == ASCII.minus : ASCII.hexValue(byte) != nil
        }
    }
}
