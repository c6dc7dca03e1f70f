import FoundationEssentials

/// Codable types for the comparison of Foundation's coders with ours.
enum Shape {
    struct Person: Codable, Equatable {
        var name: String
        var age: Int
        var nick: String?
    }

    struct Nested: Codable, Equatable {
        var people: [Person]
        var byName: [String: Person]
        var grid: [[Int?]]
    }

    enum Level: String, Codable, CodingKeyRepresentable { case low, high }
    enum Rank: Int, Codable {
        case first = 1
        case second
    }

    enum Payload: Codable, Equatable {
        case empty
        case text(String)
        case pair(left: Int, right: Double)
    }

    indirect enum Tree: Codable, Equatable {
        case leaf(Int)
        case node([Tree])
    }

    /// Nested containers that the type opens itself.
    struct Manual: Codable, Equatable {
        enum Keys: String, CodingKey { case outer, list, flag }
        enum Inner: String, CodingKey { case x, y }

        var x: Int
        var y: Int?
        var list: [String]

        init(x: Int, y: Int?, list: [String]) { (self.x, self.y, self.list) = (x, y, list) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            let inner = try container.nestedContainer(keyedBy: Inner.self, forKey: .outer)
            x = try inner.decode(Int.self, forKey: .x)
            y = try inner.decodeNil(forKey: .y) ? nil : try inner.decode(Int.self, forKey: .y)
            var elements = try container.nestedUnkeyedContainer(forKey: .list)
            list = []
            while !elements.isAtEnd { list.append(try elements.decode(String.self)) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            var elements = container.nestedUnkeyedContainer(forKey: .list)
            var inner = container.nestedContainer(keyedBy: Inner.self, forKey: .outer)
            try inner.encode(x, forKey: .x)
            for element in list { try elements.encode(element) }
            if let y { try inner.encode(y, forKey: .y) } else { try inner.encodeNil(forKey: .y) }
        }
    }

    class Base: Codable {
        var id: Int
        init(id: Int) { self.id = id }
    }

    /// A subclass as in the Swift book: its base is under "super".
    final class Derived: Base, Equatable {
        enum Keys: String, CodingKey { case title }
        var title: String

        init(id: Int, title: String) {
            self.title = title
            super.init(id: id)
        }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            title = try container.decode(String.self, forKey: .title)
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(title, forKey: .title)
            try super.encode(to: container.superEncoder())
        }

        static func == (left: Derived, right: Derived) -> Bool { left.id == right.id && left.title == right.title }
    }

    /// Elements of different types, read by hand. In a short array the last request finds no element.
    struct Triple: Codable, Equatable {
        var number: Int
        var text: String?
        var flags: [Bool]

        init(number: Int, text: String?, flags: [Bool]) {
            (self.number, self.text, self.flags) = (number, text, flags)
        }

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            number = try container.decode(Int.self)
            text = try container.decodeNil() ? nil : try container.decode(String.self)
            var nested = try container.nestedUnkeyedContainer()
            flags = []
            while !nested.isAtEnd { flags.append(try nested.decode(Bool.self)) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(number)
            if let text { try container.encode(text) } else { try container.encodeNil() }
            var nested = container.nestedUnkeyedContainer()
            for flag in flags { try nested.encode(flag) }
        }
    }

    /// Reports the decoder's user info and keys.
    struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    struct Wrapper<Value: Codable & Equatable>: Codable, Equatable {
        var value: Value
    }

    /// A value that encodes nothing.
    struct Silent: Encodable {
        func encode(to encoder: any Encoder) throws {}
    }
}
