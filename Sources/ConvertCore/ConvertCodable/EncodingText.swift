import ConvertEngine
import ConvertText

/// The JSON text of one run of an encoder, and the values that are being appended to it.
///
/// A value that is being written is a scope. The values inside it are scopes after it, and each ends before the next one begins.
/// So nearly all text is written once and in order. Containers that a type opens side by side, and members that are written twice,
/// are not in order. Their scope becomes a tree (`EncodingNode`) of pieces at the end of the text. When the scope ends, the tree's
/// text replaces the pieces.
struct EncodingText: ~Copyable {
    enum Shape: UInt8 { case empty, scalar, array, object }

    struct Scope: BitwiseCopyable {
        /// The offset at which the value's text begins.
        var start: Int
        var shape = Shape.empty
        /// Whether the object's keys are data.
        var isData = false
        /// The index of the tree that the value has become, or -1.
        var tree = -1
        /// Elements or members.
        var count = 0
        /// The index in `names` of the object's first key.
        var firstName: Int
    }

    /// The key of a written member: the string with its quotes. A colon and the value follow it.
    struct Name: BitwiseCopyable {
        var start: Int
        var end: Int
        /// The hash of the key's bytes, which tells most keys apart.
        var hash: UInt64
    }

    var bytes = ByteBuffer()
    private(set) var scopes = UniqueArray<Scope>()
    private var names = UniqueArray<Name>()
    /// Marks the keys that are data; nil if no case rule would rewrite them.
    let dataKeys: DataKeys?
    /// Whether the text may contain markers.
    private(set) var hasMarkers = false

    /// The most members of an object whose keys are compared one by one.
    fileprivate static let maxSearchedMembers = 24
    /// The hashes of the keys of larger objects, by the index of the object's first key.
    private var hashes: [Int: Set<UInt64>] = [:]

    init(_ dataKeys: DataKeys?) { self.dataKeys = dataKeys }

    // MARK: Scopes

    /// Begins a value; returns its scope.
    mutating func open() -> Int {
        scopes.append(Scope(start: bytes.count, firstName: names.count))
        return scopes.count - 1
    }

    /// Begins a container in a scope; does nothing if that container has already begun.
    mutating func begin(_ shape: Shape, isData: Bool, in scope: Int) {
        guard scopes[scope].shape != shape else { return }
        precondition(scopes[scope].shape == .empty, "a value is encoded twice, as different things")
        scopes[scope].shape = shape
        scopes[scope].isData = isData
        bytes.append(shape == .object ? ASCII.openBrace : ASCII.openBracket)
    }

    /// Makes the scope's value a scalar; the caller writes its text.
    mutating func beginScalar(in scope: Int) {
        precondition(scopes[scope].shape == .empty, "a value is encoded twice")
        scopes[scope].shape = .scalar
    }

    /// Ends the last scope, which has no tree; a value that encoded nothing is `{}`.
    mutating func close() {
        let scope = scopes.removeLast()
        switch scope.shape {
        case .scalar: break
        case .array: bytes.append(ASCII.closeBracket)
        case .object: bytes.append(ASCII.closeBrace)
        case .empty:
            bytes.append(ASCII.openBrace)
            bytes.append(ASCII.closeBrace)
        }
        forgetNames(from: scope.firstName)
    }

    /// Ends the last scope, whose value is `text`.
    mutating func close(writing text: borrowing ByteBuffer) {
        let scope = scopes.removeLast()
        bytes.truncate(to: scope.start)
        bytes.append(text.bytes)
        forgetNames(from: scope.firstName)
    }

    mutating func setTree(_ tree: Int, of scope: Int) { scopes[scope].tree = tree }

    // MARK: Elements and members

    /// The state that is restored if a value cannot be encoded.
    struct Mark {
        fileprivate var scopes: Int
        fileprivate var last: Scope
        fileprivate var names: Int
        fileprivate var bytes: Int
    }

    func mark() -> Mark {
        Mark(scopes: scopes.count, last: scopes[scopes.count - 1], names: names.count, bytes: bytes.count)
    }

    mutating func rollBack(to mark: Mark) {
        scopes.truncate(to: mark.scopes)
        scopes[mark.scopes - 1] = mark.last
        forgetNames(from: mark.names)
        bytes.truncate(to: mark.bytes)
    }

    /// Writes the comma before an element, if there is one, and counts the element.
    @inline(__always)
    mutating func beginElement(in scope: Int) {
        precondition(scope == scopes.count - 1, "an array is written to while another value in it is encoded")
        if scopes[scope].count > 0 { bytes.append(ASCII.comma) }
        scopes[scope].count += 1
    }

