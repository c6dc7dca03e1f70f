import TestSupport

/// Keys with every class of scalar, weighted so that most of them have words.
///
/// Its letters have both an upper and a lower form; otherwise a rule cannot be idempotent.
struct KeyNameGenerator {
    private static let alphabet: [Unicode.Scalar] =
        Array("abcdeosABIDOSURL0199__-- .".unicodeScalars)
        + Array("éÉßẞİıςΣσжЖǄǅǆﬁᾳᾼაᲐ𐐀𐐨名のʰªⅧⅷ٣½\u{301}\u{308}\u{345}".unicodeScalars)
    /// Rarer, since one of them inside a key keeps the whole key unchanged.
    private static let symbols: [Unicode.Scalar] = Array("$@:[]/\u{0}\u{200D}\u{A0}\u{FE0F}❤€".unicodeScalars)

    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> String {
        var name = String.UnicodeScalarView()
        for position in 0..<Int.random(in: 0...16, using: &generator) {
            let isSymbol = Int.random(in: 0..<(position == 0 ? 4 : 40), using: &generator) == 0
            let source = isSymbol ? Self.symbols : Self.alphabet
            name.append(source[Int.random(in: 0..<source.count, using: &generator)])
        }
        return String(name)
    }
}
