import FoundationEssentials
import Testing

@testable import ConvertCodable
@testable import ConvertProfiles

struct ValueSerializerTests {
    private struct Person: Hashable {
        var name: String
        var id: UUID
        var home: URL
        var friends: [UUID]
        var seen: Date?
        var titles: [String: String]
    }

    private static let id = UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")

    private static let serializer = ValueSerializer<Person>.object(Person.init) {
        Field("name", \.name, .string)
        Field("id", \.id, .uuid)
        Field("home", \.home, .url(relativeTo: "https://a.example"))
        Field("friends", \.friends, .array(of: .uuid))
        Field("seen", \.seen, .optional(.date(.epochSeconds)))
        Field("titles", \.titles, .dictionary(of: .string).whenAbsent([:]))
    }

    private static func error<Value>(
        _ serializer: ValueSerializer<Value>, _ json: String
    ) -> SerializationError? {
        do throws(SerializationError) {
            _ = try serializer.value(fromJSON: Array(json.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func `an object is encoded in the order of its fields and decoded again`() throws {
        let id = try #require(Self.id)
        let json =
            #"{"name":"Ada","id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","home":"/ada?x=1","friends":["6ba7b810-9dad-11d1-80b4-00c04fd430c8"],"seen":86400,"titles":{"de":"Frau","fr":"Mme"}}"#
        let person = try Self.serializer.value(fromJSON: Array(json.utf8))
        let home = try #require(URL(string: "https://a.example/ada?x=1"))
        let expected = Person(
            name: "Ada", id: id, home: home, friends: [id], seen: Date(timeIntervalSince1970: 86_400),
            titles: ["fr": "Mme", "de": "Frau"])
        #expect(person == expected)
        #expect(String(decoding: try Self.serializer.json(from: person), as: UTF8.self) == json)
    }

    @Test func `a nil member is omitted, and a missing or null one is nil`() throws {
        for seen in ["", #","seen":null"#] {
            let json =
                #"{"name":"A","id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","home":"http://b.example","friends":[]"#
            let person = try Self.serializer.value(fromJSON: Array((json + seen + "}").utf8))
            #expect(person.seen == nil)
            #expect(String(decoding: try Self.serializer.json(from: person), as: UTF8.self) == json + #","titles":{}}"#)
        }
    }

    @Test func `errors have the expected and the found value and the path`() {
        let valid = #""name":"A","id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","home":"http://b.example","#
        let rows: [(json: String, error: SerializationError)] = [
            ("[]", .init(expected: "an object", found: "an array")),
            (#"{"name":1}"#, .init(expected: "a string", found: "a number", pointer: "/name")),
            (#"{"name":null}"#, .init(expected: "a string", found: "null", pointer: "/name")),
            (#"{"id":""}"#, .init(expected: "a string", found: "nothing", pointer: "/name")),
            (#"{"name":"A","id":"x"}"#, .init(expected: "a UUID", found: "another string", pointer: "/id")),
            (
                #"{"# + valid + #""friends":[true]}"#,
                .init(expected: "a UUID", found: "a boolean", pointer: "/friends/0")
            ),
            (
                #"{"# + valid + #""friends":[],"titles":{"a/b~":[]}}"#,
                .init(expected: "a string", found: "an array", pointer: "/titles/a~1b~0")
            ),
            (
                #"{"# + valid + #""friends":[],"seen":"yesterday"}"#,
                .init(expected: "a date in the format epoch-s", found: "a string", pointer: "/seen")
            ),
            (#"{"name":"A","name":"B"}"#, .init(expected: "a key once", found: "it twice", pointer: "/name")),
            (
                "{",
                .init(
                    expected: "JSON",
                    found:
                        "an error on line 1, column 2 (expected a key in double quotes, found the end of the document)")
            ),
        ]
        for row in rows { #expect(Self.error(Self.serializer, row.json) == row.error, "\(row.json)") }
    }

    @Test func `a URL outside of the base stays whole, even if it resembles the base`() throws {
        let serializer = ValueSerializer<URL>.url(relativeTo: "https://a.example/")
        // Each row: the text that is read, the URL that it gives, and the text that is written.
        let rows = [
            ("/x/y", "https://a.example/x/y", "/x/y"),
            ("https://a.example/x", "https://a.example/x", "/x"),
            ("https://a.example.org/x", "https://a.example.org/x", "https://a.example.org/x"),
            ("https://a.example", "https://a.example", "https://a.example"),
            ("http://a.example/x", "http://a.example/x", "http://a.example/x"),
            ("https://a.example//x", "https://a.example//x", "https://a.example//x"),
            ("mailto:a@b.example", "mailto:a@b.example", "mailto:a@b.example"),
        ]
        for (read, url, written) in rows {
            let value = try serializer.deserialize(.string(read), from: .json)
            #expect(value.absoluteString == url)
            #expect(try serializer.serialize(value, for: .json) == .string(written))
        }
        for text in ["x/y", "", "//b.example/x", "http://a b", "%zz:"] {
            #expect(throws: SerializationError.self) { try serializer.deserialize(.string(text), from: .json) }
        }
    }

    @Test func `a URL without a scheme is not written, because it could not be restored`() throws {
        for text in ["x", "/x", "//a.example/x", "?q"] {
            let url = try #require(URL(string: text))
            let expected = SerializationError(expected: "a URL with a scheme", found: "another URL")
            #expect(throws: expected) { try ValueSerializer.url.json(from: url) }
            #expect(throws: expected) { try ValueSerializer.url(relativeTo: "https://a.example").json(from: url) }
        }
        // A URL that is relative to a base of its own has a scheme.
        let url = try #require(URL(string: "/x", relativeTo: URL(string: "https://a.example/y")))
        let file = try ValueSerializer.url(relativeTo: "https://a.example").json(from: url)
        #expect(String(decoding: file, as: UTF8.self) == #""/x""#)
    }

    @Test func `dates are read and written in the formats of profiles`() throws {
        // 2024-07-14T16:30:00Z is 1,720,974,600 seconds after 1970 (date -u -d 2024-07-14T16:30:00Z +%s).
        let date = Date(timeIntervalSince1970: 1_720_974_600)
        let rows: [(format: DateFormat, value: SerializedValue)] = [
            (.rfc3339, .string("2024-07-14T16:30:00Z")), (.epochMilliseconds, .number("1720974600000")),
            (.httpDate, .string("Sun, 14 Jul 2024 16:30:00 GMT")), (.auto, .string("2024-07-14T16:30:00Z")),
            (.dotnetJSON, .string("/Date(1720974600000)/")),
            (.pattern("dd.MM.yyyy HH:mm"), .string("14.07.2024 16:30")),
        ]
        for row in rows {
            #expect(try ValueSerializer.date(row.format).serialize(date, for: .json) == row.value)
            #expect(try ValueSerializer.date(row.format).deserialize(row.value, from: .json) == date)
        }
        let either = ValueSerializer.date(.rfc3339, alsoReading: [.epochSeconds], assuming: "Europe/Paris")
        #expect(try either.deserialize(.number("1720974600"), from: .json) == date)
        #expect(try either.serialize(date, for: .json) == .string("2024-07-14T18:30:00+02:00"))
        let fraction = Date(timeIntervalSince1970: 0.65)
        #expect(try ValueSerializer.date().serialize(fraction, for: .json) == .string("1970-01-01T00:00:00.65Z"))
    }

    @Test func `numbers give the same dates as in Foundation`() throws {
        let numbers = (0..<5_000).map { 1_720_974_600_000 + $0 }
        let payload = Array("[\(numbers.map(String.init).joined(separator: ","))]".utf8)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        let expected = try decoder.decode([Date].self, from: Data(payload))
        #expect(try ValueSerializer.array(of: .date(.epochMilliseconds)).value(fromJSON: payload) == expected)
        decoder.dateDecodingStrategy = .flexible()
        #expect(try decoder.decode([Date].self, from: Data(payload)) == expected)
    }

    @Test func `a base that is not a URL is reported at the first use`() throws {
        let serializer = ValueSerializer<URL>.url(relativeTo: "nonsense")
        let url = try #require(URL(string: "https://a.example/x"))
        for use in [
            { _ = try serializer.json(from: url) }, { _ = try serializer.value(fromJSON: Array(#""/x""#.utf8)) },
        ] {
            let error = #expect(throws: SerializationError.self) { try use() }
            #expect(error?.expected.hasPrefix("`relativeTo` of the serializer") == true)
        }
    }

    @Test func `a date format that does not exist is reported at the first use`() {
        for serializer in [ValueSerializer.date(.pattern("qqq")), .date(.rfc3339, assuming: "Mars/Base")] {
            let error = #expect(throws: SerializationError.self) { try serializer.serialize(Date(), for: .json) }
            #expect(error?.expected == "a valid date format and zone")
            #expect(error?.found.hasPrefix("another (") == true)
        }
        #expect(throws: SerializationError.self) {
            try ValueSerializer.date(.rfc3339, assuming: nil).deserialize(.string("2024-07-14T16:30:00"), from: .json)
        }
    }

    @Test func `numbers are exact or an error`() throws {
        #expect(try ValueSerializer<Int8>.integer.deserialize(.number("-128"), from: .json) == -128)
        for text in ["128", "1.0", "1e2"] {
            #expect(throws: SerializationError.self) {
                try ValueSerializer<Int8>.integer.deserialize(.number(text), from: .json)
            }
        }
        #expect(try ValueSerializer<Double>.double.deserialize(.number("1E2"), from: .json) == 100)
        #expect(throws: SerializationError.self) { try ValueSerializer<Double>.double.serialize(.nan, for: .json) }
        #expect(throws: SerializationError.self) {
            try ValueSerializer<Double>.double.deserialize(.number("1e400"), from: .json)
        }
        let text = #"{"n":12345678901234567890.10,"n":[],"e":{}}"#
        #expect(
            String(decoding: try ValueSerializer.any.json(from: .init(parsingJSON: Array(text.utf8))), as: UTF8.self)
                == text)
    }

    private struct Tree: Hashable {
        var name: String
        var children: [Tree]

        static let serializer: ValueSerializer<Tree> = .object(Tree.init) {
            Field("name", \.name, .string)
            Field("children", \.children, .array(of: .lazy { serializer }).whenAbsent([]))
        }
    }

    @Test func `a serializer may contain itself, and errors have a path at every depth`() throws {
        let json = #"{"name":"a","children":[{"name":"b","children":[{"name":"c","children":[]}]}]}"#
        let tree = try Tree.serializer.value(fromJSON: Array(json.utf8))
        #expect(tree == Tree(name: "a", children: [Tree(name: "b", children: [Tree(name: "c", children: [])])]))
        #expect(String(decoding: try Tree.serializer.json(from: tree), as: UTF8.self) == json)
        let error = Self.error(Tree.serializer, #"{"name":"a","children":[{"name":"b","children":[{"name":1}]}]}"#)
        #expect(error == .init(expected: "a string", found: "a number", pointer: "/children/0/children/0/name"))
    }

    @Test func `a written tree is no deeper than one that can be read`() throws {
        func tree(levels: Int) -> Tree {
            (1..<levels).reduce(Tree(name: "a", children: [])) { tree, _ in Tree(name: "a", children: [tree]) }
        }
        // Each level is an object and an array; the innermost array is empty.
        let deepest = tree(levels: 256)
        #expect(try Tree.serializer.value(fromJSON: Tree.serializer.json(from: deepest)) == deepest)
        for levels in [257, 1000] {
            #expect(throws: SerializationError.self) { try Tree.serializer.json(from: tree(levels: levels)) }
            #expect(throws: SerializationError.self) { try Tree.serializer.propertyList(from: tree(levels: levels)) }
        }
    }

    private enum Figure: Hashable {
        case circle(Double)
        case label(String)
    }

    private static let figure = ValueSerializer<Figure>.oneOf(taggedBy: "kind") {
        Variant("circle", .object({ $0 }) { Field("radius", { $0 }, .double) }, make: Figure.circle) {
            if case .circle(let radius) = $0 { radius } else { nil }
        }
        Variant("label", .object({ $0 }) { Field("text", { $0 }, .string) }, make: Figure.label) {
            if case .label(let text) = $0 { text } else { nil }
        }
    }

    @Test func `a case of an enum is recognised by its tag`() throws {
        let json = #"[{"kind":"circle","radius":1.5},{"kind":"label","text":"a"}]"#
        let figures = try ValueSerializer.array(of: Self.figure).value(fromJSON: Array(json.utf8))
        #expect(figures == [.circle(1.5), .label("a")])
        #expect(String(decoding: try ValueSerializer.array(of: Self.figure).json(from: figures), as: UTF8.self) == json)
        let rows: [(String, SerializationError)] = [
            (
                #"{"kind":"square"}"#,
                .init(expected: #"one of "circle", "label""#, found: "another string", pointer: "/kind")
            ),
            ("{}", .init(expected: #"one of "circle", "label""#, found: "nothing", pointer: "/kind")),
            (#"{"kind":1}"#, .init(expected: #"one of "circle", "label""#, found: "a number", pointer: "/kind")),
            (#"{"kind":"circle"}"#, .init(expected: "a number", found: "nothing", pointer: "/radius")),
        ]
        for (json, error) in rows { #expect(Self.error(Self.figure, json) == error, "\(json)") }
    }

    @Test func `a tag of two variants or of the object itself is a specific error`() {
        let twice = ValueSerializer<Figure>.oneOf(taggedBy: "kind") {
            Variant("circle", .object({ $0 }) { Field("radius", { $0 }, .double) }, make: Figure.circle) {
                if case .circle(let radius) = $0 { radius } else { nil }
            }
            Variant("circle", .object({ $0 }) { Field("text", { $0 }, .string) }, make: Figure.label) {
                if case .label(let text) = $0 { text } else { nil }
            }
        }
        let mistake = SerializationError(expected: "a tag of its own for each variant", found: "\"circle\" twice")
        #expect(throws: mistake) { try twice.json(from: .label("a")) }
        #expect(Self.error(twice, #"{"kind":"circle","radius":1}"#) == mistake)
        let inside = ValueSerializer<Figure>.oneOf(taggedBy: "text") {
            Variant("label", .object({ $0 }) { Field("text", { $0 }, .string) }, make: Figure.label) {
                if case .label(let text) = $0 { text } else { nil }
            }
        }
        #expect(throws: SerializationError(expected: "an object without \"text\"", found: "one that has it")) {
            try inside.json(from: .label("a"))
        }
    }

    private struct Priced: Codable, Hashable {
        var price: Decimal
        var tags: Set<String>
    }

    @Test func `decimals, floats, data and Codable types can be parts of a serializer`() throws {
        let decimal = try #require(Decimal(string: "12345678901234567890.10"))
        #expect(try ValueSerializer.decimal.deserialize(.number("12345678901234567890.10"), from: .json) == decimal)
        #expect(throws: SerializationError.self) {
            try ValueSerializer.decimal.deserialize(.number(String(repeating: "123456789", count: 5)), from: .json)
        }
        #expect(try ValueSerializer<Float>.float.serialize(0.1, for: .json) == .number("0.1"))
        #expect(throws: SerializationError.self) {
            try ValueSerializer<Float>.float.deserialize(.number("1e39"), from: .json)
        }
        #expect(try ValueSerializer<Data>.data.json(from: Data([1, 2])) == Array(#""AQI=""#.utf8))
        let priced = ValueSerializer.codable(Priced.self)
        let value = Priced(price: decimal, tags: ["a"])
        for format in PropertyListFormat.allCases {
            let list = ValueSerializer<[String: Priced]>.dictionary(of: priced)
            #expect(try list.value(fromJSON: list.json(from: ["k": value])) == ["k": value])
            let plain = Priced(price: 1.5, tags: ["a"])
            #expect(try list.value(fromPropertyList: list.propertyList(from: ["k": plain], format)) == ["k": plain])
        }
        let error = Self.error(ValueSerializer.array(of: priced), #"[{"price":1,"tags":[1]}]"#)
        #expect(error == .init(expected: "String", found: "another kind of value", pointer: "/0/tags/0"))
    }

    @Test func `a date that its format cannot represent is not written, unless loss is allowed`() throws {
        let date = Date(timeIntervalSince1970: 1.75)
        for format in [DateFormat.epochSeconds, .httpDate, .pattern("dd.MM.yyyy HH:mm")] {
            #expect(throws: SerializationError.self, "\(format)") {
                try ValueSerializer.date(format).serialize(date, for: .json)
            }
        }
        #expect(try ValueSerializer.date(.epochSeconds, allowsLoss: true).serialize(date, for: .json) == .number("1"))
        #expect(try ValueSerializer.date(.epochMilliseconds).serialize(date, for: .json) == .number("1750"))
        #expect(
            throws: SerializationError(
                expected: "a date that the format date can hold", found: "a finer one; round it, or allow loss")
        ) { try ValueSerializer.date(.date).serialize(date, for: .json) }
        // A loss of half a microsecond is not refused.
        let finer = Date(timeIntervalSince1970: 1_700_000_000.123_456_6)
        let read = try ValueSerializer.date().deserialize(
            ValueSerializer.date().serialize(finer, for: .json), from: .json)
        #expect(read != finer && abs(read.timeIntervalSince(finer)) < 0.000_001)
        let list = ValueSerializer<[Date]>.array(of: .date())
        let error = #expect(throws: SerializationError.self) { try list.propertyList(from: [date], .xml) }
        #expect(error?.pointer == "/0")
        #expect(try list.value(fromPropertyList: list.propertyList(from: [date], .binary)) == [date])
        let rounded = ValueSerializer<[Date]>.array(of: .date(allowsLoss: true))
        let file = try rounded.propertyList(from: [date], .xml)
        #expect(try rounded.value(fromPropertyList: file) == [Date(timeIntervalSince1970: 1)])
    }

    @Test func `a mapping may fail in both directions`() throws {
        let even = ValueSerializer<Int>.integer.map(
            "an even number", to: { $0.isMultiple(of: 2) ? $0 : nil }, from: { $0.isMultiple(of: 2) ? $0 : nil })
        #expect(throws: SerializationError(expected: "an even number", found: "a value without a form")) {
            try even.json(from: 3)
        }
    }

    private enum Color: String { case red, green }

    @Test func `raw values and custom values are made from other values`() throws {
        let color = ValueSerializer<Color>.raw(.string)
        #expect(try color.deserialize(.string("red"), from: .json) == .red)
        #expect(throws: SerializationError(expected: "one of the values of Color", found: "another string")) {
            try color.deserialize(.string("blue"), from: .json)
        }
        let percent = ValueSerializer<Int>.integer.map(
            "a percentage", to: { 0...100 ~= $0 ? Double($0) / 100 : nil }, from: { Int($0 * 100) })
        #expect(try percent.deserialize(.number("25"), from: .json) == 0.25)
        #expect(try percent.serialize(0.5, for: .json) == .number("50"))
        #expect(throws: SerializationError(expected: "a percentage", found: "another number")) {
            try percent.deserialize(.number("101"), from: .json)
        }
    }

    @Test func `an array can skip its bad elements and report each`() async throws {
        try await confirmation(expectedCount: 2) { told in
            let serializer = ValueSerializer<[Int]>.array(of: .integer, skippingBad: { _ in told() })
            let values = try serializer.value(fromJSON: Array(#"[1,"2",3,null]"#.utf8))
            #expect(values == [1, 3])
        }
    }

    @Test func `keys are compared by bytes, and keys that Swift finds equal are refused`() {
        let dictionary = ValueSerializer<[String: Int]>.dictionary(of: .integer)
        let error = Self.error(dictionary, "{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(error?.found == "it twice")
    }

    @Test func `endless nesting is refused`() {
        let deep = String(repeating: "[", count: 513) + String(repeating: "]", count: 513)
        #expect(Self.error(.any, deep)?.expected == "JSON")
        #expect(Self.error(.any, String(deep.dropFirst().dropLast())) == nil)
        #expect(Self.error(.any, #"["\ud800"]"#)?.found == "half of a surrogate pair")
    }
}
