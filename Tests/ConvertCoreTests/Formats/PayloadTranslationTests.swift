import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertFormats

/// Translation piece by piece gives the same result as in one call, and no piece is much larger than requested.
struct PayloadTranslationTests {
    /// The text or the error, and the number of calls.
    private static func translate(
        _ payload: [UInt8], _ format: PayloadFormat, _ limits: TranslationLimits = TranslationLimits(),
        work: () -> Int
    ) -> (result: Result<[UInt8], ConversionError>, calls: Int) {
        var translation = PayloadTranslation(of: payload, in: format, limits: limits)
        var calls = 0
        do throws(ConversionError) {
            repeat { calls += 1 } while try !translation.advance(by: work())
            return (.success([UInt8](translation.finish())), calls)
        } catch {
            return (.failure(error), calls)
        }
    }

    private static func whole(
        _ payload: [UInt8], _ format: PayloadFormat, _ limits: TranslationLimits = TranslationLimits()
    ) -> Result<[UInt8], ConversionError> {
        do throws(ConversionError) {
            return .success(try format.json(of: payload, limits: limits))
        } catch {
            return .failure(error)
        }
    }

    @Test func `pieces of any size give the same as one piece`() {
        for (format, payload) in FormatSamples.all {
            let expected = Self.whole(payload, format)
            for size in [1, 2, 3, 7, 16, 61, .max] {
                let found = Self.translate(payload, format, work: { size })
                #expect(found.result == expected, "\(size): \(String(decoding: payload, as: UTF8.self))")
            }
        }
    }

    @Test func `limits apply equally for pieces of any size`() {
        var limits = TranslationLimits()
        limits.maxDepth = 2
        limits.maxKeyBytes = 3
        limits.maxTextBytes = 20
        limits.maxFormNodes = 3
        var errors = 0
        for (format, payload) in FormatSamples.all {
            let expected = Self.whole(payload, format, limits)
            if case .failure(let error) = expected, error.code == .limit { errors += 1 }
            #expect(Self.translate(payload, format, limits, work: { 1 }).result == expected)
        }
        #expect(errors > 10)
    }

    @Test func `damaged payloads give the same text or error in random pieces`() {
        var random = SeededGenerator(seed: 2026)
        let damage = Array("<>/&;=%+[]!-\"'? \n0aé".utf8) + [0x00, 0x80, 0xC3, 0xE2, 0xF0, 0xFF]
        var errors = 0
        let count = TestVariable.number("CONVERT_MUTANTS", 4_000)
        for number in 0..<count {
            var (format, payload) = FormatSamples.all[number % FormatSamples.all.count]
            for _ in 0..<Int.random(in: 1...3, using: &random) where !payload.isEmpty {
                let position = Int.random(in: 0..<payload.count, using: &random)
                let byte = damage.randomElement(using: &random) ?? 0
                switch Int.random(in: 0...4, using: &random) {
                case 0: payload[position] = byte
                case 1: payload.insert(byte, at: position)
                case 2: payload.remove(at: position)
                case 3: payload.insert(contentsOf: payload[position...].prefix(40), at: position)
                default: payload.removeSubrange(position...)
                }
            }
            let expected = Self.whole(payload, format)
            if case .failure = expected { errors += 1 }
            let found = Self.translate(payload, format, work: { Int.random(in: 1...40, using: &random) })
            #expect(found.result == expected, "\(format): \(payload)")
        }
        #expect(errors > count / 4 && errors < count, "\(errors)")
    }

