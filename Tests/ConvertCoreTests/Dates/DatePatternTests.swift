import TestSupport
import Testing

@testable import ConvertEngine

struct DatePatternTests {
    @Test func `text that is not a pattern is refused at the position of the error`() {
        let rows: [(String, Int)] = [
            ("", 0), ("YYYY-MM-dd", 0), ("yyyy-MM-dd G", 11), ("yyyyy", 0), ("yyy", 0), ("MMMMMM", 0), ("DD", 0),
            ("ddd", 0), ("dd 'of MM", 3), ("dd b", 3), ("ss.SSSSSSSSSS", 3), ("HHH", 0), ("ZZZZ", 0), ("dd e", 3),
            ("dd VV", 3), (String(repeating: "-", count: 257), 0),
        ]
        for (text, offset) in rows {
            #expect(throws: DatePatternError.self, "\(text)") { try DatePattern(text) }
            do {
                _ = try DatePattern(text)
            } catch {
                #expect(error.offset == offset, "\(text)")
            }
        }
    }

    @Test func `a pattern of strftime and a minute for a month get a hint`() throws {
        let error = #expect(throws: DatePatternError.self) { try DatePattern("%Y-%m-%d") }
        #expect(error?.message.contains("write yyyy-MM-dd for %Y-%m-%d") == true)
        #expect(try DatePattern("dd.mm.yyyy").readingError?.contains("m is the minute") == true)
    }

    @Test func `a pattern with too few or too many fields is refused for reading`() throws {
        for text in [
            "HH:mm", "dd/MM", "MM/yyyy", "yyyy", "yyyy-DDD-MM-dd", "yyyy-MM-dd hh:mm", "yyyy-MM-dd HH:mm a",
            "yyyy-MM-dd mm", "yyyy-MM-dd HH:ss", "yyyy-MM-dd HH:mm.SSS", "yyyy-MM-dd XXX", "yyyy-MM-dd yy", "yyyyMd",
            "yyyy MMMMM dd", "EEEEE yyyy-MM-dd", "dMyyyy", "yyyy-MM-dd HH X z",
        ] {
            #expect(try DatePattern(text).readingError != nil, "\(text)")
        }
        for text in ["yyyyMMddHHmmssSSS", "d.M.y", "yyyyDDD", "h 'o''clock' a d MMM yy", "yyyy-MM-dd'T'HH:mm:ssZZZZZ"] {
            #expect(try DatePattern(text).readingError == nil, "\(text)")
        }
    }

    @Test func `a pattern reads its own output as the same time`() throws {
        let zone = try Zone(named: "America/St_Johns")
        var random = SeededGenerator(seed: 4)
        for text in [
            "yyyy-MM-dd HH:mm:ss.SSSSSSSSS XXX", "EEEE, d MMMM y h:m:s.SSSSSSSSS a Z", "yyyyDDD'T'kkmmss.SSSSSSSSSx",
            "X K:mm:ss.SSSSSSSSS a | EEE d MMM uuuu",
        ] {
            let pattern = DateForm.pattern(try DatePattern(text))
            for _ in 0..<500 {
                let instant = Instant(
                    seconds: Int64.random(in: -2_000_000_000...9_000_000_000, using: &random),
                    nanoseconds: Int32.random(in: 0...999_999_999, using: &random))
                var output = ByteBuffer()
                let isWritten = pattern.write(instant, zone: zone, precision: nil, into: &output)
                #expect(isWritten)
                let read = try pattern.read(string: output.bytes)?.instant(assuming: nil)
                #expect(read == instant, "\([UInt8](output))")
            }
        }
    }

    @Test func `only literals of a pattern can need escapes`() throws {
        for (text, expected) in [
            ("yyyy-MM-dd", false), ("dd/MM 'de' ~", false), ("\"yyyy\"", true), ("yyyy\\MM", true), ("yyyy年", false),
            ("yyyy\tMM", true), ("yyyy\u{7F}", false),
        ] {
            #expect(try DatePattern(text).mayNeedEscaping == expected, "\(text)")
        }
    }
}
