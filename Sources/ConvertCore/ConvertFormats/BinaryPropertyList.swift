import ConvertEngine

// A binary property list, version 00, as CoreFoundation writes it:
//
//     list    = "bplist00" *object offsets trailer
//     trailer = 6OCTET offsetSize referenceSize objectCount(8) topObject(8) offsetsStart(8)     ; big-endian
//     object  = marker [ count ] content                      ; the marker's high half is the kind, the low half a count
//
//     0x00 null   0x08 false   0x09 true   0x1n integer of 2^n bytes   0x2n real   0x33 date   0x4n data
//     0x5n ASCII  0x6n UTF-16  0x8n UID    0xAn array                  0xCn set    0xDn dictionary
//
// Containers hold references. Several references may lead to one object, also back to a container of it. An object
// that contains itself is an error. The length limit of the JSON text bounds the expansion of shared objects.
//
// `open` has the containers whose members are being written, each with its next member. `text` is the rest of the string, key or
// data that is being written; it comes before everything else. All other objects are written at once.

/// Turns a binary property list into JSON.
package struct BinaryPropertyList: ~Copyable {
    package static let signature = Array("bplist00".utf8)
    /// The work for an object, in addition to its bytes.
    private static let objectWork = 32

    /// A container whose members are being written.
    private struct Open {
        let object: Int
        let isDictionary: Bool
        /// The offset of its references.
        let references: Int
        let count: Int
        var next = 0
        /// Whether the key of the next member is written.
        var hasName = false
    }

    private var layout: BinaryObjects.Layout?
    private var assembler: JSONAssembler
    private var open: [Open] = []
    private var openObjects: Set<Int> = []
    private var text: BinaryText?
    /// Whether `text` is a key.
    private var isName = false

    init(_ limits: TranslationLimits, payloadBytes: Int) {
        assembler = JSONAssembler(limits, payloadBytes: payloadBytes)
    }

    var heldBytes: Int { assembler.output.count }

    consuming func finish() -> ByteBuffer { assembler.finish() }

    mutating func advance(_ bytes: Span<UInt8>, _ work: inout Int) throws(FormatError) -> Bool {
        do throws(FormatError) {
            if layout == nil { try begin(bytes) }
            guard let layout else { return false }
            let objects = BinaryObjects(bytes, layout)
            while work > 0 {
                try continueText(bytes, &work)
                guard text == nil else { return false }
                guard !open.isEmpty else { return true }
                work -= Self.objectWork
                try takeMember(objects)
            }
            return false
        } catch {
            var located = error
            // Errors of a limit already have their pointer.
            if located.code == .plist { located.pointer = assembler.pointer }
            throw located
        }
    }

    private mutating func begin(_ bytes: Span<UInt8>) throws(FormatError) {
        let layout = try BinaryObjects.Layout(of: bytes)
        self.layout = layout
        try begin(layout.topObject, from: bytes.count - BinaryObjects.trailerBytes, BinaryObjects(bytes, layout))
    }

    // MARK: Containers

    /// Begins the next member of the innermost container, or that member's key; closes the container after its last member.
    private mutating func takeMember(_ objects: borrowing BinaryObjects) throws(FormatError) {
        let last = open.count - 1
        let top = open[last]
        guard top.next < top.count else {
            assembler.close()
            openObjects.remove(top.object)
            open.removeLast()
            return
        }
        var referenceOffset = top.references + top.next * objects.layout.referenceSize
        if top.isDictionary {
            guard top.hasName else {
                open[last].hasName = true
                return try beginName(try objects.reference(at: referenceOffset), from: referenceOffset, objects)
            }
            referenceOffset += top.count * objects.layout.referenceSize
        }
        open[last].hasName = false
        open[last].next += 1
        try begin(try objects.reference(at: referenceOffset), from: referenceOffset, objects)
    }

    private mutating func openContainer(
        _ object: Int, isDictionary: Bool, at offset: Int, _ objects: borrowing BinaryObjects
    ) throws(FormatError) {
        guard openObjects.insert(object).inserted else { throw .plist("an object contains itself", at: offset) }
        let (count, start) = try objects.extent(at: offset)
        let width = objects.layout.referenceSize * (isDictionary ? 2 : 1)
        guard count <= (objects.bytes.count - start) / width else { throw .plist("an object is cut off", at: offset) }
        try assembler.open(isObject: isDictionary, at: offset)
        open.append(Open(object: object, isDictionary: isDictionary, references: start, count: count))
    }

    private mutating func beginName(
        _ object: Int, from referenceOffset: Int, _ objects: borrowing BinaryObjects
    ) throws(FormatError) {
        let offset = try objects.offset(of: object, from: referenceOffset)
        guard let name = try objects.text(at: offset), name.kind != .data else {
            throw .plist("a key of a dictionary is not a string", at: offset)
        }
        assembler.begin(.name)
        text = name
        isName = true
    }

    // MARK: Objects

    /// Writes a scalar, begins a string or data, or opens a container.
    private mutating func begin(
        _ object: Int, from referenceOffset: Int, _ objects: borrowing BinaryObjects
    ) throws(FormatError) {
        let offset = try objects.offset(of: object, from: referenceOffset)
        let marker = objects.bytes[offset]
        switch (marker >> 4, marker & 15) {
        case (0, 0): try assembler.token("null", at: offset)
        case (0, 8): try assembler.token("false", at: offset)
        case (0, 9): try assembler.token("true", at: offset)
        case (1, let size) where size <= 4:
            try assembler.token(try objects.integer(1 << Int(size), at: offset), at: offset)
        case (2, 2), (2, 3): try assembler.token(try objects.real(at: offset), at: offset)
        case (3, 3):
            let date = try objects.date(at: offset)
            assembler.begin(.string)
            assembler.append(date.bytes)
            try assembler.end(.string, at: offset)
        case (4, _), (5, _), (6, _):
            text = try objects.text(at: offset)
            isName = false
            assembler.begin(.string)
        case (8, let size): try writeUID(Int(size) + 1, at: offset, objects)
        case (10, _), (12, _): try openContainer(object, isDictionary: false, at: offset, objects)
        case (13, _): try openContainer(object, isDictionary: true, at: offset, objects)
        default: throw .plist("an object is of an unknown kind", at: offset)
        }
    }

    /// Writes more of the current string or data, and ends it after its last byte.
    private mutating func continueText(_ bytes: Span<UInt8>, _ work: inout Int) throws(FormatError) {
        guard var rest = text else { return }
        try rest.write(bytes, into: &assembler, &work)
        text = rest.rest.isEmpty ? nil : rest
        if rest.rest.isEmpty { try assembler.end(isName ? .name : .string, at: rest.offset) }
    }

    /// A reference of a keyed archive, as the XML form writes it: `{"CF$UID": 1}`.
    private mutating func writeUID(
        _ size: Int, at offset: Int, _ objects: borrowing BinaryObjects
    ) throws(FormatError) {
        guard size <= 8 else { throw .plist("a UID has more than eight bytes", at: offset) }
        try assembler.open(isObject: true, at: offset)
        assembler.begin(.name)
        assembler.append(Array("CF$UID".utf8).span)
        try assembler.end(.name, at: offset)
        try assembler.token(String(try objects.number(size, at: offset + 1)), at: offset)
        assembler.close()
    }
}

