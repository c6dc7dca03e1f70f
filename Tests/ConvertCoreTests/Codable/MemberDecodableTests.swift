import ConvertCore
import FoundationEssentials
import Testing

/// Types that read their members without containers.
struct MemberDecodableTests {
    private struct Order: MemberDecodable, Equatable {
        var id: Int
        var price: Double
        var isOpen: Bool
        var name: String
        var note: String?
        var count: Int?
        var rate: Double?
        var isGift: Bool?
        var placed: Date
        var paid: Date?
        var tags: [String]
        var sizes: [Int]
        var rates: [Double]
        var flags: [Bool]
        var oldTags: [String]?
        var oldSizes: [Int]?
        var oldRates: [Double]?
        var oldFlags: [Bool]?
        var address: Address
        var billing: Address?
        var items: [Item]
        var extras: [Item]?
        var plain: Plain

        init(members: DecodingMembers) throws {
            id = try members["id"]
            price = try members["price"]
            isOpen = try members["isOpen"]
            name = try members["name"]
            note = try members["note"]
            count = try members["count"]
            rate = try members["rate"]
            isGift = try members["isGift"]
            placed = try members["placed"]
            paid = try members["paid"]
            tags = try members["tags"]
            sizes = try members["sizes"]
            rates = try members["rates"]
            flags = try members["flags"]
            oldTags = try members["oldTags"]
            oldSizes = try members["oldSizes"]
            oldRates = try members["oldRates"]
            oldFlags = try members["oldFlags"]
            address = try members["address"]
            billing = try members["billing"]
            items = try members["items"]
            extras = try members["extras"]
            plain = try members["plain"]
        }
    }

    private struct Address: MemberDecodable, Equatable {
        var city: String

        init(members: DecodingMembers) throws { city = try members["city"] }
    }

    private struct Item: MemberDecodable, Equatable {
        var id: Int

        init(members: DecodingMembers) throws { id = try members["id"] }
    }

    /// Uses synthesised decoding, while its elements decode themselves by their members.
    private struct Plain: Decodable, Equatable {
        var items: [Item]
    }

    /// The same members, decoded as the compiler synthesises it.
    private struct Twin: Decodable, Equatable {
        struct Part: Decodable, Equatable { var id: Int }
        struct Place: Decodable, Equatable { var city: String }
        struct Plain: Decodable, Equatable { var items: [Part] }

        var id: Int
        var price: Double
        var isOpen: Bool
        var name: String
        var note: String?
        var count: Int?
        var rate: Double?
        var isGift: Bool?
        var placed: Date
        var paid: Date?
        var tags: [String]
        var sizes: [Int]
        var rates: [Double]
        var flags: [Bool]
        var oldTags: [String]?
        var oldSizes: [Int]?
        var oldRates: [Double]?
        var oldFlags: [Bool]?
        var address: Place
        var billing: Place?
        var items: [Part]
        var extras: [Part]?
        var plain: Plain
    }

