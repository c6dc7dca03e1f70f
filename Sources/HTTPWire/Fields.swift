import Text

/// Header fields in the order they were sent or appended, names compared without case, values kept as bytes.
///
/// All text is in one buffer of complete field lines; a field is four offsets into it. A String is made only if the caller
/// asks for one.
public struct Fields: Sendable {
    struct Entry: Sendable {
        var nameStart: UInt32
        var nameEnd: UInt32
        var valueStart: UInt32
        var valueEnd: UInt32

        @inline(__always)
        func hasName(of length: Int) -> Bool { Int(nameEnd &- nameStart) == length }
    }

    /// Lines of `name: value CRLF`; in a parsed head the request line is before them and an empty line after them.
    var storage: [UInt8] = []
    var entries: [Entry] = []
    /// The start of the field lines in `storage`.
    var linesStart = 0
    /// The end of the field lines in `storage`.
    var linesEnd = 0

    public init() {}

    public var count: Int { entries.count }

    /// Appends one field line.
    ///
    /// The name must be a token. A control character in the value becomes a space, so that no value can end its line
    /// (RFC 9110 §5.5).
    public mutating func append(_ name: String, _ value: String) {
        appendLine(name.utf8.span, value.utf8.span)
    }

    /// Appends one field line whose value is given in bytes.
    public mutating func append(_ name: String, bytes value: ArraySlice<UInt8>) {
        appendLine(name.utf8.span, value.span)
    }

    private mutating func appendLine(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        precondition(linesEnd == storage.count, "a parsed head cannot be appended to")
        precondition(Self.isToken(name), "a field name is a token")
        if entries.isEmpty { reserveUsual() }
        let nameStart = storage.count
        storage.append(span: name)
        storage.append(ASCII.colon)
        storage.append(ASCII.space)
        let valueStart = storage.count
        storage.append(span: value)
        let valueEnd = storage.count
        for index in value.indices where !ASCII.isFieldContent(value[index]) {
            storage[valueStart + index] = ASCII.space
        }
        storage.append(ASCII.carriageReturn)
        storage.append(ASCII.lineFeed)
        entries.append(
            Entry(
                nameStart: UInt32(nameStart), nameEnd: UInt32(nameStart + name.count),
                valueStart: UInt32(valueStart), valueEnd: UInt32(valueEnd)))
        linesEnd = storage.count
    }

    private static func isToken(_ name: Span<UInt8>) -> Bool {
        for index in name.indices where !ASCII.isToken(name[index]) { return false }
        return !name.isEmpty
    }

    /// Reserves the size of a usual head at once, instead of growing in steps.
    mutating func reserveUsual() {
        storage.reserveCapacity(Self.usualBytes)
        entries.reserveCapacity(Self.usualCount)
    }

    static let usualBytes = 512
    static let usualCount = 16
    private static let maxKeptBytes = 4 * 1024

    /// The name of the field at `index` as it was spelt.
    public func name(at index: Int) -> String {
        String(decoding: nameBytes(at: index), as: UTF8.self)
    }

    /// The name of the field at `index` as it was spelt, in bytes.
    public func nameBytes(at index: Int) -> ArraySlice<UInt8> {
        let entry = entries[index]
        return storage[Int(entry.nameStart)..<Int(entry.nameEnd)]
    }

    /// The value of the field at `index`, without the white space around it.
    public func valueBytes(at index: Int) -> ArraySlice<UInt8> {
        let entry = entries[index]
        return storage[Int(entry.valueStart)..<Int(entry.valueEnd)]
    }

    /// The value of the field at `index`; bytes that are not UTF-8 become U+FFFD.
    public func value(at index: Int) -> String {
        String(decoding: valueBytes(at: index), as: UTF8.self)
    }

    /// The value of the first field with this name.
    public subscript(name: String) -> String? {
        firstIndex(of: name).map(value(at:))
    }

    /// The bytes of the first field with this name.
    public func bytes(for name: String) -> ArraySlice<UInt8>? {
        firstIndex(of: name).map(valueBytes(at:))
    }

    /// The value of Content-Length; nil if there is none, or if it is not a number in digits.
    public var contentLength: Int? { bytes(for: "content-length").flatMap(Decimal.value) }

    /// The values of every field with this name, in order.
    public func values(for name: String) -> [String] {
        guard let first = firstIndex(of: name) else { return [] }
        var values = [value(at: first)]
        for index in first + 1..<entries.count where isName(at: index, name) { values.append(value(at: index)) }
        return values
    }

    /// The values of every field with this name as one list (RFC 9110 §5.3), in bytes; nil if there is none.
    public func list(for name: String) -> [UInt8]? {
        var list: [UInt8]?
        for index in entries.indices where isName(at: index, name) {
            list = (list.map { $0 + ", ".utf8 } ?? []) + valueBytes(at: index)
        }
        return list
    }

    /// How many field lines have this name.
    public func count(of name: String) -> Int {
        var count = 0
        let length = name.utf8.count
        for index in entries.indices where entries[index].hasName(of: length) && isName(at: index, name) { count += 1 }
        return count
    }

    /// The index of the first field with this name.
    public func firstIndex(of name: String) -> Int? {
        let length = name.utf8.count
        for index in entries.indices where entries[index].hasName(of: length) && isName(at: index, name) {
            return index
        }
        return nil
    }

    /// Whether a field with this name is a list (RFC 9110 §5.6.1) with this word, which is in lower case.
    public func lists(_ word: String, in name: String) -> Bool {
        entries.indices.contains { index in
            isName(at: index, name) && ListElements(valueBytes(at: index)).contains { $0.spells(word) }
        }
    }

    /// Whether the field at `index` has this name in any case.
    @inline(__always)
    public func isName(at index: Int, _ name: String) -> Bool {
        let entry = entries[index]
        let expected = name.utf8.span
        guard entry.hasName(of: expected.count) else { return false }
        let start = Int(entry.nameStart)
        for offset in expected.indices
        where ASCII.lowercased(storage[start + offset]) != ASCII.lowercased(expected[offset]) {
            return false
        }
        return true
    }

    /// Whether no field has one of these names. The length of a name excludes nearly all others.
    func hasNone(of names: FieldNames) -> Bool {
        for index in entries.indices {
            let length = Int(entries[index].nameEnd - entries[index].nameStart)
            if !names.range(of: length).isEmpty, names.contains(nameBytes(at: index)) { return false }
        }
        return true
    }

    /// Removes the field lines after the first `count`, which were appended, and keeps the storage.
    public mutating func removeAll(after count: Int) {
        precondition(linesEnd == storage.count, "a parsed head cannot be changed")
        guard count < entries.count else { return }
        linesEnd = Int(entries[count].nameStart)
        entries.removeSubrange(count...)
        storage.removeSubrange(linesEnd...)
    }

    /// Removes all fields. A small storage is kept; a larger one is released, so that idle connections stay small.
    mutating func removeAll() {
        guard storage.capacity <= Self.maxKeptBytes else {
            self = Fields()
            return
        }
        storage.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        linesStart = 0
        linesEnd = 0
    }
}
