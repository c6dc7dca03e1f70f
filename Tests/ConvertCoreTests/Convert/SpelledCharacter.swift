import TestSupport

@testable import ConvertEngine

/// One spelling of a character or a piece of text, with the expected text of the other modes (profile format: minimal and ASCII text).
struct SpelledCharacter {
    var preserve: String
    var minimal: String
    var ascii: String

    init(_ preserve: String, _ minimal: String, _ ascii: String? = nil) {
        self.preserve = preserve
        self.minimal = minimal
        self.ascii = ascii ?? minimal
    }

    func text(_ escapes: OutputOptions.Escapes) -> String {
        switch escapes {
        case .preserve: preserve
        case .minimal: minimal
        case .ascii: ascii
        }
    }

    static let loneHigh = SpelledCharacter("\\uD83D", "\\ud83d")
    static let loneLow = SpelledCharacter("\\uDE00", "\\ude00")
    static let all: [SpelledCharacter] = [
        .init("plain", "plain"),
        .init("a text longer than one block of bytes", "a text longer than one block of bytes"),
        .init("\\\"", "\\\""), .init("\\\\", "\\\\"), .init("\\/", "/"), .init("\\b", "\\b"), .init("\\f", "\\f"),
        .init("\\n", "\\n"), .init("\\r", "\\r"), .init("\\t", "\\t"), .init("\\u0041", "A"), .init("\\u000a", "\\n"),
        .init("\\u0000", "\\u0000"), .init("\\u001F", "\\u001f"), .init("\\u0022", "\\\""), .init("\\u005C", "\\\\"),
        .init("\\u007f", "\u{7F}"), .init("\u{7F}", "\u{7F}"), .init("é", "é", "\\u00e9"),
        .init("\\u00E9", "é", "\\u00e9"),
        .init("語", "語", "\\u8a9e"), .init("\u{2028}", "\u{2028}", "\\u2028"), .init("😀", "😀", "\\ud83d\\ude00"),
        .init("\\uD83D\\uDE00", "😀", "\\ud83d\\ude00"),
        .init("\\ud83d\\ud83d\\ude00", "\\ud83d😀", "\\ud83d\\ud83d\\ude00"),
        loneHigh, loneLow, .init("\\udbff\\udfff", "\u{10FFFF}", "\\udbff\\udfff"),
        .init("\\ud7ff", "\u{D7FF}", "\\ud7ff"),
        .init("\\ue000", "\u{E000}", "\\ue000"), .init("/", "/"),
    ]

    /// Characters in a row. A high surrogate never comes before a low one, since the two make a pair.
    static func rows(_ count: Int) -> [[SpelledCharacter]] {
        var random = SeededGenerator(seed: 83)
        return (0..<count).map { _ in
            var row: [SpelledCharacter] = []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let character = all.randomElement(using: &random)!
                let isPair = row.last?.preserve == loneHigh.preserve && character.preserve == loneLow.preserve
                if !isPair { row.append(character) }
            }
            return row
        }
    }
}
