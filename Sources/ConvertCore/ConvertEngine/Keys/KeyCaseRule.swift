import ConvertText

/// The spelling of listed acronyms if the target case capitalizes a word.
public enum AcronymStyle: String, Sendable, Hashable, CaseIterable {
    /// Like any word: `Url`, `Urls`.
    case title
    /// In the list's spelling, with the rest of the word in lower case: `URL`, `URLs`.
    ///
    /// A whole word is an acronym in any case: `user_id`, `userId` and `USER_ID` are `userID` in `camelCase`.
    ///
    /// It does not change words that the target writes only in lower or upper case. These are the first word of `camelCase`
    /// (`URLPath` → `urlPath`), and every word of snake, kebab, dot, flat and SCREAMING.
    case asListed
}

/// Whether digits start a word.
public enum DigitStyle: String, Sendable, Hashable, CaseIterable {
    /// They belong to the word before them: `address1` is one word.
    case join
    /// Digits after a letter start a word: `address1` is two words, so that `addressLine1` is converted back to
    /// `address_line_1`.
    case word
}

/// One case rule of a profile, ready to rewrite keys.
///
/// Snake, kebab, dot, flat, SCREAMING and Train are idempotent, with three exceptions that come from the format's rules:
///
/// - cased letters that lack a lower or upper form (`ϒ`, `ĸ`);
/// - `ŉ` in title case, which becomes two letters;
/// - acronyms: a rewritten key may contain one that the input did not show (`ids` → `IDS`, which is two words if `ID`
///   is listed).
package struct KeyCaseRule: Sendable, Hashable {
    /// The maximum length of an acronym. Longer ones are never found. The limit keeps the search linear in the length
    /// of the key.
    package static let maxAcronymScalars = 64

    /// The case of the output keys.
    package let target: KeyCase
    /// Words that stay whole, as listed.
    package let acronyms: [String]
    /// The spelling of acronyms.
    package let acronymStyle: AcronymStyle
    /// Whether digits start a word.
    package let digits: DigitStyle
    private let index: AcronymIndex

    /// Creates a rule. Acronyms that start with a separator, a symbol or a mark never match.
    package init(
        target: KeyCase, acronyms: [String] = [], acronymStyle: AcronymStyle = .title, digits: DigitStyle = .join
    ) {
        self.digits = digits
        self.target = target
        self.acronyms = acronyms
        self.acronymStyle = acronymStyle
        index = AcronymIndex(acronyms)
    }

    /// Whether `PlainWords` finds the same words as this rule.
    var isPlain: Bool { acronyms.isEmpty && digits == .join }

    /// The key in the target case, or the key itself if the rule does not apply to it.
    package func converted(_ name: String) -> String {
        String(decoding: converted(Array(name.utf8)), as: UTF8.self)
    }

    /// The key in the target case. `name` is unescaped UTF-8 of any length.
    ///
    /// A key that is not valid UTF-8 does not change, for example one with an encoded lone surrogate.
    package func converted(_ name: [UInt8]) -> [UInt8] {
        guard target != .preserve else { return name }
        guard !isPlain else { return PlainWords.converted(name, to: target) }
        guard !Self.isUUID(name.span) else { return name }
        guard let text = String(validating: name, as: UTF8.self) else { return name }
        guard let words = NameWords(text, acronyms: index, digits) else { return name }
        return joined(words)
    }

    // MARK: - Joining

    private func joined(_ parts: NameWords) -> [UInt8] {
        let scalars = parts.name.scalars
        var output: [UInt8] = []
        output.reserveCapacity(scalars.count + parts.words.count)
        for scalar in scalars[parts.prefix] { output.append(contentsOf: scalar.utf8) }
        for (position, word) in parts.words.enumerated() {
            if position > 0, let joint = target.joint { output.append(joint) }
            write(word, of: scalars, in: target.letterCase(isFirstWord: position == 0), to: &output)
        }
        for scalar in scalars[parts.suffix] { output.append(contentsOf: scalar.utf8) }
        return output
    }

    private func write(
        _ word: NameWords.Word, of scalars: [Unicode.Scalar], in letterCase: LetterCase, to output: inout [UInt8]
    ) {
        var rest = word.range
        if letterCase == .title {
            if acronymStyle == .asListed, let acronym = word.acronym {
                for scalar in index.spellings[acronym.spelling] { output.append(contentsOf: scalar.utf8) }
                rest = acronym.end..<word.range.upperBound
            } else if acronymStyle == .asListed, let spelling = index.spelling(of: scalars[rest]) {
                for scalar in spelling { output.append(contentsOf: scalar.utf8) }
                return
            } else {
                LetterCase.title.write(scalars[rest.lowerBound], to: &output)
                rest = (rest.lowerBound + 1)..<rest.upperBound
            }
        }
        let restCase = letterCase == .upper ? LetterCase.upper : .lower
        for scalar in scalars[rest] { restCase.write(scalar, to: &output) }
    }

    // MARK: - UUIDs

    /// Whether a key or a value is 8-4-4-4-12 hexadecimal digits of either case.
    static func isUUID(_ name: Span<UInt8>) -> Bool {
        guard name.count == 36, name[8] == ASCII.minus, name[13] == ASCII.minus, name[18] == ASCII.minus,
            name[23] == ASCII.minus
        else { return false }
        // Digits and letters are counted without a branch, because nothing predicts which of them comes.
        var digits: UInt8 = 0
        for index in 0..<36 {
            digits &+= (ASCII.isDigit(name[index]) ? 1 : 0) &+ (ASCII.isHexLetter(name[index]) ? 1 : 0)
        }
        return digits == 32
    }
}
