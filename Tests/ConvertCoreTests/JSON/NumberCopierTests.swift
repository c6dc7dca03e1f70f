import Testing

@testable import ConvertEngine

struct NumberCopierTests {
    private enum Outcome: Equatable {
        case ended(String)
        case open(String, isComplete: Bool)
        case bad(Int)
    }

    private static func copy(_ text: String, cut: Int) -> Outcome {
        let bytes = Array(text.utf8)
        var output = ByteBuffer()
        var state = NumberCopier.State.start
        var start = 0
        var hasEnded = false
        do throws(EngineError) {
            for end in [cut, bytes.count] where !hasEnded {
                var reader = ChunkReader(bytes.span.extracting(start..<end))
                hasEnded = try NumberCopier.copy(&reader, into: &output, &state)
                start = end
            }
        } catch { return .bad(start + error.position) }
        let copied = String(decoding: [UInt8](output), as: UTF8.self)
        return hasEnded ? .ended(copied) : .open(copied, isComplete: state.isComplete)
    }

    @Test func `numbers follow the grammar of RFC 8259, wherever they are cut`() {
        let long = String(repeating: "1234567890", count: 5)
        let rows: [(text: String, outcome: Outcome)] = [
            ("0", .open("0", isComplete: true)), ("-0", .open("-0", isComplete: true)),
            ("-", .open("-", isComplete: false)),
            ("1.", .open("1.", isComplete: false)), ("1.0", .open("1.0", isComplete: true)),
            ("1e", .open("1e", isComplete: false)), ("1E+", .open("1E+", isComplete: false)),
            ("1E-07", .open("1E-07", isComplete: true)), ("0e0", .open("0e0", isComplete: true)),
            ("1,", .ended("1")), ("0]", .ended("0")), ("00", .bad(1)), ("-01", .bad(2)),
            ("1.5.", .ended("1.5")),
            ("1e5.", .ended("1e5")), ("1e5e", .ended("1e5")), ("1-", .ended("1")), ("1+", .ended("1")),
            ("1 ", .ended("1")),
            ("-a", .bad(1)), ("--", .bad(1)), ("1.e", .bad(2)), ("1..", .bad(2)), ("1ee", .bad(2)), ("1e+-", .bad(3)),
            ("1e.", .bad(2)), ("1.\"", .bad(2)), ("-.", .bad(1)),
            (long, .open(long, isComplete: true)), (long + ".", .open(long + ".", isComplete: false)),
            ("-" + long + "." + long + "e" + long + "}", .ended("-" + long + "." + long + "e" + long)),
            (long + "." + long + "x", .ended(long + "." + long)),
            (long + "e-" + long + ":", .ended(long + "e-" + long)),
        ]
        for row in rows {
            for cut in 0...row.text.utf8.count {
                #expect(Self.copy(row.text, cut: cut) == row.outcome, "\(row.text) cut at \(cut)")
            }
        }
    }
}
