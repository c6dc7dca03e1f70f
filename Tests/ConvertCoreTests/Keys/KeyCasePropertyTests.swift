import TestSupport
import Testing

@testable import ConvertEngine

struct KeyCasePropertyTests {
    @Test func `cases without inner capitals, and Train, are idempotent`() {
        var names = KeyNameGenerator(seed: 1)
        let targets: [KeyCase] = [.snakeCase, .screamingSnakeCase, .kebabCase, .trainCase, .dotCase, .flatCase]
        for _ in 0..<5_000 {
            let name = names.next()
            for target in targets {
                let rule = KeyCaseRule(target: target)
                let once = rule.converted(name)
                #expect(Array(rule.converted(once).utf8) == Array(once.utf8), "\(target.rawValue) of \(name)")
            }
        }
    }

    @Test func `simple keys are converted like the words of any key`() {
        var generator = SeededGenerator(seed: 5)
        var names = KeyNameGenerator(seed: 5)
        let pieces = ["_", "__", "a", "b2", "word", "9", "42nd", "x_y", "Z", "é", "-"]
        for _ in 0..<5_000 {
            let plain = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                pieces.randomElement(using: &generator)!
            }.joined()
            for name in [plain, names.next()] {
                for target in KeyCase.allCases {
                    // Text takes the long path; bytes take the short one where there is one.
                    let rule = KeyCaseRule(target: target)
                    #expect(rule.converted(Array(name.utf8)) == Array(rule.converted(name).utf8), "\(name)")
                }
            }
        }
    }

    @Test func `acronyms as listed keep Train idempotent`() {
        var names = KeyNameGenerator(seed: 2)
        let rule = KeyCaseRule(target: .trainCase, acronyms: ["ID", "URL", "iOS", "É名"], acronymStyle: .asListed)
        for _ in 0..<5_000 {
            let name = names.next()
            // The capital of a dotless i is that of an i: `ıd` and `id` are different words, but `ıd` is written `Id`.
            guard !name.unicodeScalars.contains("\u{131}") else { continue }
            let once = rule.converted(name)
            #expect(Array(rule.converted(once).utf8) == Array(once.utf8), "\(name)")
        }
    }

    @Test func `simple words are restored from camel and Pascal case`() {
        var generator = SeededGenerator(seed: 3)
        let snake = KeyCaseRule(target: .snakeCase)
        let hump = [KeyCaseRule(target: .camelCase), KeyCaseRule(target: .pascalCase)]
        let letters = Array("abcdefghijklmnopqrstuvwxyzéжλ")
        for _ in 0..<5_000 {
            let words = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                let length = Int.random(in: 2...8, using: &generator)
                return String((0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] })
            }
            let name = words.joined(separator: "_")
            for rule in hump { #expect(snake.converted(rule.converted(name)) == name) }
        }
    }

    /// Only separators and outer white space may go; all other characters of a key stay, except for their case.
    @Test func `every case keeps the letters and writes valid UTF-8`() {
        var names = KeyNameGenerator(seed: 4)
        let rules = KeyCase.allCases.flatMap { target in
            [KeyCaseRule(target: target), KeyCaseRule(target: target, acronyms: ["ID", "iOS", "s", "É", "U", "9名"])]
        }
        for _ in 0..<5_000 {
            let name = names.next()
            let expected = caseless(name)
            for rule in rules {
                let converted = String(validating: rule.converted(Array(name.utf8)), as: UTF8.self)
                #expect(converted.map(caseless) == expected, "\(rule.target.rawValue) of \(name)")
            }
        }
    }

    /// A key's letters, digits and symbols, without their case.
    ///
    /// Marks are removed, since the marks of a separator go with it. Iota is removed because it is the capital of a mark
    /// (U+0345).
    private func caseless(_ name: String) -> [Unicode.Scalar] {
        name.unicodeScalars
            .flatMap { $0.properties.lowercaseMapping.unicodeScalars }
            .flatMap { $0.properties.uppercaseMapping.unicodeScalars }
            .flatMap { $0.properties.lowercaseMapping.unicodeScalars }
            .filter { scalar in
                let properties = scalar.properties
                if "_-.ι".unicodeScalars.contains(scalar) || properties.isWhitespace { return false }
                return ![.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
            }
    }

    /// The time grows in proportion to the key's length; quadratic work would take hours here.
    @Test(.linearTime) func `the time for a long key is proportional to its length`() {
        let count = 1 << 16
        let acronyms =
            (1...KeyCaseRule.maxAcronymScalars).map { String(repeating: "Aa", count: $0 / 2) + "A" }
            + (0..<4_000).map { "X\($0)" } + [
                String(repeating: "aA", count: KeyCaseRule.maxAcronymScalars / 2 - 1) + "b"
            ]
        let rules = [
            KeyCaseRule(target: .snakeCase),
            KeyCaseRule(target: .camelCase, acronyms: acronyms, acronymStyle: .asListed),
        ]
        for unit in ["a", "A", "Aa", "名", "A\u{301}", "\u{301}", "a_", "_", "A名", "a1", "X39"] {
            let name = Array(String(repeating: unit, count: count / unit.utf8.count).utf8) + Array("AaA".utf8)
            for rule in rules {
                let converted = rule.converted(name)
                #expect(converted.count >= 3 && converted.count <= 2 * name.count)
            }
        }
    }
}
