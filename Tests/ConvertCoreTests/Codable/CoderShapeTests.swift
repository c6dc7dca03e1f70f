import ConvertCore
import FoundationEssentials
import Testing

/// Shapes of Codable types compared with Foundation's coders.
struct CoderShapeTests {
    @Test func `every shape is read as by Foundation, in every container, valid or not`() {
        var comparison = CoderComparison()
        func all<Value: Codable & Equatable>(_ type: Value.Type, _ rows: String...) {
            for row in rows + ["null", "[]", "{}", "0", #""x""#, "[[]]", #"[{"value":null}]"#] {
                comparison.decodeEverywhere(type, row)
            }
        }
        all(
            Shape.Person.self, #"{"name":"a","age":1}"#, #"{"name":"a","age":1,"nick":"n"}"#,
            #"{"name":"a","age":1,"nick":null}"#, #"{"age":1,"name":"a","extra":[{"deep":[]}]}"#, #"{"name":"a"}"#,
            #"{"name":null,"age":1}"#, #"{"name":1,"age":1}"#, #"{"name":"a","age":"1"}"#, #"{"name":"a","age":1.5}"#,
            #"{"n\u0061me":"a","age":1}"#, #"{"name":"a","age":1,"nick":3}"#, #"{"name":"a","age":1,"nick":[]}"#)
        let person = #"{"name":"a","age":1}"#
        all(
            Shape.Nested.self, #"{"people":[\#(person)],"byName":{"k":\#(person)},"grid":[[1,null],[]]}"#,
            #"{"people":[{}],"byName":{},"grid":[]}"#, #"{"people":[],"byName":{"k":[]},"grid":[]}"#,
            #"{"people":[],"byName":{},"grid":[[1],[null,2]]}"#, #"{"people":[],"byName":{},"grid":[[1,[2]]]}"#,
            #"{"people":[],"byName":{},"grid":[1]}"#, #"{"people":[],"byName":{},"grid":null}"#)
        all(
            Shape.Payload.self, #"{"empty":{}}"#, #"{"text":{"_0":"a"}}"#, #"{"pair":{"left":1,"right":2.5}}"#,
            #"{"pair":{"left":1}}"#, #"{"pair":{"left":1,"right":"2"}}"#, #"{"empty":{},"text":{"_0":"a"}}"#,
            #"{"other":{}}"#, #"{"text":{"_0":1}}"#, #"{"text":null}"#, #""empty""#)
        all(
            Shape.Tree.self, #"{"node":{"_0":[{"leaf":{"_0":1}},{"node":{"_0":[]}}]}}"#,
            #"{"node":{"_0":[{"leaf":{"_0":"x"}}]}}"#, #"{"node":{"_0":[{"leaf":{}}]}}"#)
        all(
            Shape.Manual.self, #"{"outer":{"x":1,"y":2},"list":["a"]}"#, #"{"list":[],"outer":{"y":null,"x":1}}"#,
            #"{"outer":{"x":1}}"#, #"{"outer":{"x":1},"list":[]}"#, #"{"outer":[],"list":[]}"#,
            #"{"outer":null,"list":[]}"#, #"{"outer":{"x":1,"y":2},"list":{}}"#,
            #"{"outer":{"x":1,"y":2},"list":["a",null]}"#, #"{"outer":{"x":1,"y":2},"list":null}"#)
        all(
            Shape.Derived.self, #"{"title":"t","super":{"id":1}}"#, #"{"title":"t"}"#, #"{"title":"t","super":null}"#,
            #"{"title":"t","super":{}}"#, #"{"super":{"id":1}}"#, #"{"title":"t","super":{"id":"1"}}"#,
            #"{"title":"t","super":{"id":1.5}}"#)
        all(
            Shape.Triple.self, #"[1,"a",[true]]"#, "[1,null,[]]", "[1,null,[null]]", #"[1,"a"]"#, "[1]",
            #"[1,"a",null]"#, #"[1,"a",{}]"#, "[1,2,[]]", #"[1,"a",[1]]"#)
        all(Shape.Numbered.self, #"{"first":1,"second":[2]}"#, #"{"first":1,"second":[2,"3"]}"#, #"{"10":1,"20":[2]}"#)
        all(Shape.Renamed.self, #"{"a/b":1,"~":"l"}"#, #"{"a\/b":1,"~":[]}"#, #"{"id":1}"#)
        all(Shape.Bits.self, "3", "256", "-1")
        all(Shape.Boxed.self, "3", "3.0", "3.5", #"{"value":3}"#)
        all(Shape.Either.self, "1.5", #"["a",1,[null]]"#, "[true]")
        all(
            Shape.Event.self, #"{"click":{"x":1,"_2":3}}"#, #"{"click":{"x":1,"y":null,"_2":300}}"#,
            #"{"nested":{"_0":{"empty":{}},"tags":{"a":"low"}}}"#, #"{"nested":{"_0":{},"tags":{}}}"#,
            #"{"default":{}}"#, #"{"default":1}"#, #"{"nested":{"_0":{"empty":{}},"tags":{"a":"middle"}}}"#)
        all(
            Shape.Rows.self, #"[{"n":1},[1,2],"b"]"#, #"[{"n":1},[1,null,2],"b"]"#, #"[{"n":1},[1]]"#, #"[{"n":1}]"#,
            #"[{},[],"b"]"#, #"[[],{},"b"]"#, #"[{"n":1},["1"],"b"]"#, #"[{"n":1},[],null]"#)
        all(
            Shape.Based.self, #"{"own":true,"base":{"name":"a","age":1}}"#, #"{"base":{"name":"a"}}"#,
            #"{"own":1,"base":{"name":"a","age":1}}"#, #"{"base":null}"#)
        all(Shape.Even.self, #"{"even":4}"#, #"{"even":3}"#, #"{"even":null}"#)
        all(Shape.Path.self, "1")
        all(Shape.Census.self, #"{"b":null,"a":[]}"#, #"[1,null,[2]]"#, "true")
        all(Shape.Level.self, #""low""#, #""middle""#)
        all(Shape.Rank.self, "2", "3", "1.0")
        all([Int: [Int?]].self, #"{"1":[1,null],"-7":[]}"#, #"{"1":["a"]}"#, #"{"one":[1]}"#)
        all([Shape.Level: Shape.Person].self, #"{"low":{"name":"a","age":1}}"#, #"{"low":{"name":"a"}}"#, #"{"x":{}}"#)
        all([Shape.Level: Int].self, #"{"low":1,"high":2}"#, #"{"low":1,"middle":2}"#, #"{"low":null}"#)
        all([Shape.Rank: Int].self, "[1,5,2,6]", "[1,5,2]", "[1,5,3,6]", #"[1,"5"]"#)
        all([UUID: Int].self, #"["E621E1F8-C36C-495A-93FC-0C247A3E6E5F",1]"#, #"["E621E1F8",1]"#)
        all(Set<Int>.self, "[1,2,2]", "[1,null]")
        all(Range<Int>.self, "[1,5]", "[5,1]", "[1]")
        all(ClosedRange<Double>.self, "[1,1.5]", #"[1,"2"]"#)
        all([String: [[String: Bool?]]].self, #"{"a":[{"b":true,"c":null}]}"#, #"{"a":[{"b":0}]}"#)
        all(Int??.self, "1", "1.5")
        #expect(comparison.types.count >= 150, "\(comparison.types.count) types")
        #expect(comparison.count >= 150)
    }

    @Test func `userInfo and the coding path are available at every depth, in both directions`() {
        var comparison = CoderComparison()
        func tell(_ foundation: JSONDecoder, _ ours: inout ConvertDecoder) {
            guard let key = Shape.Path.key else { return }
            foundation.userInfo[key] = "told"
            ours.userInfo[key] = "told"
        }
        func tell(_ foundation: JSONEncoder, _ ours: inout ConvertEncoder) {
            guard let key = Shape.Path.key else { return }
            foundation.userInfo[key] = "told"
            ours.userInfo[key] = "told"
        }
        comparison.decode(Shape.Path.self, "1", tell)
        comparison.decode([Shape.Path].self, "[1,2]", tell)
        comparison.decode([String: [Shape.Path]].self, #"{"a/b":[1],"Index 3":[2]}"#, tell)
        comparison.decode([Int: Shape.Path].self, #"{"7":1}"#, tell)
        comparison.decode([Shape.Level: Shape.Path].self, #"{"low":1}"#, tell)
        comparison.decode(Shape.Wrapper<Shape.Wrapper<Shape.Path?>>.self, #"{"value":{"value":1}}"#, tell)
        comparison.encode(Shape.Path(), tell)
        comparison.encode([Shape.Path(), Shape.Path()], tell)
        comparison.encode(["a/b": [Shape.Path()]], tell)
        comparison.encode([7: Shape.Path()], tell)
        comparison.encode([Shape.Level.low: Shape.Path()], tell)
        comparison.encode(Shape.Wrapper(value: Shape.Wrapper(value: Shape.Path())), tell)
        #expect(comparison.count == 12)
    }

    @Test func `every shape is written as by Foundation, with the same coding paths in errors`() {
        var comparison = CoderComparison()
        func all<Value: Codable & Equatable>(_ value: Value) {
            comparison.encode(value)
            comparison.encode(Value?.some(value))
            comparison.encode([value, value])
            comparison.encode(["a/b": value])
            comparison.encode(Shape.Wrapper(value: value))
            comparison.encode(Shape.Wrapper<Value?>(value: nil))
        }
        let person = Shape.Person(name: "a", age: 1, nick: "n")
        all(Shape.Numbered(first: 1, second: [2]))
        all(Shape.Renamed(id: 1, label: nil))
        all(Shape.Bits(rawValue: 3))
        all(Shape.Boxed(value: 3))
        all(Shape.Either.list([.number(1), .text("a"), .nothing]))
        all(Shape.Event.click(x: 1, y: nil, Shape.Bits(rawValue: 1)))
        all(Shape.Event.nested(.pair(left: 1, right: 2), tags: ["a": .high]))
        all(Shape.Event.default)
        all(Shape.Rows(name: 1, list: [2, 3], base: "b"))
        all(Shape.Based(own: true, base: person))
        all(Shape.Even(half: 2))
        all(Shape.Even(half: -2))
        all(Double.infinity)
        all([1: [person]])
        all([Shape.Level.low: [1: Float.nan]])
        all(Set([1]))
        all(1..<5)
        all([Shape.Rank.first: 5])
        all(Int??.some(nil))
        #expect(comparison.count == 19 * 6)
    }
}
