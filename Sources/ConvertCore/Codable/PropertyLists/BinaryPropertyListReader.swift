import FoundationEssentials

/// Reads binary property lists.
///
/// The reader holds the containers that are open, innermost last, each with the references that it has still to follow. Each
/// turn of the loop follows one. A file may refer to one object many times, and to an object around it: scalars are read once
/// and shared, depth and the number of values are limited.
struct BinaryPropertyListReader {
    private struct Container {
        var references: ArraySlice<Int>
        /// Names of a dictionary's values; nil for an array.
        var names: [String]?
        var values: [SerializedValue] = []

        var value: SerializedValue {
            guard let names else { return .array(values) }
            return .object(zip(names, values).map { .init($0, $1) })
        }
    }

    /// Values that a file may come to, counting each as often as it is referred to.
    private static let maxValues = 4_000_000

    private let file: [UInt8]
    private let offsets: [Int]
    private let top: Int
    private let referenceBytes: Int
    private var scalars: [Int: SerializedValue] = [:]
    private var open: [Container] = []
    private var count = 0

    init(_ file: [UInt8]) throws(PropertyListFault) {
        let trailer = file.count - BinaryPropertyList.trailerBytes
        guard trailer >= BinaryPropertyList.head.count, file.starts(with: BinaryPropertyList.head) else {
            throw PropertyListFault(message: "expected bplist00 with a trailer", offset: 0)
        }
        let (offsetBytes, referenceBytes) = (Int(file[trailer + 6]), Int(file[trailer + 7]))
        func number(_ place: Int) -> Int? { Self.number(file, at: trailer + 8 + place * 8, bytes: 8) }
        guard 1...8 ~= offsetBytes, 1...8 ~= referenceBytes, let count = number(0), let top = number(1),
            let table = number(2), table <= trailer, count <= (trailer - table) / offsetBytes, top < count
        else { throw PropertyListFault(message: "expected a trailer that fits the file", offset: trailer) }
        var offsets: [Int] = []
        for index in 0..<count {
            let place = table + index * offsetBytes
            guard let offset = Self.number(file, at: place, bytes: offsetBytes), offset < table else {
                throw PropertyListFault(message: "expected the offset of an object", offset: place)
            }
            offsets.append(offset)
        }
        self.file = file
        self.offsets = offsets
        self.top = top
        self.referenceBytes = referenceBytes
    }

    mutating func read() throws(PropertyListFault) -> SerializedValue {
        var finished = try value(of: top)
        while var container = open.popLast() {
            if let value = finished { container.values.append(value) }
            if let next = container.references.popFirst() {
                open.append(container)
                finished = try value(of: next)
            } else {
                finished = container.value
            }
        }
        guard let finished else { throw fault("expected a value", at: 0) }
        return finished
    }

    /// A scalar's value; nil for a container, which is then the innermost of those that are open.
    private mutating func value(of object: Int) throws(PropertyListFault) -> SerializedValue? {
        count += 1
        guard count <= Self.maxValues else { throw fault("more than \(Self.maxValues) values", at: 0) }
        if let known = scalars[object] { return known }
        let start = try offset(of: object, from: 0)
        let kind = try kind(at: start)
        switch kind {
        case .array, .dictionary:
            guard open.count < PropertyList.maxDepth else {
                throw fault("more than \(PropertyList.maxDepth) containers are open", at: start)
            }
            open.append(try container(at: start, isDictionary: kind == .dictionary))
            return nil
        default:
            let value = try scalar(kind, at: start)
            scalars[object] = value
            return value
        }
    }

    private mutating func container(at start: Int, isDictionary: Bool) throws(PropertyListFault) -> Container {
        var (place, count) = try body(at: start)
        let each = isDictionary ? 2 : 1
        guard count <= (file.count - place) / referenceBytes / each else {
            throw fault("expected references inside the file", at: start)
        }
        var references: [Int] = []
        for _ in 0..<(count * each) {
            guard let reference = Self.number(file, at: place, bytes: referenceBytes) else {
                throw fault("expected a reference", at: place)
            }
            references.append(reference)
            place += referenceBytes
        }
        guard isDictionary else { return Container(references: references[...]) }
        var names: [String] = []
        for reference in references.prefix(count) {
            let name = try offset(of: reference, from: start)
            let kind = try kind(at: name)
            guard kind == .asciiString || kind == .utf16String else {
                throw fault("expected a string as a key", at: name)
            }
            let known = scalars[reference]
            let value = if let known { known } else { try scalar(kind, at: name) }
            scalars[reference] = value
            names.append(value.string ?? "")
        }
        return Container(references: references.dropFirst(count), names: names)
    }

    // MARK: Scalars