    private static let members: [(name: String, value: String)] = [
        ("id", "1"), ("price", "2.5"), ("isOpen", "true"), ("name", #""n""#), ("note", #""x""#), ("count", "3"),
        ("rate", "0.5"),
        ("isGift", "false"), ("placed", "0"), ("paid", "1"), ("tags", #"["a","b"]"#), ("address", #"{"city":"c"}"#),
        ("billing", #"{"city":"d"}"#), ("items", #"[{"id":1},{"id":2}]"#), ("extras", #"[{"id":3}]"#),
        ("plain", #"{"items":[{"id":4}]}"#), ("sizes", "[1,2]"), ("rates", "[0.5]"), ("flags", "[true,false]"),
        ("oldTags", #"["a"]"#), ("oldSizes", "[1]"), ("oldRates", "[0.5]"), ("oldFlags", "[true]"),
    ]

    private static func json(replacing index: Int, with value: String?) -> String {
        let members = Self.members.enumerated().compactMap { position, member -> String? in
            if position != index { return #""\#(member.name)":\#(member.value)"# }
            return value.map { #""\#(member.name)":\#($0)"# }
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func outcome(_ work: () throws -> some Any) -> String {
        do {
            _ = try work()
            return "value"
        } catch let error as DecodingError {
            return error.summary
        } catch {
            return "\(error)"
        }
    }

    @Test func `values, kinds of errors and coding paths equal those of synthesised conformances`() throws {
        let values = [
            "null", "1", "1.5", "true", #""s""#, "[]", "{}", "[1]", #"[{"id":1},{"id":"x"}]"#, #"[{"id":1},null]"#,
            #"{"city":1}"#, #"{"items":[{"id":1},{"id":null}]}"#, #"{"items":[{}]}"#, #"{"items":{}}"#,
            #"[true,1,"a"]"#, "[1,1e400]", "[1,null]", "-0", "1e2", #""\u0041""#, "123456789012345678901", #"["\n"]"#,
        ]
        var count = 0
        for index in Self.members.indices {
            for value in values.map(Optional.some) + [nil] {
                let json = Self.json(replacing: index, with: value)
                for wrapped in [json, "[\(json),\(json)]", #"{"k":[\#(json)]}"#] {
                    let (ours, twin): (String, String)
                    switch wrapped.first {
                    case "[":
                        ours = Self.outcome { try ConvertDecoder().decode([Order].self, from: wrapped) }
                        twin = Self.outcome { try ConvertDecoder().decode([Twin].self, from: wrapped) }
                    case _ where wrapped.hasPrefix(#"{"k""#):
                        ours = Self.outcome { try ConvertDecoder().decode([String: [Order]].self, from: wrapped) }
                        twin = Self.outcome { try ConvertDecoder().decode([String: [Twin]].self, from: wrapped) }
                    default:
                        ours = Self.outcome { try ConvertDecoder().decode(Order.self, from: wrapped) }
                        twin = Self.outcome { try ConvertDecoder().decode(Twin.self, from: wrapped) }
                        let foundation = Self.outcome { try JSONDecoder().decode(Order.self, from: Data(wrapped.utf8)) }
                        #expect(foundation == ours, "\(wrapped)")
                    }
                    #expect(ours == twin, "\(wrapped)")
                    count += 1
                }
            }
        }
        #expect(count >= 500)
    }

    @Test func `profiles, rules for failed elements and other decoders work as for any type`() throws {
        let json = Self.json(replacing: 4, with: nil)
        let order = try ConvertDecoder().decode(Order.self, from: json)
        #expect(order.note == nil)
        #expect(order.tags == ["a", "b"])
        #expect(order.items.map(\.id) == [1, 2])
        #expect(order.plain.items.map(\.id) == [4])
        #expect(try JSONDecoder().decode(Order.self, from: Data(json.utf8)) == order)
        let snake = json.replacing("isOpen", with: "is_open").replacing("isGift", with: "is_gift")
        #expect(try ConvertDecoder(Profile(.keys(.camelCase))).decode(Order.self, from: snake) == order)
        var decoder = ConvertDecoder()
        decoder.elementFailures = [ElementFailureRule(.skip, inArray: "/items")]
        let report = try decoder.decodeReporting(
            Order.self, from: Self.json(replacing: 13, with: #"[{"id":1},{"id":"x"},{"id":3}]"#))
        #expect(report.value.items.map(\.id) == [1, 3])
        #expect(report.failures.map(\.pointer) == ["/items/1"])
    }

    @Test(
        "elements that fail follow their rules in every kind of array, and those of an abandoned object are not reported"
    )
    func elementFailures() throws {
        struct Part: MemberDecodable {
            init(members: DecodingMembers) throws {
                let _: [String] = try members["tags"]
                let _: Int = try members["size"]
            }
        }
        struct Lists: MemberDecodable {
            var tags: [String]
            var sizes: [Int]?
            var items: [Item]?
            var part: Part?

            init(members: DecodingMembers) throws {
                tags = try members["tags"]
                sizes = try members["sizes"]
                items = try members["items"]
                part = try? (members["part"] as Part)
            }
        }
        var decoder = ConvertDecoder()
        decoder.elementFailures = [ElementFailureRule(.skip)]
        let json = #"{"tags":["a",1],"sizes":[1,"x",2],"items":[{"id":1},{}],"part":{"tags":[2,"b"]}}"#
        let report = try decoder.decodeReporting(Lists.self, from: json)
        #expect(report.value.tags == ["a"])
        #expect(report.value.sizes == [1, 2])
        #expect(report.value.items?.map(\.id) == [1])
        #expect(report.value.part == nil)
        #expect(report.failures.map(\.pointer) == ["/tags/1", "/sizes/1", "/items/1"])
    }

    @Test func `an object keeps its own path after one of its members was read and failed`() throws {
        struct Outer: MemberDecodable {
            init(members: DecodingMembers) throws {
                let _: [Either]? = try? members["list"]
                let _: Address? = try? members["address"]
                let _: Int = try members["count"]
            }
        }
        for (json, summary) in [
            (#"[{"list":[{"item":{"id":{}}}],"address":{"city":1}}]"#, "keyNotFound count Index 0(0)"),
            (#"[{"list":[],"count":1},{"list":[{"item":"s"},{}],"count":""}]"#, "typeMismatch Int Index 1(1).count(-)"),
        ] {
            let error = #expect(throws: DecodingError.self) { try ConvertDecoder().decode([Outer].self, from: json) }
            #expect(error?.summary == summary)
        }
    }

    /// Tries one form and then another.
    private struct Either: MemberDecodable, Equatable {
        var value: String

        init(members: DecodingMembers) throws {
            if members.contains("item"), let item: Item = try? members["item"] {
                value = "item \(item.id)"
            } else {
                value = try members["item"]
            }
        }
    }

    @Test func `a caught error does not change the path of the next one`() throws {
        let decoder = ConvertDecoder()
        #expect(
            try decoder.decode([Either].self, from: #"[{"item":{"id":1}},{"item":"s"}]"#).map(\.value) == [
                "item 1", "s",
            ])
        let error = #expect(throws: DecodingError.self) {
            try decoder.decode([Either].self, from: #"[{"item":{"id":"x"}}]"#)
        }
        let context = try #require(error?.context(of: .typeMismatch))
        #expect(JSONPointer(codingPath: context.codingPath).description == "/0/item")
    }
}
