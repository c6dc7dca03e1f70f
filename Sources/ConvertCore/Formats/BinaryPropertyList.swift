// A binary property list, version 00, as CoreFoundation writes it:
//
//     list    = "bplist00" *object offsets trailer
//     trailer = 6OCTET offsetSize referenceSize objectCount(8) topObject(8) offsetsStart(8)     ; big-endian
//     object  = marker [ count ] content                      ; the marker's high half is the kind, the low half a count
//
//     0x00 null   0x08 false   0x09 true   0x1n integer of 2^n bytes   0x2n real   0x33 date   0x4n data
//     0x5n ASCII  0x6n UTF-16  0x8n UID    0xAn array                  0xCn set    0xDn dictionary
//
// Containers hold references, which may lead to one object from many places and back to an object that holds them. An object
// inside of itself is a fault, and what a few shared objects unfold to is bounded by the length of the JSON text.

/// Turns a binary property list into JSON.
struct BinaryPropertyList: ~Copyable {
    static let signature = Array("bplist00".utf8)
    private static let trailerBytes = 32

    /// A container whose members are being written.
    private struct Open {
        let object: Int
        let isDictionary: Bool
        /// Where its references are.
        let references: Int
        let count: Int
        var next = 0
    }

    /// What the trailer says.
    private struct Layout {
        let offsetSize: Int
        let referenceSize: Int
        let objectCount: Int
        let topObject: Int
        let offsetsStart: Int

