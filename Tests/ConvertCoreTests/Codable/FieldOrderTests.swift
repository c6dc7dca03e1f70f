import ConvertProfiles
import FoundationEssentials
import Testing

@testable import ConvertCodable

/// Fields of one type whose order differs from that of the initialiser's parameters.
struct FieldOrderTests {
    private struct Name: Hashable {
        var first: String
        var last: String
        var nick: String?
        var age = 0

        init(first: String, last: String) { (self.first, self.last) = (first, last) }

        /// Uses the first name if the nickname is empty.
        init(first: String, last: String, nick: String) {
            (self.first, self.last) = (first, last)
            self.nick = nick.isEmpty ? first : nick
        }
    }

    @Test func `fields of one type in the wrong order are an error that names them`() throws {
        let exchanged = ValueSerializer<Name>.object {
            Name(first: $0, last: $1)
        } fields: {
            Field("ln", \.last, .string)
            Field("fn", \.first, .string)
        }
        let written = try exchanged.json(from: Name(first: "Ada", last: "Lovelace"))
        #expect(String(decoding: written, as: UTF8.self) == #"{"ln":"Lovelace","fn":"Ada"}"#)
        let error = #expect(throws: SerializationError.self) { try exchanged.value(fromJSON: written) }
        #expect(error?.found == #"the values of "ln", "fn" exchanged"#)
        // Equal values do not reveal a wrong order.
        #expect(try exchanged.value(fromJSON: Array(#"{"ln":"A","fn":"A"}"#.utf8)) == Name(first: "A", last: "A"))
    }

    private struct Stay: Hashable {
        var from: Date
        var until: Date
        var mail: String?
        var phone: String?
        var city: String?
    }