    /// Long values are cut, so there are at least as many calls as the payload has pieces.
    @Test func `one element of megabytes is read in pieces`() {
        let count = 1 << 20
        let piece = 16 * 1024
        func run(of text: String) -> String { String(repeating: text, count: count / text.utf8.count) }
        let x = run(of: "x")
        var units: [UInt8] = []
        for _ in 0..<(count / 2) { units += [0x00, 0x78] }
        /// A list of one string or data value, with a count of four bytes and an offset of one.
        func object(_ marker: UInt8, _ number: Int, _ content: [UInt8]) -> [UInt8] {
            func bigEndian(_ value: Int, _ size: Int) -> [UInt8] {
                (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            }
            let list = Array("bplist00".utf8) + [marker | 15, 0x12] + bigEndian(number, 4) + content
            return list + [8] + [0, 0, 0, 0, 0, 0, 1, 1] + bigEndian(1, 8) + bigEndian(0, 8) + bigEndian(list.count, 8)
        }
        let rows: [(payload: [UInt8], format: PayloadFormat, text: String)] = [
            (Array("a=\(x)".utf8), .form, "{\"a\":\"\(x)\"}"),
            (Array("a=\(run(of: "%41"))".utf8), .form, "{\"a\":\"\(String(repeating: "A", count: count / 3))\"}"),
            (Array(run(of: "&").utf8), .form, "{}"),
            (Array("<plist><string>\(x)</string></plist>".utf8), .plist, "\"\(x)\""),
            (
                Array("<plist><string>\(run(of: "&#120;"))</string></plist>".utf8), .plist,
                "\"\(String(x.prefix(count / 6)))\""
            ),
            (Array("<plist><string><![CDATA[\(x)]]></string></plist>".utf8), .plist, "\"\(x)\""),
            (Array("<plist><!-- \(run(of: ">"))--><true/></plist>".utf8), .plist, "true"),
            (Array("<plist>\(run(of: " "))<true/></plist>".utf8), .plist, "true"),
            (Array("<plist><true a\(run(of: "=\"\""))/></plist>".utf8), .plist, "true"),
            (Array("<!DOCTYPE plist \(run(of: "''"))><plist><true/></plist>".utf8), .plist, "true"),
            (Array("<plist><true>\(run(of: "\n"))</true></plist>".utf8), .plist, "true"),
            (Array("<plist><integer>\(run(of: "7"))</integer></plist>".utf8), .plist, run(of: "7")),
            (Array("<plist><data>\(run(of: "AAAA"))</data></plist>".utf8), .plist, "\"\(run(of: "AAAA"))\""),
            (object(0x50, count, Array(x.utf8)), .plist, "\"\(x)\""),
            (object(0x60, count / 2, units), .plist, "\"\(String(x.prefix(count / 2)))\""),
            (
                object(0x40, count, [UInt8](repeating: 0, count: count)), .plist,
                "\"\(String(repeating: "A", count: (count + 2) / 3 * 4 - 2))==\""
            ),
        ]
        for (payload, format, text) in rows {
            let head = String(decoding: payload.prefix(40), as: UTF8.self)
            let found = Self.translate(payload, format, work: { piece })
            // Not shown when it differs, because of its length.
            let isWhole = found.result == .success(Array(text.utf8))
            #expect(isWhole, "\(head)")
            #expect(found.calls >= count / piece, "\(head): \(found.calls)")
        }
    }

    @Test func `very long names are refused, and small fields are read in pieces`() {
        let brackets = Array(("a" + String(repeating: "[]", count: 1_000_000) + "=1").utf8)
        let error = ConversionError(
            code: .limit, message: "a key is longer than 65536 bytes", offset: 0, line: 1, column: 1, pointer: "")
        let found = Self.translate(brackets, .form, work: { 16 * 1024 })
        #expect(found.result == .failure(error))
        #expect(found.calls > 100)

        let fields = (0..<40_000).map { "f\($0)=\($0)" }.joined(separator: "&")
        let text = "{" + (0..<40_000).map { "\"f\($0)\":\"\($0)\"" }.joined(separator: ",") + "}"
        let many = Self.translate(Array(fields.utf8), .form, work: { 4096 })
        let isWhole = many.result == .success(Array(text.utf8))
        #expect(isWhole)
        #expect(many.calls > 2 * 40_000 * 10 / 4096)
    }

    /// An error has the line and column of its byte, however far into the payload.
    @Test func `errors count lines and columns`() {
        let lines = String(repeating: "\n", count: 100_000)
        let rows: [(payload: String, format: PayloadFormat, offset: Int, line: Int, column: Int)] = [
            ("a=\(lines)%zz", .form, 100_002, 100_001, 1), ("a=%41%41\(lines)é%FF", .form, 100_010, 100_001, 3),
            ("<plist>\(lines) <x/></plist>", .plist, 100_008, 100_001, 2),
            ("<plist>\(lines)<string>&x;</string></plist>", .plist, 100_015, 100_001, 9),
        ]
        for row in rows {
            guard case .failure(let error) = Self.whole(Array(row.payload.utf8), row.format) else {
                Issue.record("accepted: \(row.payload.suffix(20))")
                continue
            }
            #expect((error.offset, error.line, error.column) == (row.offset, row.line, row.column))
        }
    }
}
