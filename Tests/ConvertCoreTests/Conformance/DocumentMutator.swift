import TestSupport

/// Small JSON documents, most of them damaged at a few positions. The same seed gives the same documents.
///
/// The documents avoid four things that JSONDecoder checks by other rules than RFC 8259's grammar. The acceptance corpus covers
/// them:
/// - an exponent has at most two digits, since JSONDecoder refuses numbers that a Double cannot hold;
/// - a zero has no exponent, since JSONDecoder refuses `0e5` and `-0.0e+9` (and takes `-0e5`);
/// - a `\u` escape never begins with `d`, since JSONDecoder refuses lone surrogates;
/// - none of the first four bytes is NUL, since JSONDecoder guesses UTF-16 and UTF-32 from that.
struct DocumentMutator {
    private var random: SeededGenerator
    private var nameCount = 0

    /// The bytes that damage a document: structure, pieces of tokens, valid and invalid white space, broken UTF-8.
    private static let damage: [UInt8] =
        Array("{}[]:,\"\\ \t\r\n0123456789.-+eEtrufalsn/bux'#*".utf8) + [0x0B, 0x0C, 0x00, 0x1F, 0x7F, 0x80, 0xBF]
        + [0xC0, 0xC3, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF]

    private static let scalars = [
        "0", "-0", "1", "-12", "3.25", "-0.5e+3", "7E-2", "1e5", "123456789012", "true", "false", "null", #""""#,
        #""plain""#,
        #""\"\\\/\b\f\n\r\t""#, #""\u00e9\uABcf""#, "\"é語😀\"", "\"\u{7F}\u{2028}\"", #""0123456789abcdef""#,
    ]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The next document; about one in four is not damaged.
    mutating func next() -> [UInt8] {
        nameCount = 0
        var bytes: [UInt8] = []
        appendValue(depth: 3, to: &bytes)
        for _ in 0..<Int.random(in: 0...3, using: &random) { damage(&bytes) }
        return Self.normalised(bytes)
    }

    private mutating func appendValue(depth: Int, to bytes: inout [UInt8]) {
        switch depth == 0 ? 9 : Int.random(in: 0...9, using: &random) {
        case 0...2: appendContainer(depth: depth, named: true, to: &bytes)
        case 3...5: appendContainer(depth: depth, named: false, to: &bytes)
        default: bytes += Array(Self.scalars.randomElement(using: &random)!.utf8)
        }
        if Int.random(in: 0...7, using: &random) == 0 { bytes.append(" \t\r\n".utf8.randomElement(using: &random)!) }
    }

    private mutating func appendContainer(depth: Int, named: Bool, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: named ? "{" : "["))
        for number in 0..<Int.random(in: 0...3, using: &random) {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            if named {
                bytes += Array("\"k\(nameCount)\":".utf8)
                nameCount += 1
            }
            appendValue(depth: depth - 1, to: &bytes)
        }
        bytes.append(UInt8(ascii: named ? "}" : "]"))
    }

    private mutating func damage(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let position = Int.random(in: 0..<bytes.count, using: &random)
        let byte = Self.damage.randomElement(using: &random)!
        switch Int.random(in: 0...9, using: &random) {
        case 0...2: bytes[position] = byte
        case 3...5: bytes.insert(byte, at: position)
        case 6, 7: bytes.remove(at: position)
        case 8:
            let end = min(bytes.count, position + Int.random(in: 1...8, using: &random))
            bytes.insert(contentsOf: bytes[position..<end], at: Int.random(in: 0...bytes.count, using: &random))
        default: bytes.removeSubrange(position...)
        }
    }

    /// The document without the four things named above.
    private static func normalised(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var exponentDigits: Int?
        for byte in bytes {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            if let digits = exponentDigits, isDigit {
                exponentDigits = digits + 1
                if digits >= 2 { continue }
            } else if byte | 0x20 == UInt8(ascii: "e") {
                exponentDigits = 0
            } else if !(exponentDigits == 0 && (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"))) {
                exponentDigits = nil
            }
            result.append(replacement(for: byte, after: result))
        }
        return result
    }

    private static func replacement(for byte: UInt8, after result: [UInt8]) -> UInt8 {
        let last = result.suffix(2)
        switch byte {
        case UInt8(ascii: "d"), UInt8(ascii: "D"):
            return last.elementsEqual("\\u".utf8) ? UInt8(ascii: "0") : byte
        case UInt8(ascii: "e"), UInt8(ascii: "E"):
            let number = result.reversed().prefix { "0123456789.-".utf8.contains($0) }
            let isZero = number.first == UInt8(ascii: "0") && !number.contains { "123456789".utf8.contains($0) }
            return isZero ? UInt8(ascii: ".") : byte
        case 0:
            return result.count < 4 ? 0x01 : byte
        default:
            return byte
        }
    }
}
