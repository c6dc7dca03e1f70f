import ConvertEngine
import ConvertFormats
import ConvertText
import FoundationEssentials

/// Writes binary property lists, `bplist00`: a head, objects, a table of their offsets and a trailer, all numbers big-endian.
///
/// An object begins with one byte. Its upper half is the kind. Its lower half is a count: for numbers, of bytes as a power of two,
/// otherwise of elements. The count 15 means that the count follows as an integer object. `BinaryPropertyList` reads such files.
/// Objects are numbered breadth first: each container in turn gives the next numbers to its children. Equal scalars
/// are one object, as in Apple's files, unless they are long: readers refuse a file that expands to far more than its own length.
struct BinaryPropertyListWriter {
    /// The upper half of an object's first byte.
    private enum Kind: UInt8 {
        /// `false` and `true`, which differ in the lower half.
        case constant = 0
        case integer = 1
        case real = 2
        case date = 3
        case data = 4
        case asciiString = 5
        case utf16String = 6
        case array = 10
        case dictionary = 13
    }

    /// The lower half of a constant's byte.
    private static let isFalse: UInt8 = 8, isTrue: UInt8 = 9
    /// The lower half of a real's or a date's byte, which is a double of eight bytes.
    private static let eightBytes: UInt8 = 3
    /// The lower half of an integer's byte for numbers beyond the signed range.
    private static let sixteenBytes: UInt8 = 4
    /// The lower half that means that a count follows.
    private static let countFollows: UInt8 = 15

    private struct Object {
        var value: SerializedValue
        /// Numbers of a container's children; for a dictionary, those of all keys and then those of all values.
        var references: [Int] = []
        /// The path to the object, for errors: the number of its parent, and the key or index there.
        var parent: Int?
        var segment = ""
        var depth = 0
    }

    /// The longest text, in bytes, whose equal scalars share one object. A reference takes at least one byte, so the JSON of
    /// the object is less than `TranslationLimits.maxRatio` times as long. Escapes can make JSON six times longer.
    private static let maxSharedBytes = 96, maxSharedEscapedBytes = 16

    private var objects: [Object] = []
    private var numbers: [SerializedValue: Int] = [:]
    private var bytes = BinaryPropertyList.signature

    mutating func write(_ value: SerializedValue) throws(SerializationError) -> [UInt8] {
        objects.append(Object(value: value))
        var index = 0
        while index < objects.count {
            try number(childrenOf: index)
            index += 1
        }
        let referenceBytes = Self.width(objects.count)
        var offsets: [Int] = []
        for index in objects.indices {
            offsets.append(bytes.count)
            try writeObject(index, referenceBytes: referenceBytes)
        }
        let table = bytes.count
        let offsetBytes = Self.width(table)
        for offset in offsets { append(UInt64(offset), bytes: offsetBytes) }
        bytes += [UInt8](repeating: 0, count: 6)
        bytes += [UInt8(offsetBytes), UInt8(referenceBytes)]
        for number in [objects.count, 0, table] { append(UInt64(number), bytes: 8) }
        return bytes
    }

    private mutating func number(childrenOf index: Int) throws(SerializationError) {
        guard objects[index].depth <= PropertyList.maxDepth else {
            throw error(
                at: index, expected: "at most \(PropertyList.maxDepth) nested objects and arrays", found: "more")
        }
        switch objects[index].value {
        case .array(let elements):
            for (position, element) in elements.enumerated() { add(element, to: index, at: String(position)) }
        case .object(let members):
            for member in members { add(.string(member.name), to: index, at: member.name) }
            for member in members { add(member.value, to: index, at: member.name) }
        default: break
        }
    }

    private mutating func add(_ value: SerializedValue, to parent: Int, at segment: String) {
        let isShared = Self.mayBeShared(value)
        let number = (isShared ? numbers[value] : nil) ?? objects.count
        objects[parent].references.append(number)
        guard number == objects.count else { return }
        objects.append(
            Object(value: value, parent: parent, segment: segment, depth: objects[parent].depth + 1))
        if isShared { numbers[value] = number }
    }