// MARK: - Numbers and dates

extension BinaryObjects {
    /// The text of an integer. Integers of eight and of sixteen bytes are signed; shorter ones are not.
    fileprivate func integer(_ size: Int, at offset: Int) throws(FormatError) -> String {
        switch size {
        case 16:
            let high = Int128(Int64(bitPattern: try number(8, at: offset + 1)))
            return String(high << 64 | Int128(try number(8, at: offset + 9)))
        case 8: return String(Int64(bitPattern: try number(8, at: offset + 1)))
        default: return String(try number(size, at: offset + 1))
        }
    }

    fileprivate func real(at offset: Int) throws(FormatError) -> String {
        let value: Double
        if bytes[offset] & 15 == 2 {
            value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: try number(4, at: offset + 1))))
        } else {
            value = Double(bitPattern: try number(8, at: offset + 1))
        }
        guard value.isFinite else { throw .plist("JSON has no infinite numbers and no NaN", at: offset) }
        return value.description
    }

    /// The RFC 3339 text, to the microsecond, of a date: seconds since 2001 in the years 1 to 9999.
    fileprivate func date(at offset: Int) throws(FormatError) -> ByteBuffer {
        let outside = FormatError.plist("a date is outside of the years 1 to 9999", at: offset)
        let seconds = Double(bitPattern: try number(8, at: offset + 1))
        guard seconds.magnitude < 1e12 else { throw outside }
        let whole = seconds.rounded(.down)
        let microseconds = Int64(((seconds - whole) * 1e6).rounded(.toNearestOrEven))
        let carried = Int64(whole) + microseconds / 1_000_000
        let instant = Instant(
            seconds: carried + Instant.secondsTo2001, nanoseconds: Int32(microseconds % 1_000_000) * 1_000)
        var text = ByteBuffer()
        guard DateForm.rfc3339.write(instant, zone: .utc, precision: nil, into: &text) else { throw outside }
        return text
    }
}