    private func scalar(_ kind: BinaryPropertyList.Kind, at start: Int) throws(PropertyListFault) -> SerializedValue {
        let low = file[start] & BinaryPropertyList.countFollows
        switch kind {
        case .constant:
            switch low {
            case BinaryPropertyList.null: return .null
            case BinaryPropertyList.isFalse: return .boolean(false)
            case BinaryPropertyList.isTrue: return .boolean(true)
            default: throw fault("expected null, false or true", at: start)
            }
        case .integer: return .number(try integer(at: start))
        case .real, .date:
            guard let number = double(low, at: start + 1), number.isFinite else {
                throw fault("expected a finite number of four or eight bytes", at: start)
            }
            return kind == .date
                ? .date(Date(timeIntervalSinceReferenceDate: number)) : .number(number.description)
        case .data: return .data(Array(try slice(at: start, bytesEach: 1)))
        case .asciiString:
            let text = try slice(at: start, bytesEach: 1)
            guard text.allSatisfy({ $0 < ASCII.firstNonASCII }) else { throw fault("expected ASCII", at: start) }
            return .string(String(decoding: text, as: UTF8.self))
        case .utf16String:
            let text = try slice(at: start, bytesEach: 2)
            let units = stride(from: text.startIndex, to: text.endIndex, by: 2).map {
                UInt16(text[$0]) << 8 | UInt16(text[$0 + 1])
            }
            guard let string = String(validating: units, as: UTF16.self) else {
                throw fault("expected UTF-16", at: start)
            }
            return .string(string)
        case .array, .dictionary: throw fault("expected a scalar", at: start)
        }
    }

    /// One, two or four bytes without a sign, eight with one; of sixteen, those that eight bytes hold without a sign.
    private func integer(at start: Int) throws(PropertyListFault) -> String {
        let power = file[start] & BinaryPropertyList.countFollows
        switch power {
        case 0...2:
            if let value = Self.number(file, at: start + 1, bytes: 1 << Int(power)) { return String(value) }
        case 3:
            if let bits = Self.bits(file, at: start + 1, bytes: 8) { return String(Int64(bitPattern: bits)) }
        case 4:
            if Self.bits(file, at: start + 1, bytes: 8) == 0, let bits = Self.bits(file, at: start + 9, bytes: 8) {
                return String(bits)
            }
        default: break
        }
        throw fault("expected an integer of 64 bits", at: start)
    }

    private func double(_ power: UInt8, at place: Int) -> Double? {
        switch power {
        case 2: Self.bits(file, at: place, bytes: 4).map { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
        case BinaryPropertyList.eightBytes: Self.bits(file, at: place, bytes: 8).map { Double(bitPattern: $0) }
        default: nil
        }
    }

    // MARK: Places

    private func kind(at start: Int) throws(PropertyListFault) -> BinaryPropertyList.Kind {
        guard let kind = BinaryPropertyList.Kind(rawValue: file[start] >> 4) else {
            throw fault("expected a kind of object that is known", at: start)
        }
        return kind
    }

    private func offset(of object: Int, from place: Int) throws(PropertyListFault) -> Int {
        guard object < offsets.count else { throw fault("expected a reference to an object", at: place) }
        return offsets[object]
    }

    /// Where an object's content begins, and its count.
    private func body(at start: Int) throws(PropertyListFault) -> (place: Int, count: Int) {
        let low = file[start] & BinaryPropertyList.countFollows
        guard low == BinaryPropertyList.countFollows else { return (start + 1, Int(low)) }
        let marker = start + 1
        guard marker < file.count, try kind(at: marker) == .integer else {
            throw fault("expected a count", at: start)
        }
        let power = Int(file[marker] & BinaryPropertyList.countFollows)
        guard power <= 3, let count = Self.number(file, at: marker + 1, bytes: 1 << power) else {
            throw fault("expected a count", at: marker)
        }
        return (marker + 1 + 1 << power, count)
    }

    private func slice(at start: Int, bytesEach width: Int) throws(PropertyListFault) -> ArraySlice<UInt8> {
        let (place, count) = try body(at: start)
        guard place <= file.count, count <= (file.count - place) / width else {
            throw fault("expected an object inside the file", at: start)
        }
        return file[place..<(place + count * width)]
    }

    private static func bits(_ file: [UInt8], at place: Int, bytes count: Int) -> UInt64? {
        guard place >= 0, place <= file.count - count else { return nil }
        return file[place..<(place + count)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number without a sign that an `Int` holds.
    private static func number(_ file: [UInt8], at place: Int, bytes count: Int) -> Int? {
        bits(file, at: place, bytes: count).flatMap { Int(exactly: $0) }
    }

    private func fault(_ message: String, at offset: Int) -> PropertyListFault {
        PropertyListFault(message: message, offset: offset)
    }
}
