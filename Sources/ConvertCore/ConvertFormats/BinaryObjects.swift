import ConvertEngine

/// The objects of a binary property list, found through its trailer.
///
/// Errors have no pointer, because the path to an object is not known here.
struct BinaryObjects: ~Escapable {
    /// The content of the trailer.
    struct Layout {
        let offsetSize: Int
        let referenceSize: Int
        let objectCount: Int
        let topObject: Int
        let offsetsStart: Int

        init(of bytes: Span<UInt8>) throws(FormatError) {
            let trailer = bytes.count - BinaryObjects.trailerBytes
            guard trailer >= BinaryPropertyList.signature.count else {
                throw .plist("the property list is cut off", at: bytes.count)
            }
            offsetSize = Int(bytes[trailer + 6])
            referenceSize = Int(bytes[trailer + 7])
            objectCount = Int(clamping: bytes.bigEndian(8, at: trailer + 8))
            topObject = Int(clamping: bytes.bigEndian(8, at: trailer + 16))
            offsetsStart = Int(clamping: bytes.bigEndian(8, at: trailer + 24))
            let table = objectCount.multipliedReportingOverflow(by: offsetSize)
            let isWhole =
                1...8 ~= offsetSize && 1...8 ~= referenceSize && topObject < objectCount && !table.overflow
                && BinaryPropertyList.signature.count...trailer ~= offsetsStart
                && table.partialValue <= trailer - offsetsStart
            guard isWhole else { throw .plist("the trailer of the property list is not valid", at: trailer) }
        }
    }

    static let trailerBytes = 32

    let bytes: Span<UInt8>
    let layout: Layout

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, _ layout: Layout) {
        self.bytes = bytes
        self.layout = layout
    }

    /// The offset of an object. `referenceOffset` is the offset of the reference to it, for errors.
    func offset(of object: Int, from referenceOffset: Int) throws(FormatError) -> Int {
        guard object < layout.objectCount else { throw .plist("a reference points to no object", at: referenceOffset) }
        let entry = layout.offsetsStart + object * layout.offsetSize
        let offset = Int(clamping: try number(layout.offsetSize, at: entry))
        guard BinaryPropertyList.signature.count..<layout.offsetsStart ~= offset else {
            throw .plist("an object lies outside of the property list", at: entry)
        }
        return offset
    }

    /// The number of the object that the reference at `referenceOffset` points to.
    func reference(at referenceOffset: Int) throws(FormatError) -> Int {
        Int(clamping: try number(layout.referenceSize, at: referenceOffset))
    }

    /// The count of an object's elements, and the offset of the first one.
    func extent(at offset: Int) throws(FormatError) -> (count: Int, start: Int) {
        let count = Int(bytes[offset] & 15)
        guard count == 15 else { return (count, offset + 1) }
        guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 1, bytes[offset + 1] & 15 <= 3 else {
            throw .plist("an object has no count", at: offset)
        }
        let size = 1 << Int(bytes[offset + 1] & 15)
        return (Int(clamping: try number(size, at: offset + 2)), offset + 2 + size)
    }

    /// The content of a string or of data; nil for other objects.
    func text(at offset: Int) throws(FormatError) -> BinaryText? {
        guard let kind = BinaryText.Kind(rawValue: bytes[offset] >> 4) else { return nil }
        let (units, start) = try extent(at: offset)
        guard kind != .utf16 || units <= bytes.count / 2 else { throw .plist("an object is cut off", at: offset) }
        let count = kind == .utf16 ? 2 * units : units
        try check(count, at: start)
        return BinaryText(kind: kind, offset: offset, rest: start..<(start + count))
    }

    /// A big-endian number of up to eight bytes.
    func number(_ size: Int, at offset: Int) throws(FormatError) -> UInt64 {
        try check(size, at: offset)
        return bytes.bigEndian(size, at: offset)
    }

    private func check(_ count: Int, at start: Int) throws(FormatError) {
        guard start <= bytes.count, count <= bytes.count - start else {
            throw .plist("an object is cut off", at: start)
        }
    }
}

extension Span<UInt8> {
    /// The big-endian number of `size` bytes, at most eight, that begins at `start`.
    fileprivate func bigEndian(_ size: Int, at start: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in start..<(start + size) { value = value << 8 | UInt64(self[index]) }
        return value
    }
}
