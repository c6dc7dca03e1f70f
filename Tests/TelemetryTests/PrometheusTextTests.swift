import TestSupport
import Testing

@testable import Telemetry
@testable import Text

struct PrometheusTextTests {
    @Test func `families, samples and histograms follow the format's specification`() {
        var text = PrometheusText()
        text.family("things_total", .counter, "What \\ is\ncounted.")
        text.sample(3)
        text.sample(5, ["a": "x", "empty": "", "b": "y z"])
        text.family("moment_seconds", .gauge, "A moment.")
        text.sample(.seconds(nanoseconds: 1_500_000_000))
        let expected = """
            # HELP things_total What \\\\ is\\ncounted.
            # TYPE things_total counter
            things_total 3
            things_total{a="x",b="y z"} 5
            # HELP moment_seconds A moment.
            # TYPE moment_seconds gauge
            moment_seconds 1.5

            """
        #expect(String(decoding: text.bytes, as: UTF8.self) == expected)
    }

    @Test func `nanoseconds become seconds exactly`() {
        let rows: [(UInt64, String)] = [
            (0, "0"), (1, "0.000000001"), (10, "0.00000001"), (420_000, "0.00042"), (999_999_999, "0.999999999"),
            (1_000_000_000, "1"), (1_000_000_001, "1.000000001"), (90_000_000_000, "90"),
            // 2^64 - 1
            (.max, "18446744073.709551615"),
        ]
        for (nanoseconds, seconds) in rows {
            var text = PrometheusText()
            text.family("a", .gauge, "b")
            text.sample(.seconds(nanoseconds: nanoseconds))
            #expect(String(decoding: text.bytes, as: UTF8.self).hasSuffix("\na \(seconds)\n"), "\(nanoseconds)")
        }
    }

    /// Label values that show a missing escape rule.
    private static let hostile = [
        "plain", "\"", "\\", "\n", "\\n", "\\\"", "a\"} 1\nevil_total 1\n", "{}=,", " ", "\r\n", "é", "e\u{301}",
        "日本語", "😀", "\u{0}", "\u{2028}", "# HELP x y", "#", "\u{7F}", "x\\",
    ]

    @Test func `a parser of the format reads every label value unchanged`() throws {
        for value in Self.hostile {
            var text = PrometheusText()
            text.family("a_total", .counter, "b")
            text.sample(7, ["first": "1", "label": value, "last": "2"])
            let family = try #require(try ExpositionDocument(text.bytes)["a_total"])
            #expect(family.samples.count == 1)
            let found = try #require(family.samples.first?.labels["label"])
            #expect(Array(found.utf8) == Array(value.utf8), "\(value.debugDescription)")
            #expect(family.samples.first?.labels.count == 3)
        }
    }

    @Test(.enabled(if: PrometheusClient.isAvailable))
    func `Prometheus's own client reads every label value unchanged`() throws {
        // The client splits lines as Python's text files do, so a carriage return ends a line too.
        let values = Self.hostile.filter { !$0.utf8.contains(ASCII.carriageReturn) }
        var text = PrometheusText()
        text.family("a_total", .counter, "b")
        for (index, value) in values.enumerated() {
            text.sample(UInt64(index), ["label": value])
        }
        let outcome = try PrometheusClient.parse(text.bytes)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.text.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(lines.count == values.count)
        for (index, line) in lines.enumerated() {
            #expect(line[3] == "[('label', \(Self.python(values[index])))]")
            #expect(line[4] == "\(index).0")
        }
    }

    /// A text as Python's `ascii` spells it (Python language reference, string literals).
    private static func python(_ text: String) -> String {
        var spelling = ""
        for scalar in text.unicodeScalars {
            let hex = String(scalar.value, radix: 16)
            switch scalar {
            case "\\": spelling += "\\\\"
            case "\n": spelling += "\\n"
            case " "..."~": spelling.unicodeScalars.append(scalar)
            default:
                let (mark, digits) = scalar.value < 256 ? ("x", 2) : scalar.value < 65536 ? ("u", 4) : ("U", 8)
                spelling += "\\\(mark)" + String(repeating: "0", count: digits - hex.count) + hex
            }
        }
        return "'\(spelling)'"
    }
}
