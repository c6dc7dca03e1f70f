import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertCodable

struct SerializedPropertyListTests {
    /// The value that is written, and that Foundation and Python must read back.
    private struct Model: Codable, Hashable {
        var text = "é <&> \"😀\"\n\tend"
        var ascii = String(repeating: "a", count: 300)
        var numbers = [0, 1, -1, 255, 256, 65_536, 1 << 40, Int(Int32.min), Int.max, Int.min]
        var unsigned = UInt64.max
        var reals = [0.5, -1.25e-7, 1e300]
        var flags = [true, false]
        var when = Date(timeIntervalSinceReferenceDate: 742_667_400)
        var bytes = Data([0, 1, 2, 254, 255])
        var empty: [String: [Int]] = ["none": []]
    }

    private static let serializer = ValueSerializer<Model>.object {
        Model(
            text: $0, ascii: $1, numbers: $2, unsigned: $3, reals: $4, flags: $5, when: $6, bytes: Data($7), empty: $8)
    } fields: {
        Field("text", \.text, .string)
        Field("ascii", \.ascii, .string)
        Field("numbers", \.numbers, .array(of: .integer))
        Field("unsigned", \.unsigned, .integer)
        Field("reals", \.reals, .array(of: .double))
        Field("flags", \.flags, .array(of: .boolean))
        Field("when", \.when, .date())
        Field("bytes", { [UInt8]($0.bytes) }, .data)
        Field("empty", \.empty, .dictionary(of: .array(of: .integer)))
    }

    @Test func `Foundation reads our property lists, in both formats`() throws {
        for format in PropertyListFormat.allCases {
            let file = try Self.serializer.propertyList(from: Model(), format)
            #expect(try PropertyListDecoder().decode(Model.self, from: Data(file)) == Model(), "\(format)")
        }
    }

    @Test func `property lists by Foundation are read, in both formats`() throws {
        for format in [PropertyListDecoder.PropertyListFormat.xml, .binary] {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = format
            let file = Array(try encoder.encode(Model()))
            #expect(try Self.serializer.value(fromPropertyList: file) == Model(), "\(format)")
        }
    }

    @Test func `written property lists are read again, in both formats`() throws {
        for format in PropertyListFormat.allCases {
            let file = try Self.serializer.propertyList(from: Model(), format)
            #expect(try Self.serializer.value(fromPropertyList: file) == Model(), "\(format)")
        }
    }

    @Test func `carriage returns are restored, though XML reads a raw one as a line feed`() throws {
        for format in PropertyListFormat.allCases {
            let file = try ValueSerializer.string.propertyList(from: "a\r\nb\r", format)
            #expect(try ValueSerializer.string.value(fromPropertyList: file) == "a\r\nb\r", "\(format)")
            #expect(try PropertyListDecoder().decode(String.self, from: Data(file)) == "a\r\nb\r", "\(format)")
        }
    }

    @Test func `two Unicode forms of one character stay two different texts`() throws {
        let texts = ["\u{E9}", "e\u{301}"]
        for format in PropertyListFormat.allCases {
            let file = try ValueSerializer.array(of: .string).propertyList(from: texts, format)
            let read = try PropertyListDecoder().decode([String].self, from: Data(file))
            #expect(read.map { Array($0.utf8) } == texts.map { Array($0.utf8) }, "\(format)")
        }
        #expect(SerializedValue.string(texts[0]) != .string(texts[1]))
        #expect(SerializedValue.object([.init(texts[0], 1)]) != .object([.init(texts[1], 1)]))
        #expect(Set(texts.map { SerializedValue.string($0) }).count == 2)
    }

    @Test func `many equal values are read again, even very long ones`() throws {
        let rows = [
            (String(repeating: "x", count: 1_000), 4_000), (String(repeating: "\u{1}", count: 40), 12_000),
            (String(repeating: "\"", count: 96), 12_000), (String(repeating: "é", count: 48), 12_000),
        ]
        for (text, count) in rows {
            let texts = Array(repeating: text, count: count)
            let file = try ValueSerializer.array(of: .string).propertyList(from: texts, .binary)
            #expect(try ValueSerializer.array(of: .string).value(fromPropertyList: file) == texts)
        }
        let bytes = Array(repeating: [UInt8](repeating: 7, count: 500), count: 4_000)
        let file = try ValueSerializer.array(of: .data).propertyList(from: bytes, .binary)
        #expect(try ValueSerializer.array(of: .data).value(fromPropertyList: file) == bytes)
        // Equal short texts share one object, so each element takes a byte or two. Foundation reads that as well.
        let short = Array(repeating: "x", count: 1_000)
        let small = try ValueSerializer.array(of: .string).propertyList(from: short, .binary)
        #expect(small.count < 1_100)
        #expect(try PropertyListDecoder().decode([String].self, from: Data(small)) == short)
    }

