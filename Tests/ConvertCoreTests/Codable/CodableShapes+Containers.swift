import FoundationEssentials

/// Types that use their containers in less usual ways.
extension Shape {
    /// Keys with integer raw values; the payload has their names, not their numbers.
    struct Numbered: Codable, Equatable {
        enum CodingKeys: Int, CodingKey {
            case first = 10
            case second = 20
        }

        var first: Int
        var second: [Int]
    }

    /// Keys in the payload that differ from the property names.
    struct Renamed: Codable, Equatable {
        enum CodingKeys: String, CodingKey {
            case id = "a/b"
            case label = "~"
        }

        var id: Int
        var label: String?
    }

    struct Bits: OptionSet, Codable {
        let rawValue: UInt8
    }

    /// A value in a single-value container.
    struct Boxed: Codable, Equatable {
        var value: Int

        init(value: Int) { self.value = value }

        init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(Int.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    /// A number, a string, a list or null, found by trying one kind after the other.
    enum Either: Codable, Equatable {
        case number(Double)
        case text(String)
        case list([Either])
        case nothing

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .nothing
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .list(try container.decode([Either].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            case .list(let list): try container.encode(list)
            case .nothing: try container.encodeNil()
            }
        }
    }

    /// An enum with associated values: labelled, unlabelled, optional, and one that is another enum.
    enum Event: Codable, Equatable {
        case click(x: Int, y: Int?, Bits)
        case nested(Payload, tags: [String: Level])
        case `default`
    }

    /// Elements read through nested containers, keyed and unkeyed, and through a super decoder.
    struct Rows: Codable, Equatable {
        var name: Int
        var list: [Int]
        var base: String

        init(name: Int, list: [Int], base: String) { (self.name, self.list, self.base) = (name, list, base) }

        init(from decoder: any Decoder) throws {
            var rows = try decoder.unkeyedContainer()
            name = try rows.nestedContainer(keyedBy: Name.self).decode(Int.self, forKey: Name(stringValue: "n"))
            var inner = try rows.nestedUnkeyedContainer()
            list = []
            while let element = try inner.decodeIfPresent(Int.self) { list.append(element) }
            base = try rows.superDecoder().singleValueContainer().decode(String.self)
        }

        func encode(to encoder: any Encoder) throws {
            var rows = encoder.unkeyedContainer()
            var keyed = rows.nestedContainer(keyedBy: Name.self)
            try keyed.encode(name, forKey: Name(stringValue: "n"))
            var inner = rows.nestedUnkeyedContainer()
            try inner.encode(contentsOf: list)
            var single = rows.superEncoder().singleValueContainer()
            try single.encode(base)
        }
    }

    /// A base value under its own key `base`, not under "super".
    struct Based: Codable, Equatable {
        enum CodingKeys: CodingKey { case own, base }
        var own: Bool
        var base: Person

        init(own: Bool, base: Person) { (self.own, self.base) = (own, base) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            own = try container.decodeIfPresent(Bool.self, forKey: .own) ?? false
            base = try Person(from: container.superDecoder(forKey: .base))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(own, forKey: .own)
            try base.encode(to: container.superEncoder(forKey: .base))
        }
    }

    /// Refuses odd numbers in decoding and negative ones in encoding, with errors that it makes itself.
    struct Even: Codable, Equatable {
        var half: Int

        init(half: Int) { self.half = half }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Name.self)
            let key = Name(stringValue: "even")
            let number = try container.decode(Int.self, forKey: key)
            guard number.isMultiple(of: 2) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "odd")
            }
            half = number / 2
        }

        func encode(to encoder: any Encoder) throws {
            guard half >= 0 else {
                let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "negative")
                throw EncodingError.invalidValue(half, context)
            }
            try ["even": half * 2].encode(to: encoder)
        }
    }

    /// The coding path and the user info that the coder passes to it.
    struct Path: Codable, Equatable {
        static let key = CodingUserInfoKey(rawValue: "witness")
        var path: String

        init(path: String = "") { self.path = path }

        init(from decoder: any Decoder) throws { path = Self.text(decoder.codingPath, decoder.userInfo) }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(Self.text(encoder.codingPath, encoder.userInfo))
        }

        private static func text(_ path: [any CodingKey], _ info: [CodingUserInfoKey: Any]) -> String {
            let told = key.flatMap { info[$0] as? String } ?? ""
            return path.map { "\($0.stringValue)(\($0.intValue ?? -1))" }.joined(separator: ".") + told
        }
    }

    /// The facts that containers report while they are read: keys, counts, indices and nulls.
    struct Census: Codable, Equatable {
        var text: String

        init(from decoder: any Decoder) throws {
            var text = ""
            if let keyed = try? decoder.container(keyedBy: Name.self) {
                for key in keyed.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
                    let isNil = try keyed.decodeNil(forKey: key)
                    text += "\(key.stringValue) \(keyed.contains(key)) \(isNil);"
                }
                text += "\(keyed.contains(Name(stringValue: "absent")))"
            } else if var list = try? decoder.unkeyedContainer() {
                text += "\(list.count ?? -1)"
                while !list.isAtEnd {
                    let isNil = try list.decodeNil()
                    text += " \(list.currentIndex) \(isNil)"
                    if !isNil { _ = try list.superDecoder() }
                }
                text += " \(list.currentIndex)"
            } else {
                text = "\(try decoder.singleValueContainer().decodeNil())"
            }
            self.text = text
        }
    }
}
