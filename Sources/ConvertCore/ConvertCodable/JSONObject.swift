import ConvertFormats

/// The members of a JSON object in their order; a name may be there more than once.
///
/// Names are compared by their UTF-8 bytes: `é` as one scalar and as two are different names, which `String` calls equal.
/// Two objects are equal when each name has the same values in the same order; how names follow each other says nothing.
public struct JSONObject: Sendable {
    /// One name and its value.
    public struct Member: Sendable, Hashable {
        /// The name, unescaped.
        public var name: String
        /// The value.
        public var value: JSONValue

        /// Creates a member.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// In the order of the text.
    public var members: [Member]

    /// Creates an object of members in their order, duplicates too.
    public init(_ members: [Member] = []) { self.members = members }

    /// The number of members; a duplicate counts, too.
    public var count: Int { members.count }
    /// Whether there is no member.
    public var isEmpty: Bool { members.isEmpty }

    /// The names in their order, as often as they are there.
    public var names: [String] { members.map(\.name) }

    /// The names that are there more than once, in the order of their second appearance.
    public var duplicateNames: [String] {
        var counts: [UTF8Name: Int] = [:]
        return members.compactMap { member in
            let count = counts[UTF8Name(member.name), default: 0] + 1
            counts[UTF8Name(member.name)] = count
            return count == 2 ? member.name : nil
        }
    }

    /// The value of the first member of that name.
    ///
    /// Setting gives it another one, or appends a member; setting nil removes every member of that name.
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

    /// Every value of that name, in order.
    public func values(named name: String) -> [JSONValue] {
        members.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }

    /// In the order of the names' UTF-8 bytes; values of one name keep theirs.
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
        // Order must not matter between names; addition takes care of that.
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

    private var valuesByName: [UTF8Name: [JSONValue]] {
        Dictionary(grouping: members) { UTF8Name($0.name) }.mapValues { $0.map(\.value) }
    }
}

extension JSONObject: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { members.count }
    public subscript(position: Int) -> Member { members[position] }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Members in the order of the literal, duplicates too.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.map { Member(name: $0.0, value: $0.1) })
    }
}

/// A name that is compared by its UTF-8 bytes.
struct UTF8Name: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: UTF8Name, right: UTF8Name) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(UInt8.max)
    }

    /// The first name that is there before; nil where each is there once.
    static func firstRepeated(in names: [String]) -> String? {
        var seen: Set<UTF8Name> = []
        return names.first { !seen.insert(UTF8Name($0)).inserted }
    }
}