    @Test func `exchanged fields are found despite changed values and different serializers`()
        throws
    {
        let dates = ValueSerializer<Stay>.object {
            Stay(from: $0, until: $1, mail: $2, phone: $3, city: $4?.lowercased())
        } fields: {
            Field("until", \.until, .date(.epochSeconds))
            Field("from", \.from, .date())
            Field("mail", \.mail, .optional(.string))
            Field("phone", \.phone, .optional(.string))
            Field("city", \.city, .optional(.string))
        }
        let json = #"{"until":86400,"from":"1970-01-01T00:00:00Z","mail":"a","city":"Rome"}"#
        let error = #expect(throws: SerializationError.self) { try dates.value(fromJSON: Array(json.utf8)) }
        #expect(error?.found == #"the values of "until", "from" exchanged"#)

        let names = ValueSerializer<Stay>.object {
            Stay(from: $0, until: $1, mail: $2, phone: $3, city: $4?.lowercased())
        } fields: {
            Field("from", \.from, .date())
            Field("until", \.until, .date(.epochSeconds))
            Field("phone", \.phone, .optional(.string))
            Field("mail", \.mail, .optional(.string))
            Field("city", \.city, .optional(.string))
        }
        for (members, isExchanged) in [
            (#""mail":"a","city":"Rome""#, true), (#""phone":"1","city":"Rome""#, true), (#""city":"Rome""#, false),
            (#""mail":"a","phone":"1","city":"ROME""#, true), (#""mail":"a","phone":"a","city":"Rome""#, false),
        ] {
            let json = "{\"from\":\"1970-01-01T00:00:00Z\",\"until\":86400,\(members)}"
            let found = #"the values of "phone", "mail" exchanged"#
            if isExchanged {
                let error = #expect(throws: SerializationError.self) { try names.value(fromJSON: Array(json.utf8)) }
                #expect(error?.found == found, "\(members)")
            } else {
                #expect(try names.value(fromJSON: Array(json.utf8)).city == "rome", "\(members)")
            }
        }
    }

    @Test func `three fields in rotated order are an error that names them`() throws {
        struct Point: Hashable {
            var x: Int
            var y: Int
            var z: Int
        }
        let points = ValueSerializer<Point>.object {
            Point(x: $0, y: $1, z: $2)
        } fields: {
            Field("z", \.z, .integer)
            Field("x", \.x, .integer)
            Field("y", \.y, .integer)
        }
        let error = #expect(throws: SerializationError.self) {
            try points.value(fromJSON: Array(#"{"x":1,"y":2,"z":3}"#.utf8))
        }
        #expect(error?.found == #"the values of "z", "x", "y" exchanged"#)
    }

    @Test func `two fields with one property or one key are an error at the first use`() throws {
        struct Point: Hashable {
            var x: Int
            var y: Int
        }
        let oneProperty = ValueSerializer<Point>.object {
            Point(x: $0, y: $1)
        } fields: {
            Field("x", \.x, .integer)
            Field("y", \.x, .integer)
        }
        let oneName = ValueSerializer<Point>.object {
            Point(x: $0, y: $1)
        } fields: {
            Field("x", \.x, .integer)
            Field("x", \.y, .integer)
        }
        for (points, mistake) in [
            (
                oneProperty,
                SerializationError(
                    expected: "a property of its own for each field", found: #"the same one for "x" and "y""#)
            ),
            (oneName, SerializationError(expected: "a name of its own for each field", found: #""x" twice"#)),
        ] {
            #expect(throws: mistake) { try points.json(from: Point(x: 1, y: 2)) }
            #expect(throws: mistake) { try points.value(fromJSON: Array(#"{"x":1,"y":2}"#.utf8)) }
        }
        // A closure serves a property that is written twice on purpose.
        let copied = ValueSerializer<Point>.object { x, _ in
            Point(x: x, y: 0)
        } fields: {
            Field("x", \.x, .integer)
            Field("old", { $0.x }, .integer)
        }
        #expect(try copied.json(from: Point(x: 1, y: 0)) == Array(#"{"x":1,"old":1}"#.utf8))
        // Swift's strings call the two spellings equal, but they are two keys.
        let accents = ValueSerializer<Point>.object {
            Point(x: $0, y: $1)
        } fields: {
            Field("\u{E9}", \.x, .integer)
            Field("e\u{301}", \.y, .integer)
        }
        #expect(try accents.value(fromJSON: accents.json(from: Point(x: 1, y: 2))) == Point(x: 1, y: 2))
    }

    @Test func `an initialiser that changes a value is accepted, if the order is correct`() throws {
        let names = ValueSerializer<Name>.object {
            Name(first: $0, last: $1, nick: $2)
        } fields: {
            Field("fn", \.first, .string)
            Field("ln", \.last, .string)
            Field("nn", { $0.nick ?? "" }, .string)
        }
        for json in [
            #"{"fn":"A","ln":"A","nn":""}"#, #"{"fn":"A","ln":"B","nn":""}"#, #"{"fn":"A","ln":"B","nn":"C"}"#,
        ] {
            _ = try names.value(fromJSON: Array(json.utf8))
        }
        // An initialiser that sorts its two values.
        struct Span: Hashable {
            var low: Int
            var high: Int

            init(_ one: Int, _ other: Int) { (low, high) = (min(one, other), max(one, other)) }
        }
        let spans = ValueSerializer<Span>.object {
            Span($0, $1)
        } fields: {
            Field("low", \.low, .integer)
            Field("high", \.high, .integer)
        }
        for json in [#"{"low":5,"high":3}"#, #"{"low":3,"high":5}"#, #"{"low":7,"high":3}"#] {
            _ = try spans.value(fromJSON: Array(json.utf8))
        }
        #expect(try spans.value(fromJSON: Array(#"{"low":5,"high":3}"#.utf8)) == Span(3, 5))
        let order = FieldOrder(
            names: ["a", "b", "c"],
            types: [ObjectIdentifier(Int.self), ObjectIdentifier(Int.self), ObjectIdentifier(Bool.self)])
        #expect(!order.sharesType(2))
        try order.check(read: [1, 1, nil], kept: [1, 1, nil])
        #expect(!order.isProven)
        try order.check(read: [1, 2, nil], kept: [1, 2, nil])
        #expect(order.isProven)
        #expect(throws: SerializationError.self) { try order.check(read: [1, 2, nil], kept: [2, 1, nil]) }
    }
}
