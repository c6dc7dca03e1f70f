import ConvertText
import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Keys that bypass the key cache, because it is too full, are written and checked as with a dictionary. Their errors read like those
/// of known keys.
struct PassingNamesTests {
    private static let profiles = 150
    /// The entries of a key cache that was never emptied, and that keys bypassed once it was half full.
    private static let entriesAtHalf = KeyCache.maxEntries / 2..<KeyCache.maxEntries * 3 / 4

    @Test func `keys without an entry in the key cache are handled like those with one`() throws {
        var maker = NameMaker(seed: 11)
        var (errors, passed) = (0, 0)
        for _ in 0..<Self.profiles {
            let target = KeyCase.allCases.randomElement(using: &maker.random)!
            let duplicates = ["error", "first", "keep"].randomElement(using: &maker.random)!
            let collisions = ["error", "first", "keep"].randomElement(using: &maker.random)!
            let keys = Bool.random(using: &maker.random) ? "\"keys\":\"\(target.rawValue)\"," : ""
            // Output is staged, although nothing is removed.
            let staging = Bool.random(using: &maker.random) ? #""records":{"at":"/never/*","onError":"skip"},"# : ""
            let plan = try Profile(
                """
                {\(keys)\(staging)"rename":{"renamed":"rn","/o/renamed_too":"rt"},
                 "on":{"duplicateKey":"\(duplicates)","collision":"\(collisions)"}}
                """
            ).compile(.forward)
            var used = Converter(plan)
            used.engine.keys.cache.roomyEntries = Int.random(in: 0...24, using: &maker.random)
            // Half full, so that keys bypass it, and never full, so that no key is forgotten.
            var roomy = Converter(plan)
            roomy.engine.keys.cache.roomyEntries = 3000
            let others = (0..<1600).map { "\"other\($0)\":0" }.joined(separator: ",")
            #expect(ConverterTrial(&roomy, Array("{\(others)}".utf8)).error == nil)
            let rule = KeyCaseRule(target: keys.isEmpty ? .preserve : target)
            for _ in 0..<3 {
                var document = ExpectedDocument(rule, duplicates: duplicates, collisions: collisions)
                document.object(depth: 3, at: "", &maker)
                let payload = Array(document.input.utf8)
                let cuts = maker.random.cuts(count: payload.count, most: 3)
                let trial = ConverterTrial(&used, payload, cuts: cuts)
                let roomyTrial = ConverterTrial(&roomy, payload, cuts: cuts)
                passed += roomy.engine.keys.passed.count
                #expect(roomyTrial.agrees(with: trial, otherWords: true), "\(document.input)")
                if let error = document.error {
                    errors += 1
                    #expect(trial.error?.code == error.code, "\(document.input)")
                    #expect(trial.error?.pointer == error.pointer, "\(document.input)")
                    #expect(trial.error?.offset == error.offset, "\(document.input)")
                    // The message and the rule are the same as from a converter that learns all keys.
                    #expect(roomyTrial.error == ConverterTrial(plan, payload).error, "\(document.input)")
                } else {
                    #expect(trial.error == nil, "\(trial) of \(document.input)")
                    #expect(trial.text == document.expected, "\(duplicates), \(collisions), \(document.input)")
                }
            }
        }
        #expect(errors > Self.profiles / 10 && passed > 0, "\(errors), \(passed)")
    }

