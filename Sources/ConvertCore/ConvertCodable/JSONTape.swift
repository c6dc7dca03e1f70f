import ConvertEngine

/// A flat index of one JSON text: where each token begins and ends, and where the value after it is.
///
/// The text must be valid JSON; the engine sees to that. A container is followed by its elements, and an object by the
/// name and value of each member. So a reader only walks forward. Nothing is copied out of the text.
struct JSONTape: ~Copyable, Sendable {
    typealias Kind = JSONTapeBuilder.Kind
    typealias Token = JSONTapeBuilder.Token

    /// A step of a reader without containers: a member's name, or the index of an element.
    struct Step: BitwiseCopyable {
        private var name: StaticString
        private var index: Int

        init(name: StaticString) { (self.name, index) = (name, -1) }

        init(index: Int) { (name, self.index) = ("", index) }

        var key: any CodingKey {
            if index >= 0 { return IndexKey(index) }
            return AnyCodingKey(name.description)
        }
    }

    var text: ByteBuffer
    var tokens = UniqueArray<Token>()
    /// The steps to the value that is being read.
    var steps = UniqueArray<Step>()

    /// Whether an object may have a name twice; then every search begins at the first member, so that the first one counts.
    var mayHoldDuplicates = false

    /// Where the first member of each name is, of large objects that were searched for long; the token of its value.
    private var places: [Int: [UTF8Name: Int]] = [:]
    /// Members of large objects that searches passed over.
    private var passed = 0

    /// Members up to which an object is searched one by one, whatever is asked of it.
    private static let maxSearchedMembers = 64
    /// How often, on the average, a token may be passed over before large objects get a table of their names.
    private static let maxPassesPerToken = 4

    init(text: consuming ByteBuffer = ByteBuffer()) { self.text = text }

    /// Reads the text anew; it must be valid JSON.
    mutating func index() {
        places.removeAll()
        passed = 0
        steps.removeAll()
        var builder = JSONTapeBuilder()
        swap(&tokens, &builder.tokens)
        builder.build(text.bytes)
        swap(&tokens, &builder.tokens)
    }
}

// MARK: - Reading

extension JSONTape {
    /// The content of a string token; nil where it holds half of a surrogate pair.
    func string(_ index: Int) -> String? {
        let token = tokens[index]
        guard token.hasEscapes else { return text.string(from: token.start, to: token.end) }
        var content = ByteBuffer(capacity: token.end - token.start)
        let holdsLoneSurrogate = JSONText.appendContent(
            of: text.bytes.extracting(token.start..<token.end), to: &content)
        return holdsLoneSurrogate ? nil : content.string(from: 0, to: content.count)
    }

    /// The content of a string token in bytes; half of a surrogate pair as the three bytes that it would have.
    func content(_ index: Int) -> [UInt8] {
        let token = tokens[index]
        var content = ByteBuffer(capacity: token.end - token.start)
        _ = JSONText.appendContent(of: text.bytes.extracting(token.start..<token.end), to: &content)
        return Array(content)
    }

    /// Whether the text has the same values one after the other, whatever its members are called.
    func hasShape(of other: borrowing JSONTape) -> Bool {
        guard tokens.count == other.tokens.count else { return false }
        for index in 0..<tokens.count {
            let (mine, others) = (tokens[index], other.tokens[index])
            guard mine.kind == others.kind, mine.next == others.next, mine.count == others.count else { return false }
        }
        return true
    }

    /// Whether a name of this object holds half of a surrogate pair, so that no `String` can be it.
    func hasBrokenName(_ object: Int) -> Bool {
        guard tokens[object].hasEscapes else { return false }
        var name = object + 1
        while name < tokens[object].next {
            if string(name) == nil { return true }
            name = tokens[name + 1].next
        }
        return false
    }

    /// The bytes of a token as they are in the text.
    func source(_ index: Int) -> String { text.string(from: tokens[index].start, to: tokens[index].end) }

    /// Whether a string token's content is `name`, compared by UTF-8 bytes.
    @inline(__always)
    func isNamed(_ index: Int, _ name: String) -> Bool {
        let token = tokens[index]
        if token.hasEscapes { return string(index).map { $0.utf8.elementsEqual(name.utf8) } ?? false }
        return text.holds(name, from: token.start, to: token.end)
    }

    /// The token of the value that the first member named `name` has, looked for where the last search ended.
    mutating func value(in object: Int, named name: String) -> Int? {
        let end = tokens[object].next
        let expected = tokens[object].expected
        if expected < end, isNamed(expected, name) { return found(expected, in: object) }
        guard tokens[object].count <= Self.maxSearchedMembers else { return value(inLarge: object, named: name) }
        var index = expected
        while index < end {
            if isNamed(index, name) { return found(index, in: object) }
            index = tokens[index + 1].next
        }
        index = object + 1
        while index < expected {
            if isNamed(index, name) { return found(index, in: object) }
            index = tokens[index + 1].next
        }
        return nil
    }

    /// The same for a name that the program has as a literal.
    mutating func value(in object: Int, named name: StaticString) -> Int? {
        let expected = tokens[object].expected
        if expected < tokens[object].next, !tokens[expected].hasEscapes,
            text.holds(name, from: tokens[expected].start, to: tokens[expected].end)
        {
            return found(expected, in: object)
        }
        return value(in: object, named: name.description)
    }

    /// A member that does not follow the last one found. Without a table, reading in another order, or asking for many missing
    /// members, would pass over all of them each time. Time would then grow with the square of the object.
    @inline(never)
    private mutating func value(inLarge object: Int, named name: String) -> Int? {
        guard passed <= tokens.count * Self.maxPassesPerToken else {
            if places[object] == nil { places[object] = table(of: object) }
            return places[object]?[UTF8Name(name)].map { found($0 - 1, in: object) }
        }
        let (start, end) = (object + 1, tokens[object].next)
        let expected = tokens[object].expected
        var index = expected
        for _ in 0..<tokens[object].count {
            if index >= end { index = start }
            passed += 1
            if isNamed(index, name) { return found(index, in: object) }
            index = tokens[index + 1].next
        }
        return nil
    }

    private func table(of object: Int) -> [UTF8Name: Int] {
        var table: [UTF8Name: Int] = [:]
        table.reserveCapacity(tokens[object].count)
        var name = object + 1
        while name < tokens[object].next {
            // Of duplicates the first one counts.
            if let text = string(name), table[UTF8Name(text)] == nil { table[UTF8Name(text)] = name + 1 }
            name = tokens[name + 1].next
        }
        return table
    }

    private mutating func found(_ name: Int, in object: Int) -> Int {
        if !mayHoldDuplicates { tokens[object].expected = tokens[name + 1].next }
        return name + 1
    }

    /// The JSON Pointer (RFC 6901) to a token, from the value that begins at `start`.
    func pointer(to target: Int, from start: Int = 0) -> String {
        var pointer = ""
        var container = start
        while container < target, tokens[container].next > target {
            let isObject = tokens[container].kind == .object
            var index = container + 1
            var position = 0
            while true {
                let value = isObject ? index + 1 : index
                guard tokens[value].next <= target else {
                    // A member's name is not a place of its own: the pointer is the member's.
                    let name = isObject ? string(index) ?? "\u{FFFD}" : String(position)
                    pointer += "/" + JSONPointer.escaped(name)
                    container = value
                    break
                }
                index = tokens[value].next
                position += 1
            }
        }
        return pointer
    }
}