    private static func mayBeShared(_ value: SerializedValue) -> Bool {
        switch value {
        case .null, .boolean, .number, .date: return true
        case .data(let bytes): return bytes.count <= maxSharedBytes * 3 / 4
        case .string(let text):
            guard text.utf8.count > maxSharedEscapedBytes else { return true }
            let isPlain = text.utf8.allSatisfy { $0 >= ASCII.space && $0 != ASCII.quote && $0 != ASCII.backslash }
            return isPlain && text.utf8.count <= maxSharedBytes
        case .array, .object: return false
        }
    }

    // MARK: Objects

    private mutating func writeObject(_ index: Int, referenceBytes: Int) throws(SerializationError) {
        switch objects[index].value {
        case .null: throw error(at: index, expected: "a value that a property list can hold", found: "null")
        case .boolean(let isTrue):
            appendMarker(.constant, isTrue ? Self.isTrue : Self.isFalse)
        case .number(let text): try writeNumber(text, index)
        case .date(let date):
            guard DateText.utc.value(date) != nil else {
                throw error(at: index, expected: "a date in the years 0001 to 9999", found: "another date")
            }
            appendMarker(.date, Self.eightBytes)
            append(date.timeIntervalSinceReferenceDate.bitPattern, bytes: 8)
        case .data(let data):
            appendMarker(.data, count: data.count)
            bytes += data
        case .string(let text):
            if text.utf8.allSatisfy({ $0 < ASCII.firstNonASCII }) {
                appendMarker(.asciiString, count: text.utf8.count)
                bytes += text.utf8
            } else {
                appendMarker(.utf16String, count: text.utf16.count)
                for unit in text.utf16 { append(UInt64(unit), bytes: 2) }
            }
        case .array(let elements):
            appendMarker(.array, count: elements.count)
        case .object(let members):
            appendMarker(.dictionary, count: members.count)
        }
        for reference in objects[index].references { append(UInt64(reference), bytes: referenceBytes) }
    }

    private mutating func writeNumber(_ text: String, _ index: Int) throws(SerializationError) {
        let bytes = Array(text.utf8)
        guard NumberText.isNumber(bytes.span) else {
            throw error(at: index, expected: "a number", found: "other text")
        }
        if let integer = Int64(text) {
            appendInteger(integer)
        } else if let integer = UInt64(text) {
            // Integers above the signed range take sixteen bytes.
            appendMarker(.integer, Self.sixteenBytes)
            append(0, bytes: 8)
            append(integer, bytes: 8)
        } else if let number = Double(text), number.isFinite, !NumberText.isInteger(bytes.span) {
            guard JSONNumber(number) == JSONNumber(checkedText: text) else {
                throw error(
                    at: index, expected: "a number that a double holds", found: "one with more digits, or a smaller one"
                )
            }
            appendMarker(.real, Self.eightBytes)
            append(number.bitPattern, bytes: 8)
        } else {
            throw error(at: index, expected: "an integer of 64 bits or a finite double", found: "a larger number")
        }
    }

    /// Appends an integer. Negative integers take eight bytes, because the shorter forms have no sign.
    private mutating func appendInteger(_ value: Int64) {
        let power: UInt8 =
            switch value {
            case 0...Int64(UInt8.max): 0
            case 0...Int64(UInt16.max): 1
            case 0...Int64(UInt32.max): 2
            default: 3
            }
        appendMarker(.integer, power)
        append(UInt64(bitPattern: value), bytes: 1 << Int(power))
    }

    private mutating func appendMarker(_ kind: Kind, _ low: UInt8) {
        bytes.append(kind.rawValue << 4 | low)
    }

    private mutating func appendMarker(_ kind: Kind, count: Int) {
        guard count >= Int(Self.countFollows) else { return appendMarker(kind, UInt8(count)) }
        appendMarker(kind, Self.countFollows)
        appendInteger(Int64(count))
    }

    private mutating func append(_ value: UInt64, bytes count: Int) {
        for index in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(index * 8))) }
    }

    /// The smallest number of bytes, a power of two, for numbers up to `number`.
    private static func width(_ number: Int) -> Int {
        [1, 2, 4].first { UInt64(number) < 1 << UInt64($0 * 8) } ?? 8
    }

    private func error(at index: Int, expected: String, found: String) -> SerializationError {
        var error = SerializationError(expected: expected, found: found)
        var object = objects[index]
        while let parent = object.parent {
            error = error.nested(in: object.segment)
            object = objects[parent]
        }
        return error
    }
}
