import ConvertEngine
import ConvertText

/// A flat index of one JSON text: each token's start and end, and the index of the token after its value.
///
/// The text must be valid JSON; the engine checks that before. A container is followed by its elements, and an object by the
/// key and value of each member. So a reader only walks forward. Nothing is copied out of the text.
struct JSONTape: ~Copyable, Sendable {
    typealias Kind = JSONTapeBuilder.Kind
    typealias Token = JSONTapeBuilder.Token

    /// A step of a reader without containers: a member's key, or the index of an element.
    enum Step: BitwiseCopyable {
        case member(StaticString)
        case element(Int)

        var key: any CodingKey {
            switch self {
            case .member(let name): AnyCodingKey(name.description)
            case .element(let index): IndexKey(index)
            }
        }
    }

    var text: ByteBuffer
    var tokens = UniqueArray<Token>()
    /// The steps to the value that is being read.
    var steps = UniqueArray<Step>()

    /// Whether an object may have a key twice. Then every search begins at the first member, so that the first one counts.
    var mayHoldDuplicates = false

    /// For large objects that were searched often: the token of the first value of each key, by the object's token.
    private var memberTables: [Int: [ExactText: Int]] = [:]
    /// How many members of large objects searches have passed over.
    private var passed = 0

    /// The most members of an object that is always searched one by one.
    private static let maxSearchedMembers = 64
    /// The average number of times that each token is passed over before large objects get a table of their keys.
    private static let maxPassesPerToken = 4

    init(text: consuming ByteBuffer = ByteBuffer()) { self.text = text }

    var storedBytes: Int { text.capacity + tokens.storedBytes + steps.storedBytes }

    /// Indexes the text again; it must be valid JSON.
    mutating func index() {
        memberTables.removeAll()
        passed = 0
        steps.removeAll()
        // Keys are hashed in whole words.
        text.padWithSlack()
        var builder = JSONTapeBuilder()
        swap(&tokens, &builder.tokens)
        builder.build(text.bytes)
        swap(&tokens, &builder.tokens)
    }

    /// Becomes a copy of another tape.
    mutating func copy(_ other: borrowing JSONTape) {
        memberTables.removeAll()
        passed = 0
        text.removeAll()
        text.append(other.text.bytes)
        tokens.copy(other.tokens)
    }

    /// Gives a name of an object the rest of the text, from `start` on.
    mutating func setName(_ name: Int, in object: Int, from start: Int) {
        (tokens[name].start, tokens[name].end) = (start, text.count)
        let hasEscapes = (start..<text.count).contains { text[$0] == ASCII.backslash }
        tokens[name].hasEscapes = hasEscapes
        if hasEscapes { tokens[object].hasEscapes = true }
        memberTables[object] = nil
    }
}

// MARK: - Reading

extension JSONTape {
    /// The content of a string token without escapes; nil for any other token.
    @inline(__always)
    func plainString(_ index: Int) -> String? {
        let token = tokens[index]
        return token.kind == .string && !token.hasEscapes ? text.string(from: token.start, to: token.end) : nil
    }

    /// The value of a short integer; nil for any other token.
    @inline(__always)
    func shortInteger(_ index: Int) -> Int? {
        let token = tokens[index]
        guard token.kind == .number else { return nil }
        return text.shortInteger(from: token.start, to: token.end).flatMap(Int.init(exactly:))
    }

    /// The value of a short number; nil for any other token.
    @inline(__always)
    func shortDecimal(_ index: Int) -> Double? {
        let token = tokens[index]
        return token.kind == .number ? text.shortDecimal(from: token.start, to: token.end) : nil
    }

    /// The value of true or false; nil for any other token.
    @inline(__always)
    func boolean(_ index: Int) -> Bool? {
        let kind = tokens[index].kind
        return kind == .true ? true : kind == .false ? false : nil
    }

    /// Notes the step to a value inside the value at `depth` steps; steps of values that were read before are forgotten. Returns whether
    /// the value is an object without a key that has an escape.
    mutating func enter(_ step: Step, at depth: Int, to index: Int) -> Bool {
        steps.truncate(to: depth)
        steps.append(step)
        return isPlainObject(index)
    }