    @Test func `a number that a double would round is not written to a binary file`() throws {
        let decimals = ValueSerializer<Decimal>.decimal
        for text in ["12345678901234567890.123", "0.1234567890123456789"] {
            let decimal = try #require(Decimal(string: text))
            #expect(throws: SerializationError.self, "\(text)") { try decimals.propertyList(from: decimal, .binary) }
            let file = try decimals.propertyList(from: decimal, .xml)
            #expect(try decimals.value(fromPropertyList: file) == decimal)
        }
        for text in ["0.1", "1.10", "-2.5e-7", "123456789.125"] {
            let decimal = try #require(Decimal(string: text))
            let file = try decimals.propertyList(from: decimal, .binary)
            #expect(try decimals.value(fromPropertyList: file) == decimal, "\(text)")
        }
    }

    @Test func `numbers and dates that cannot be read again are not written`() {
        let numbers = ["", "1</real><true/><real>1", "0x10", "+1", "nan", "inf", "1.", " 1", "18446744073709551616"]
        for format in PropertyListFormat.allCases {
            for number in numbers {
                let error = #expect(throws: SerializationError.self, "\(format) \(number)") {
                    try ValueSerializer.any.propertyList(from: .array([.number(number)]), format)
                }
                #expect(error?.pointer == "/0")
            }
            for seconds in [Double.nan, .infinity, 1e12, -1e12] {
                let error = #expect(throws: SerializationError.self, "\(format) \(seconds)") {
                    try ValueSerializer.date().propertyList(from: Date(timeIntervalSince1970: seconds), format)
                }
                #expect(error?.expected == "a date in the years 0001 to 9999")
            }
        }
        // A number too small for a double is not zero.
        #expect(throws: SerializationError.self) {
            try ValueSerializer.any.propertyList(from: .number("1e-400"), .binary)
        }
        #expect(throws: SerializationError.self) { try ValueSerializer.double.value(fromJSON: Array("1e-400".utf8)) }
    }

    @Test(.enabled(if: PythonReference.isAvailable))
    func `Python reads our property lists, with members in order`() throws {
        let script = """
            import json, plistlib, sys
            value = plistlib.loads(sys.stdin.buffer.read())
            print(json.dumps(value, default=lambda v: v.hex() if isinstance(v, bytes) else v.isoformat()))
            """
        let value = SerializedValue.object([
            .init("z", .array([.integer(1), .number("-2.5"), .boolean(true)])), .init("a", .data([1, 255])),
            .init("m", .date(Date(timeIntervalSinceReferenceDate: 0))), .init("", .object([.init("é", .string("€<"))])),
        ])
        for format in PropertyListFormat.allCases {
            let file = try ValueSerializer.any.propertyList(from: value, format)
            let result = try ChildProcess(command: "python3", ["-c", script], input: .bytes(file)).run()
            let expected =
                #"{"z": [1, -2.5, true], "a": "01ff", "m": "2001-01-01T00:00:00", "": {"\u00e9": "\u20ac<"}}"#
            #expect(result.text == expected + "\n", "\(format): \(result.errors)")
        }
    }

    @Test func `XML is written as by Apple's tools`() throws {
        let value = SerializedValue.object([
            .init("b", .string("x & y")), .init("a", .array([.integer(1), .object([]), .array([])])),
        ])
        let expected = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key>b</key>
            \t<string>x &amp; y</string>
            \t<key>a</key>
            \t<array>
            \t\t<integer>1</integer>
            \t\t<dict/>
            \t\t<array/>
            \t</array>
            </dict>
            </plist>

            """
        #expect(String(decoding: try ValueSerializer.any.propertyList(from: value), as: UTF8.self) == expected)
    }

    @Test func `a value without a form in property lists is an error with its path`() {
        let rows: [(value: SerializedValue, found: String)] = [
            (.null, "null"), (.number("18446744073709551616"), "a larger"),
        ]
        for row in rows {
            for format in PropertyListFormat.allCases {
                let value = SerializedValue.object([
                    .init("x", .boolean(true)), .init("a", .array([.integer(1), row.value])),
                ])
                let error = #expect(throws: SerializationError.self) {
                    try ValueSerializer.any.propertyList(from: value, format)
                }
                #expect(error?.pointer == "/a/1")
                #expect(error?.found.hasPrefix(row.found) == true)
            }
        }
        #expect(throws: SerializationError.self) { try ValueSerializer.string.propertyList(from: "\u{1}", .xml) }
        #expect(throws: SerializationError.self) { try ValueSerializer.any.json(from: .array([.data([])])) }
    }

    @Test func `truncated and changed files are either read or refused`() throws {
        var random = SeededGenerator(seed: 7)
        for format in PropertyListFormat.allCases {
            let file = try Self.serializer.propertyList(from: Model(), format)
            for _ in 0..<3_000 {
                var changed = file
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let index = Int.random(in: changed.indices, using: &random)
                    changed[index] = UInt8.random(in: .min ... .max, using: &random)
                }
                if Bool.random(using: &random) { changed.removeLast(Int.random(in: 0..<changed.count, using: &random)) }
                do throws(SerializationError) {
                    _ = try ValueSerializer.any.value(fromPropertyList: changed)
                } catch {
                    #expect(error.expected == "a property list")
                }
            }
        }
    }
}