    @Test(arguments: [#"{}"#, #"{"keys":"camelCase"}"#])
    func `keys of different lengths are not confused, whatever their first bytes`(profile: String) throws {
        let others = (0..<5000).map { #""n\#($0)":0"# }.joined(separator: ",")
        let pairs = [
            ("abcdefg", #"\u000fabcdefg"#), ("abcdef", #"\u000e\u0000abcdef"#),
            ("abcdefghjklmnop", #"\u0007bcdefgh\u0000jklmnop"#), ("abcdefg", #"abcdefg\u0000"#),
        ]
        for (first, second) in pairs {
            let payload = #"{\#(others),"\#(first)":1,"\#(second)":2}"#
            let trial = ConverterTrial(try Profile(profile).compile(.forward), Array(payload.utf8))
            #expect(trial.error == nil && trial.text.hasSuffix(":2}"), "\(first) and \(second)")
        }
    }

    @Test func `keys at the ends of pieces do not fill the key cache`() throws {
        var converter = Converter(try Profile(#"{"keys": "camelCase"}"#).compile(.forward), framing: .lines)
        var output = ByteBuffer()
        let value = String(repeating: "v", count: 300)
        var most = 0
        for number in 0..<6 * KeyCache.maxEntries {
            let ending = number == 0 ? "" : "\"\(value)\"}\n"
            try converter.convert(Array((ending + "{\"id_\(number)\":").utf8).span, into: &output)
            output.removeAll()
            most = max(most, converter.engine.keys.cache.entries.count)
        }
        #expect(most > KeyCache.maxEntries, "\(most)")
        #expect(most <= 2 * KeyCache.maxEntries + 4, "\(most)")
    }

    @Test func `keys at the ends of pieces do not fill minify's key cache, and errors name them`() throws {
        var converter = Converter(.minify(), framing: .lines)
        var output = ByteBuffer()
        let value = String(repeating: "v", count: 300)
        var most = 0
        let lines = 3 * KeyCache.maxEntries
        for number in 0..<lines {
            let ending = number == 0 ? "" : "\"\(value)\"}}\n"
            try converter.convert(
                Array((ending + "{\"outer_\(number)\": {\"id_\(number)\":").utf8).span, into: &output)
            #expect(output.bytes.count == ending.utf8.count + "{\"outer_\(number)\":{\"id_\(number)\":".utf8.count)
            output.removeAll()
            most = max(most, converter.engine.keys.cache.entries.count)
        }
        #expect(most > KeyCache.maxEntries / 2 && most <= KeyCache.maxEntries + 2, "\(most)")
        let error = #expect(throws: ConversionError.self) {
            try converter.convert(Array("\"a\u{1}\"}}".utf8).span, into: &output)
        }
        #expect(error?.pointer == "/outer_\(lines - 1)/id_\(lines - 1)")
        #expect(error?.line == lines)
    }

    @Test(arguments: ["camelCase", "snake_case", "preserve"])
    func `a key with an escape does not slow down the other keys`(target: String) throws {
        let plan = try Profile(#"{"keys": "\#(target)"}"#).compile(.forward)
        var converter = Converter(plan)
        let members = (0..<3 * KeyCache.maxEntries).map {
            $0 % 500 == 0 ? #""caf\u00e9\#($0)":0"# : #""anOther\#($0)":0"#
        }.joined(separator: ",")
        #expect(ConverterTrial(&converter, Array("{\(members)}".utf8)).error == nil)
        let entries = converter.engine.keys.cache.entries.count
        #expect(Self.entriesAtHalf.contains(entries), "\(entries)")
        // Any other spelling of a key that bypassed the cache is known to repeat it.
        for spelling in [#"anOther\u0039001"#, #"anOther9001"#] {
            let trial = ConverterTrial(&converter, Array(#"{\#(members),"\#(spelling)":1}"#.utf8))
            #expect(trial.error?.code == .duplicateKey, "\(spelling)")
            let first = ConverterTrial(&converter, Array(#"{"\#(spelling)":1,\#(members)}"#.utf8))
            #expect(first.error?.code == .duplicateKey, "\(spelling)")
        }
    }

    @Test func `an object with many different keys leaves the other keys in the key cache`() throws {
        let plan = try Profile(#"{"keys": "camelCase"}"#).compile(.forward)
        var converter = Converter(plan)
        let members = (0..<3 * KeyCache.maxEntries).map { #""id_\#($0)":{"first_name":1,"last_name":2}"# }
        let written = (0..<3 * KeyCache.maxEntries).map { #""id\#($0)":{"firstName":1,"lastName":2}"# }
        let trial = ConverterTrial(&converter, Array("{\(members.joined(separator: ","))}".utf8))
        #expect(trial.error == nil && trial.text == "{\(written.joined(separator: ","))}")
        // Each key makes two entries; half of the key cache is left for keys that come again.
        let entries = converter.engine.keys.cache.entries.count
        #expect(Self.entriesAtHalf.contains(entries), "\(entries)")
    }

    @Test func `keys that only resemble those of rules are not renamed`() throws {
        let rules = #""rename":{"identity_1":"a","/identity_22222":"b","/x/identity_4":"c"}"#
        var converter = Converter(try Profile(#"{"keys":"camelCase",\#(rules)}"#).compile(.forward))
        let count = 3 * KeyCache.maxEntries
        let members = (0..<count).map { #""identity_\#($0)":0"# }.joined(separator: ",")
        let trial = ConverterTrial(&converter, Array("{\(members)}".utf8))
        let written = (0..<count).map { $0 == 1 ? #""a":0"# : $0 == 22_222 ? #""b":0"# : #""identity\#($0)":0"# }
        #expect(trial.error == nil && trial.text == "{\(written.joined(separator: ","))}")
        let entries = converter.engine.keys.cache.entries.count
        #expect(Self.entriesAtHalf.contains(entries), "\(entries)")
    }

    @Test func `repeated keys enter the key cache, and replace the others in the end`() throws {
        let plan = try Profile("{}").compile(.forward)
        var converter = Converter(plan)
        converter.engine.keys.cache.roomyEntries = 64
        func object(_ names: [String]) -> [UInt8] {
            Array("{\(names.map { "\"\($0)\":0" }.joined(separator: ","))}".utf8)
        }
        let once = object((0..<40).map { "once\($0)" })
        #expect(ConverterTrial(&converter, once).error == nil)
        #expect(converter.engine.keys.cache.entries.count == 32)
        let again = object((0..<64).map { "again\($0)" })
        var emptyings = 0
        // Half of the keys are refused each time; 16,384 refusals empty the key cache.
        for _ in 0..<1200 {
            let before = converter.engine.keys.cache.entries.count
            #expect(ConverterTrial(&converter, again).output == again)
            if converter.engine.keys.cache.entries.count < before { emptyings += 1 }
        }
        #expect(emptyings > 0 && emptyings < 10, "\(emptyings)")
    }

    @Test(arguments: KeyCase.allCases) func `the cursor rewrites keys according to their words`(target: KeyCase) {
        var random = SeededGenerator(seed: 3)
        var names = KeyNameGenerator(seed: 3)
        let letters = Array("abcz019__-.AZ$".utf8)
        for length in 1...TokenCursor.maxRewrittenBytes {
            for kind in 0..<60 {
                let alphabet = kind % 3 == 0 ? letters.count : kind % 3 == 1 ? 9 : 4
                var name = (0..<length).map { _ in letters[Int.random(in: 0..<alphabet, using: &random)] }
                if kind % 10 == 9 { name = Array(names.next().utf8) }
                guard 1...TokenCursor.maxRewrittenBytes ~= name.count else { continue }
                let padding = [UInt8](repeating: 0, count: TokenCursor.turnBytes + 1)
                let text = [ASCII.quote] + name + [ASCII.quote, ASCII.colon] + padding
                let reader = ChunkReader(text.span, padding: padding.count)
                for distance in 1...2 {
                    let buffer = ByteBuffer(capacity: 2000)
                    let cursor = TokenCursor(reader, buffer)
                    let written = cursor.rewriteName(length: name.count, to: distance, by: KeyCaseRule(target: target))
                    let words = KeyCaseRule(target: target).converted(String(decoding: name, as: UTF8.self))
                    guard let written else {
                        #expect(words.utf8.count > TokenCursor.maxRewrittenBytes)
                        continue
                    }
                    #expect(written == words.utf8.count)
                    let hash = cursor.hashes(writtenAt: distance, length: written, seeds: (1, 2)).0
                    var expected = ByteBuffer()
                    expected.append(utf8: words)
                    expected.padWithSlack()
                    #expect(hash == expected.hash(from: 0, length: written, seed: 1), "\(words)")
                }
            }
        }
    }
}

/// Keys of all kinds, some of which repeat or have the same output key.
private struct NameMaker {
    var random: SeededGenerator
    private static let words = ["user", "first", "name", "id", "x", "a1", "9"]
    private static let symbols = ["@", "/", "$", ":"]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func name() -> String {
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return ["renamed", "renamed_too", "o", "rn"].randomElement(using: &random)!
        case 1: return ["a_b", "a__b", "aB", "a-b", "A_B", "ab"].randomElement(using: &random)!
        case 2: return String(Int.random(in: 0..<1000, using: &random))
        case 3: return words(joined: "").uppercased()
        case 4: return words(joined: Self.symbols.randomElement(using: &random)!)
        case 5: return words(joined: "é")
        case 6: return "12345678-ABCD-abcd-0123-\(Int.random(in: 100_000_000_000..<1_000_000_000_000, using: &random))"
        case 7: return (0..<Int.random(in: 1...30, using: &random)).map { "w\($0)" }.joined(separator: "_")
        case 8:
            let words = words(joined: "_").split(separator: "_").map { $0.capitalized }
            return words.joined()
        case 9: return "_" + words(joined: "__") + "_"
        default: return words(joined: "_")
        }
    }

    private mutating func words(joined separator: String) -> String {
        var words = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.words.randomElement(using: &random)! }
        if Bool.random(using: &random) { words.append(String(Int.random(in: 0..<30, using: &random))) }
        return words.joined(separator: separator)
    }
}

extension Substring {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}

/// A document with its expected output, computed with a dictionary of keys for each object.
private struct ExpectedDocument {
    private(set) var input = ""
    private(set) var expected = ""
    private(set) var error: (code: ConversionError.Code, pointer: String, offset: Int)?
    private let rule: KeyCaseRule
    private let duplicates: String
    private let collisions: String

    init(_ rule: KeyCaseRule, duplicates: String, collisions: String) {
        (self.rule, self.duplicates, self.collisions) = (rule, duplicates, collisions)
    }

    /// `pointer` leads to the object. Keys inside a member that is removed as a repetition are not rewritten.
    mutating func object(
        depth: Int, at pointer: String, isWritten: Bool = true, isRepetition: Bool = false, _ maker: inout NameMaker
    ) {
        var hasFallen: [String: Bool] = [:]
        var taken: Set<String> = []
        var isEmpty = true
        input += "{"
        if isWritten { expected += "{" }
        for number in 0..<Int.random(in: 0...14, using: &maker.random) {
            let name = maker.name()
            if number > 0 { input += "," }
            let offset = input.utf8.count
            let escaped = Int.random(in: 0..<40, using: &maker.random) == 0 ? "\\u006F" : nil
            input += "\"" + (escaped.map { name.replacing("o", with: $0) } ?? name) + "\":"
            var output = rule.converted(name)
            if name == "renamed" { output = "rn" }
            if name == "renamed_too", pointer == "/o" { output = "rt" }
            if isRepetition { output = name }
            var stays = true
            var repeats = isRepetition
            var code: ConversionError.Code?
            if let fell = hasFallen[name] {
                if duplicates == "error" { code = .duplicateKey }
                stays = duplicates == "keep" && !fell
                if duplicates == "first" { repeats = true }
            } else {
                if taken.contains(output) {
                    if collisions == "error" { code = .collision }
                    stays = collisions == "keep"
                }
                hasFallen[name] = !stays
                if stays { taken.insert(output) }
            }
            let memberPointer = pointer + "/" + name.replacing("/", with: "~1")
            if let code, error == nil { error = (code, memberPointer, offset) }
            let isWritten = isWritten && stays
            if isWritten {
                if !isEmpty { expected += "," }
                isEmpty = false
                let spelled = output == name && escaped != nil ? name.replacing("o", with: escaped!) : output
                expected += "\"\(spelled)\":"
            }
            if depth > 0, Int.random(in: 0..<3, using: &maker.random) == 0 {
                object(depth: depth - 1, at: memberPointer, isWritten: isWritten, isRepetition: repeats, &maker)
            } else {
                let value = ["1", "\"text\"", "null", "[]"].randomElement(using: &maker.random)!
                input += value
                if isWritten { expected += value }
            }
        }
        input += "}"
        if isWritten { expected += "}" }
    }
}