    /// Writes a member's key and colon. Returns false and writes nothing if the object already has that key.
    mutating func beginMember(_ name: String, in scope: Int) -> Bool {
        precondition(scope == scopes.count - 1, "an object is written to while another value in it is encoded")
        let bytesBefore = bytes.count
        if scopes[scope].count > 0 { bytes.append(ASCII.comma) }
        let start = bytes.count
        appendName(name, isData: scopes[scope].isData)
        var entry = Name(start: start, end: bytes.count, hash: 0)
        entry.hash = hash(from: start, to: entry.end)
        guard !isTaken(entry, in: scope) else {
            bytes.truncate(to: bytesBefore)
            return false
        }
        names.append(entry)
        scopes[scope].count += 1
        bytes.append(ASCII.colon)
        return true
    }

    /// Appends a dynamic value whose keys have markers.
    mutating func append(marked value: JSONValue) {
        hasMarkers = true
        value.write(into: &bytes)
    }

    /// Appends a member's key as a JSON string, with a marker if it is data.
    mutating func appendName(_ name: String, isData: Bool) {
        guard isData, let dataKeys, dataKeys.marks(name) else { return JSONText.appendString(name, to: &bytes) }
        hasMarkers = true
        bytes.append(ASCII.quote)
        bytes.append(dataKeys.marker)
        JSONText.appendSpelling(ofText: name.utf8.span, to: &bytes)
        bytes.append(ASCII.quote)
    }

    private func hash(from start: Int, to end: Int) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in start..<end { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
        return hash
    }

    private mutating func isTaken(_ name: Name, in scope: Int) -> Bool {
        let first = scopes[scope].firstName
        guard names.count - first <= Self.maxSearchedMembers else {
            var known = hashes[first] ?? []
            if known.isEmpty { for index in first..<names.count { known.insert(names[index].hash) } }
            hashes[first] = nil
            let isNew = known.insert(name.hash).inserted
            hashes[first] = known
            return !isNew && isListed(name, from: first)
        }
        return isListed(name, from: first)
    }

    private func isListed(_ name: Name, from first: Int) -> Bool {
        var index = first
        while index < names.count {
            if names[index].hash == name.hash, areEqual(names[index].start..<names[index].end, name.start..<name.end) {
                return true
            }
            index += 1
        }
        return false
    }

    fileprivate func areEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        left.count == right.count
            && bytes.equals(from: left.lowerBound, length: left.count, bytes, from: right.lowerBound)
    }

    fileprivate func copy(of range: Range<Int>) -> [UInt8] { [UInt8](copying: bytes.bytes.extracting(range)) }

    private mutating func forgetNames(from first: Int) {
        if !hashes.isEmpty { for object in hashes.keys where object >= first { hashes[object] = nil } }
        names.truncate(to: min(first, names.count))
    }

    // MARK: Trees

    /// The keys and values of the object that the last scope has written so far.
    func members(of scope: Int) -> [(name: Range<Int>, value: Range<Int>)] {
        let first = scopes[scope].firstName
        return (first..<names.count).map { index in
            // A value ends before the comma of the next one.
            let end = index + 1 < names.count ? names[index + 1].start - 1 : bytes.count
            return (names[index].start..<names[index].end, (names[index].end + 1)..<end)
        }
    }

    /// The text of the elements that the last scope has written of an array, with the commas between them.
    func elements(of scope: Int) -> Range<Int> { (scopes[scope].start + 1)..<bytes.count }
}

/// A value whose parts were not written in order.
struct EncodingNode {
    enum Value {
        /// A range of `EncodingText.bytes`.
        case text(Range<Int>)
        /// Another node, by its index.
        case node(Int)
    }

    struct Part {
        /// The range of the key's text; empty for an element.
        var name: Range<Int>
        var value: Value
    }

    var shape = EncodingText.Shape.empty
    var isData = false
    var parts: [Part] = []
    /// Elements or members; a part of an array may be several elements.
    var count = 0
    /// The indices of the parts of a large object, by the text of their keys.
    private(set) var table: [[UInt8]: Int] = [:]

    /// The index of the part with a key; nil if there is none.
    mutating func index(of name: Range<Int>, in text: borrowing EncodingText) -> Int? {
        guard parts.count > EncodingText.maxSearchedMembers else {
            for index in parts.indices where text.areEqual(parts[index].name, name) { return index }
            return nil
        }
        for index in table.count..<parts.count { table[text.copy(of: parts[index].name)] = index }
        return table[text.copy(of: name)]
    }

    mutating func begin(_ shape: EncodingText.Shape, isData: Bool) {
        precondition(self.shape == .empty || self.shape == shape, "a value is encoded twice, as different things")
        if self.shape == .empty { self.isData = isData }
        self.shape = shape
    }

    mutating func append(_ value: Value) {
        parts.append(Part(name: 0..<0, value: value))
        count += 1
    }
}