        init(of bytes: [UInt8]) throws(FormatFault) {
            let trailer = bytes.count - BinaryPropertyList.trailerBytes
            guard trailer >= BinaryPropertyList.signature.count else {
                throw FormatFault(code: .plist, message: "the property list is cut off", offset: bytes.count)
            }
            func number(_ place: Int) -> Int {
                let value = bytes[(trailer + place)..<(trailer + place + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                return Int(clamping: value)
            }
            offsetSize = Int(bytes[trailer + 6])
            referenceSize = Int(bytes[trailer + 7])
            objectCount = number(8)
            topObject = number(16)
            offsetsStart = number(24)
            let table = objectCount.multipliedReportingOverflow(by: offsetSize)
            let isWhole =
                1...8 ~= offsetSize && 1...8 ~= referenceSize && topObject < objectCount && !table.overflow
                && BinaryPropertyList.signature.count...trailer ~= offsetsStart
                && table.partialValue <= trailer - offsetsStart
            guard isWhole else {
                throw FormatFault(
                    code: .plist, message: "the trailer of the property list makes no sense", offset: trailer)
            }
        }
    }

    private let bytes: [UInt8]
    private let layout: Layout
    private var assembler: JSONAssembler
    private var open: [Open] = []
    private var openObjects: Set<Int> = []

    static func json(of bytes: [UInt8], _ limits: TranslationLimits) throws(FormatFault) -> [UInt8] {
        var list = BinaryPropertyList(
            bytes: bytes, layout: try Layout(of: bytes), assembler: JSONAssembler(limits, payloadBytes: bytes.count))
        try list.write()
        return Array(list.assembler.output)
    }

    private init(bytes: [UInt8], layout: Layout, assembler: consuming JSONAssembler) {
        self.bytes = bytes
        self.layout = layout
        self.assembler = assembler
    }

    // MARK: Containers

    /// Writes the top object and the members of all containers that it opens.
    private mutating func write() throws(FormatFault) {
        try begin(layout.topObject, from: bytes.count - Self.trailerBytes)
        while var top = open.popLast() {
            guard top.next < top.count else {
                assembler.close()
                openObjects.remove(top.object)
                continue
            }
            let index = top.next
            top.next += 1
            open.append(top)
            var place = top.references + index * layout.referenceSize
            if top.isDictionary {
                try writeName(try reference(at: place), from: place)
                place += top.count * layout.referenceSize
            }
            try begin(try reference(at: place), from: place)
        }
    }

    private mutating func openContainer(
        _ object: Int, isDictionary: Bool, at offset: Int
    ) throws(FormatFault) {
        guard openObjects.insert(object).inserted else {
            throw fault("an object holds itself", at: offset)
        }
        let (count, start) = try extent(at: offset)
        let width = layout.referenceSize * (isDictionary ? 2 : 1)
        guard count <= (bytes.count - start) / width else { throw fault("an object is cut off", at: offset) }
        try assembler.open(isObject: isDictionary, at: offset)
        open.append(Open(object: object, isDictionary: isDictionary, references: start, count: count))
    }

    private mutating func writeName(_ object: Int, from place: Int) throws(FormatFault) {
        let offset = try self.offset(of: object, from: place)
        guard let name = try string(at: offset) else { throw fault("a key of a dictionary is no string", at: offset) }
        try assembler.name(name, at: offset)
    }

    // MARK: Objects

    /// Writes a scalar, or opens a container.
    private mutating func begin(_ object: Int, from place: Int) throws(FormatFault) {
        let offset = try self.offset(of: object, from: place)
        let marker = bytes[offset]
        switch (marker >> 4, marker & 15) {
        case (0, 0): try assembler.token(Array("null".utf8), at: offset)
        case (0, 8): try assembler.token(Array("false".utf8), at: offset)
        case (0, 9): try assembler.token(Array("true".utf8), at: offset)
        case (1, let size) where size <= 4: try assembler.token(try integer(1 << Int(size), at: offset), at: offset)
        case (2, 2), (2, 3): try assembler.token(try real(at: offset), at: offset)
        case (3, 3):
            let seconds = Double(bitPattern: try number(8, at: offset + 1))
            guard let date = PropertyListText.date(secondsSince2001: seconds) else {
                throw fault("a date is outside of the years 1 to 9999", at: offset)
            }
            try assembler.string(date, at: offset)
        case (4, _):
            let (count, start) = try extent(at: offset)
            let data = try slice(count, at: start)
            try assembler.string(PropertyListText.base64(encoding: data), at: offset)
        case (5, _), (6, _): try assembler.string(try string(at: offset) ?? [], at: offset)
        case (8, let size): try writeUID(Int(size) + 1, at: offset)
        case (10, _), (12, _): try openContainer(object, isDictionary: false, at: offset)
        case (13, _): try openContainer(object, isDictionary: true, at: offset)
        default: throw fault("an object is of a kind that is not known", at: offset)
        }
    }

    /// A reference of a keyed archive, as the XML form writes it: `{"CF$UID": 1}`.
    private mutating func writeUID(_ size: Int, at offset: Int) throws(FormatFault) {
        guard size <= 8 else { throw fault("a UID has more than eight bytes", at: offset) }
        try assembler.open(isObject: true, at: offset)
        try assembler.name(Array("CF$UID".utf8), at: offset)
        try assembler.token(Array(String(try number(size, at: offset + 1)).utf8), at: offset)
        assembler.close()
    }

    /// Integers of eight and of sixteen bytes have a sign; shorter ones have none.
    private func integer(_ size: Int, at offset: Int) throws(FormatFault) -> [UInt8] {
        let text: String
        switch size {
        case 16:
            let high = Int128(Int64(bitPattern: try number(8, at: offset + 1)))
            text = String(high << 64 | Int128(try number(8, at: offset + 9)))
        case 8: text = String(Int64(bitPattern: try number(8, at: offset + 1)))
        default: text = String(try number(size, at: offset + 1))
        }
        return Array(text.utf8)
    }

    private func real(at offset: Int) throws(FormatFault) -> [UInt8] {
        let value: Double
        if bytes[offset] & 15 == 2 {
            value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: try number(4, at: offset + 1))))
        } else {
            value = Double(bitPattern: try number(8, at: offset + 1))
        }
        guard value.isFinite else { throw fault("JSON has no infinite numbers and no NaN", at: offset) }
        return Array(value.description.utf8)
    }

    /// The content of a string in UTF-8, nil for any other object.
    private func string(at offset: Int) throws(FormatFault) -> [UInt8]? {
        switch bytes[offset] >> 4 {
        case 5:
            let (count, start) = try extent(at: offset)
            let text = try slice(count, at: start)
            guard text.allSatisfy({ $0 < ASCII.firstNonASCII }) else {
                throw fault("a string of ASCII holds other bytes", at: offset)
            }
            return Array(text)
        case 6:
            let (count, start) = try extent(at: offset)
            guard count <= bytes.count / 2 else { throw fault("an object is cut off", at: offset) }
            let text = try slice(2 * count, at: start)
            let units = stride(from: text.startIndex, to: text.endIndex, by: 2).map {
                UInt16(text[$0]) << 8 | UInt16(text[$0 + 1])
            }
            guard let string = String(validating: units, as: UTF16.self) else {
                throw fault("a string of UTF-16 holds half of a surrogate pair", at: offset)
            }
            return Array(string.utf8)
        default: return nil
        }
    }

    // MARK: Bytes

    private func offset(of object: Int, from place: Int) throws(FormatFault) -> Int {
        guard object < layout.objectCount else { throw fault("a reference leads to no object", at: place) }
        let entry = layout.offsetsStart + object * layout.offsetSize
        let offset = Int(clamping: try number(layout.offsetSize, at: entry))
        guard Self.signature.count..<layout.offsetsStart ~= offset else {
            throw fault("an object lies outside of the property list", at: entry)
        }
        return offset
    }

    private func reference(at place: Int) throws(FormatFault) -> Int {
        Int(clamping: try number(layout.referenceSize, at: place))
    }

    /// The count of an object's elements, and where they begin.
    private func extent(at offset: Int) throws(FormatFault) -> (count: Int, start: Int) {
        let count = Int(bytes[offset] & 15)
        guard count == 15 else { return (count, offset + 1) }
        guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 1, bytes[offset + 1] & 15 <= 3 else {
            throw fault("an object has no count", at: offset)
        }
        let size = 1 << Int(bytes[offset + 1] & 15)
        return (Int(clamping: try number(size, at: offset + 2)), offset + 2 + size)
    }

    /// A big-endian number of up to eight bytes.
    private func number(_ size: Int, at offset: Int) throws(FormatFault) -> UInt64 {
        try slice(size, at: offset).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func slice(_ count: Int, at start: Int) throws(FormatFault) -> ArraySlice<UInt8> {
        guard start <= bytes.count, count <= bytes.count - start else { throw fault("an object is cut off", at: start) }
        return bytes[start..<(start + count)]
    }

    private func fault(_ message: String, at offset: Int) -> FormatFault {
        FormatFault(code: .plist, message: message, offset: offset, pointer: assembler.pointer)
    }
}
