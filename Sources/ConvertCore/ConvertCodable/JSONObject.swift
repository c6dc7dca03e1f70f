import ConvertText

/// The members of a JSON object in their order; a key may occur more than once.
///
/// Keys are compared by their UTF-8 bytes: `é` as one scalar and as two are different keys, which `String` calls equal.
/// Two objects are equal when each key has the same values in the same order. The order of different keys does not matter.
public struct JSONObject: Sendable {
    /// One key and its value.
    public struct Member: Sendable, Hashable {
        /// The key, without escapes.
        public var name: String
        /// The value.
        public var value: JSONValue

        /// Creates a member.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The members in the order of the text.
    public var members: [Member]

    /// Creates an object from members in their order, including duplicates.
    public init(_ members: [Member] = []) { self.members = members }

    /// The number of members, including duplicates.
    public var count: Int { members.count }
    /// Whether the object has no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The keys in their order, including duplicates.
    public var names: [String] { members.map(\.name) }

    /// The keys that occur more than once, in the order of their second occurrence.
    public var duplicateNames: [String] {
        var counts: [ExactText: Int] = [:]
        return members.compactMap { member in
            let count = counts[ExactText(member.name), default: 0] + 1
            counts[ExactText(member.name)] = count
            return count == 2 ? member.name : nil
        }
    }

    /// The value of the first member with this key.
    ///
    /// Setting a value replaces that member's value or appends a member. Setting nil removes every member with this key.
    public subscript(name: String) -> JSONValue? {
        get { firstIndex(of: name).map { members[$0].value } }
        set {
            guard let newValue else { return members.removeAll { $0.name.utf8.elementsEqual(name.utf8) } }
            if let index = firstIndex(of: name) {
                members[index].value = newValue
            } else {
                members.append(Member(name: name, value: newValue))
            }
        }
    }

    /// Every value of this key, in order.
    public func values(named name: String) -> [JSONValue] {
        members.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }

    /// The members in the order of their keys' UTF-8 bytes. Members with the same key keep their order.
    var sortedMembers: [Member] {
        members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    private func firstIndex(of name: String) -> Int? {
        members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
    }
}

extension JSONObject: Hashable {
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        let haveSameNames = zip(left.members, right.members).allSatisfy { $0.name.utf8.elementsEqual($1.name.utf8) }
        if haveSameNames { return zip(left.members, right.members).allSatisfy { $0.value == $1.value } }
        return left.valuesByName == right.valuesByName
    }

    public func hash(into hasher: inout Hasher) {
        // The order of different keys must not matter, so their hashes are added.
        var sum = 0
        for (name, values) in valuesByName {
            var member = Hasher()
            member.combine(name)
            member.combine(values)
            sum &+= member.finalize()
        }
        hasher.combine(count)
        hasher.combine(sum)
    }

    private var valuesByName: [ExactText: [JSONValue]] {
        Dictionary(grouping: members) { ExactText($0.name) }.mapValues { $0.map(\.value) }
    }
}

extension JSONObject: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { members.count }
    public subscript(position: Int) -> Member { members[position] }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object from the members in the order of the literal, including duplicates.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.map { Member(name: $0.0, value: $0.1) })
    }
}

extension ExactText {
    /// The first name that equals an earlier one; nil if all are different.
    static func firstRepeated(in names: [String]) -> String? {
        var seen: Set<ExactText> = []
        return names.first { !seen.insert(ExactText($0)).inserted }
    }
}
