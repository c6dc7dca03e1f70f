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
    /// The spelling of acronyms.
    package let acronymStyle: AcronymStyle
    /// Whether digits start a word.
    package let digits: DigitStyle
    /// The words that stay whole; nil if none are listed.
    let acronyms: AcronymIndex?

    /// Creates a rule. Acronyms that start with a separator, a symbol or a mark never match.
    package init(
        target: KeyCase, acronyms: [String] = [], acronymStyle: AcronymStyle = .title, digits: DigitStyle = .join
    ) {
        self.digits = digits
        self.target = target
        self.acronymStyle = acronymStyle
        self.acronyms = acronyms.isEmpty ? nil : AcronymIndex(acronyms)
    }

    /// Whether words begin only behind separators, and at capitals.
    var isPlain: Bool { acronyms == nil && digits == .join }

    /// The key in the target case, or the key itself if the rule does not apply to it.
    package func converted(_ name: String) -> String {
        String(decoding: converted(Array(name.utf8)), as: UTF8.self)
    }

    /// The key in the target case. `name` is unescaped UTF-8 of any length.
    ///
    /// A key that is not valid UTF-8 does not change, for example one with an encoded lone surrogate.
    package func converted(_ name: [UInt8]) -> [UInt8] {
        // A byte becomes at most four: a joint, and the three bytes of a listed letter such as `K` (Kelvin).
        [UInt8](capacity: name.count * 4 + Self.mostScalarBytes) { output in
            let isWritten = write(name.span, to: &output)
            precondition(isWritten)
        }
    }

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
