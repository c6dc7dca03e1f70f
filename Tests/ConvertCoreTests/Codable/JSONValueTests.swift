import ConvertCore
import FoundationEssentials
import Testing

struct JSONValueTests {
    @Test func `numbers keep every digit, members their order, and duplicates are visible`() throws {
        let text = #"{"b":12345678901234567890.10,"a":[1e2,-0],"b":null,"é\n":"\u0041"}"#
        let value = try JSONValue(parsing: text)
        #expect(value.description == #"{"b":12345678901234567890.10,"a":[1e2,-0],"b":null,"é\n":"A"}"#)
        #expect(value["b"]?.number?.text == "12345678901234567890.10")
        #expect(value["b"]?.decimal == Decimal(string: "12345678901234567890.10"))
        #expect(value["a"]?[0]?.int == 100)
        #expect(value.object?.names == ["b", "a", "b", "é\n"])
        #expect(value.object?.duplicateNames == ["b"])
        #expect(value.object?.values(named: "b").count == 2)
    }

    @Test func `a text with values in it is a string`() {
        let (value, serialized): (JSONValue, SerializedValue) = (["name": "n\(1)"], ["name": "n\(1)"])
        #expect(value["name"]?.string == "n1" && serialized["name"]?.string == "n1")
    }

    @Test func `the examples of RFC 6901 give the documented values`() throws {
        let value = try JSONValue(
            parsing: ##"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"##)
        let numbers = [
            "/": 0, "/a~1b": 1, "/c%d": 2, "/e^f": 3, "/g|h": 4, "/i\\j": 5, "/k\"l": 6, "/ ": 7, "/m~0n": 8,
        ]
        for (pointer, number) in numbers { #expect(value[pointer: pointer]?.int == number, "\(pointer)") }
        #expect(value[pointer: ""] == value)
        #expect(value[pointer: "/foo/0"] == "bar")
        for pointer in ["/foo/00", "/foo/-", "/foo/2", "/m~n", "foo", "/foo/0/x", "/m~2"] {
            #expect(value[pointer: pointer] == nil, "\(pointer)")
        }
    }

    @Test func `numbers are compared by value, text by bytes, and members without order`() throws {
        func value(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }
        let equal = [
            ("1", "1.0"), ("1", "10e-1"), ("0", "-0.00e5"), ("12e2", "1200"), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1.0}"#),
            (#"{"a":1,"b":0,"a":2}"#, #"{"b":0,"a":1,"a":2}"#), ("1e999999999999", "1e999999999999"),
        ]
        for (left, right) in equal {
            let (left, right) = (try value(left), try value(right))
            #expect(left == right)
            #expect(left.hashValue == right.hashValue)
        }
        let different = [
            ("1", #""1""#), ("9007199254740993", "9007199254740992"), ("[1,2]", "[2,1]"), ("0", "false"), ("null", "0"),
            (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#), ("\"\u{e9}\"", "\"e\u{301}\""),
            ("{\"\u{e9}\":1}", "{\"e\u{301}\":1}"),
        ]
        for (left, right) in different { #expect(try value(left) != value(right), "\(left) \(right)") }
    }

    @Test func `views give a value only if it fits exactly`() {
        #expect(JSONNumber("1.2e1")?.int == 12)
        #expect(JSONNumber("1.5")?.int == nil)
        #expect(JSONNumber("18446744073709551615")?.uint64 == .max)
        #expect(JSONNumber("18446744073709551616")?.uint64 == nil)
        #expect(JSONNumber("1e400")?.double == .infinity)
        #expect(JSONNumber("1e400")?.decimal == nil)
        for text in ["01", "+1", ".5", "1.", "NaN", "", " 1", "1e"] { #expect(JSONNumber(text) == nil, "\(text)") }
        let literal: JSONValue = ["a": [1, 2.5, true, nil], "b": "text"]
        #expect(literal.description == #"{"a":[1,2.5,true,null],"b":"text"}"#)
    }

    @Test func `setting a member replaces, appends or removes all members with that key`() throws {
        var value = try JSONValue(parsing: #"{"a":1,"b":2,"a":3}"#)
        value["b"] = 5
        value["c"] = "new"
        #expect(value.description == #"{"a":1,"b":5,"a":3,"c":"new"}"#)
        value["a"] = nil
        #expect(value.description == #"{"b":5,"c":"new"}"#)
    }

    @Test func `errors have the position in the given text`() {
        #expect(throws: ConversionError.self) { try JSONValue(parsing: "[1,]") }
        #expect(throws: ConversionError.self) { try JSONValue(parsing: "[[[1]]]", limits: Limits(maxDepth: 2)) }
        let error = #expect(throws: ConversionError.self) {
            try JSONValue(parsing: "{\n \"a\": [\"ok\", \"\\ud800\"]}")
        }
        #expect(error?.pointer == "/a/1")
        #expect(error?.line == 2)
        #expect(error?.column == 15)
    }

    @Test func `indented text has a line for every element and keeps empty containers closed`() throws {
        let value = try JSONValue(parsing: #"{"a":[1,{"b":"x,]{"}],"c":{},"d":[]}"#)
        let text = String(decoding: value.bytes(options: OutputOptions(indent: 2)), as: UTF8.self)
        let expected = """
            {
              "a": [
                1,
                {
                  "b": "x,]{"
                }
              ],
              "c": {},
              "d": []
            }
            """
        #expect(text == expected)
    }

    @Test func `Foundation's coders pass a number with every digit, or throw`() throws {
        let digits = String(repeating: "123456789", count: 5)
        for json in ["1e400", "[1e-400]", "[\(digits)]", "{\"a\":\(digits).5}", "1.2345678901234567e200"] {
            let error = #expect(throws: DecodingError.self, "\(json)") {
                try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
            }
            #expect(String(describing: error).contains("with all digits"), "\(json)")
            let exact = try ConvertDecoder().decode(JSONValue.self, from: json)
            #expect(exact.description == json)
        }
        for json in ["1e400", "[\(digits)]"] {
            let exact = try JSONValue(parsing: json)
            #expect(throws: EncodingError.self, "\(json)") { try JSONEncoder().encode(exact) }
        }
        for json in [
            "170141183460469231731687303715884105727", "123456789012345678901234567890123456.5e-7", "1e200", "1e30",
            "0.1", "0", "0e9", "0.0",
            "12345678901234567890.123", "-1.5e-300",
        ] {
            let value = try JSONDecoder().decode(JSONValue.self, from: Data("[\(json)]".utf8))
            #expect(try value == JSONValue(parsing: "[\(json)]"), "\(json)")
        }
    }

    @Test func `Foundation's coders keep a zero's sign, objects' keys, and the first of equal keys`() throws {
        let zero = try JSONDecoder().decode([JSONValue].self, from: Data("[-0.0]".utf8))
        #expect(zero.first?.number?.double.sign == .minus)

        let text = #"{"some_key":{"otherKey":1}}"#
        let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
        for strategy in [JSONDecoder.KeyDecodingStrategy.convertFromSnakeCase, .normalized(to: .camelCase)] {
            decoder.keyDecodingStrategy = strategy
            #expect(try decoder.decode(JSONValue.self, from: Data(text.utf8)) == JSONValue(parsing: text))
        }
        for strategy in [JSONEncoder.KeyEncodingStrategy.convertToSnakeCase, .normalized(to: .kebabCase)] {
            encoder.keyEncodingStrategy = strategy
            #expect(String(decoding: try encoder.encode(try JSONValue(parsing: text)), as: UTF8.self) == text)
        }
        let twice = JSONValue.object(JSONObject([.init(name: "a", value: 1), .init(name: "a", value: 2)]))
        #expect(String(decoding: try JSONEncoder().encode(twice), as: UTF8.self) == #"{"a":1}"#)
    }

    @Test func `a JSONValue passes our coders unchanged, and Foundation's within their limits`() throws {
        let text = #"{"z":[1,2.50,"x",null,true],"a":12345678901234567890123,"a":{}}"#
        let duplicates = try Profile(parsing: Array(#"{"on":{"duplicateKey":"keep"}}"#.utf8))
        let value = try ConvertDecoder(duplicates).decode(JSONValue.self, from: text)
        #expect(value.description == text)
        #expect(String(decoding: try ConvertEncoder().encode(["k": value]), as: UTF8.self) == #"{"k":\#(text)}"#)
        let plain = #"{"z":[1,2.5,"x",null,true,18446744073709551615],"a":{"b":[]}}"#
        let foundation = try JSONDecoder().decode(JSONValue.self, from: Data(plain.utf8))
        #expect(foundation == (try JSONValue(parsing: plain)))
        #expect(try JSONValue(parsing: [UInt8](try JSONEncoder().encode(foundation))) == foundation)
    }
}