    /// Whether a token is an object without a key that has an escape.
    @inline(__always)
    func isPlainObject(_ index: Int) -> Bool { tokens[index].kind == .object && !tokens[index].hasEscapes }

    /// The content of a string token; nil if it has half of a surrogate pair.
    func string(_ index: Int) -> String? {
        let token = tokens[index]
        guard token.hasEscapes else { return text.string(from: token.start, to: token.end) }
        var content = ByteBuffer(capacity: token.end - token.start)
        let holdsLoneSurrogate = JSONText.appendContent(
            of: text.bytes.extracting(token.start..<token.end), to: &content)
        return holdsLoneSurrogate ? nil : content.string(from: 0, to: content.count)
    }

    /// The content of a string token in bytes; half of a surrogate pair is written as its three bytes.
    func content(_ index: Int) -> [UInt8] {
        JSONText.content(of: text.bytes.extracting(tokens[index].start..<tokens[index].end))
    }

    /// Whether both texts have the same kinds of values in the same order and nesting, whatever their keys are.
    func hasShape(of other: borrowing JSONTape) -> Bool {
        guard tokens.count == other.tokens.count else { return false }
        for index in 0..<tokens.count {
            let (mine, others) = (tokens[index], other.tokens[index])
            guard mine.kind == others.kind, mine.next == others.next, mine.count == others.count else { return false }
        }
        return true
    }

    /// Whether a key of this object has half of a surrogate pair, so that no `String` can equal it.
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

    /// The token of the value of the first member named `name`; nil if there is none. The search begins where the last one ended.
    mutating func value(in object: Int, named name: String) -> Int? {
        let end = tokens[object].next
        let expected = tokens[object].expected
        if expected < end, isNamed(expected, name) { return found(expected, in: object) }
        let isLarge = tokens[object].count > Self.maxSearchedMembers
        if isLarge, passed > tokens.count * Self.maxPassesPerToken { return value(inTableOf: object, named: name) }
        var index = expected
        for _ in 0..<tokens[object].count {
            if index >= end { index = object + 1 }
            if isLarge { passed += 1 }
            if isNamed(index, name) { return found(index, in: object) }
            index = tokens[index + 1].next
        }
        return nil
    }

    /// The same search for a key that is a literal of the program.
    mutating func value(in object: Int, named name: StaticString) -> Int? {
        let expected = tokens[object].expected
        if expected < tokens[object].next, !tokens[expected].hasEscapes,
            text.holds(name, from: tokens[expected].start, to: tokens[expected].end)
        {
            return found(expected, in: object)
        }
        return value(in: object, named: name.description)
    }

    /// The same search in a large object, by a table of its keys. Without one, reading in another order, or reading many missing keys,
    /// would pass over all members each time. Time would then grow with the square of the object.
    @inline(never)
    private mutating func value(inTableOf object: Int, named name: String) -> Int? {
        if memberTables[object] == nil { memberTables[object] = table(of: object) }
        return memberTables[object]?[ExactText(name)].map { found($0 - 1, in: object) }
    }

    private func table(of object: Int) -> [ExactText: Int] {
        var table: [ExactText: Int] = [:]
        table.reserveCapacity(tokens[object].count)
        var name = object + 1
        while name < tokens[object].next {
            // The first one of duplicate keys counts.
            if let text = string(name), table[ExactText(text)] == nil { table[ExactText(text)] = name + 1 }
            name = tokens[name + 1].next
        }
        return table
    }

    private mutating func found(_ name: Int, in object: Int) -> Int {
        if !mayHoldDuplicates { tokens[object].expected = tokens[name + 1].next }
        return name + 1
    }

    /// The JSON Pointer (RFC 6901) to the token `target`, from the value that begins at the token `start`.
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
                    // A key has no pointer of its own: the pointer is that of its member.
                    let name = isObject ? string(index) ?? "\u{FFFD}" : String(position)
                    pointer += PayloadPointer.step(Array(name.utf8))
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
