/// The forms of a property list file.
public enum PropertyListFormat: Sendable, Hashable, CaseIterable {
    /// Apple's XML, version 1.0: members keep their order, dates whole seconds, numbers their text.
    case xml
    /// `bplist00`: members keep their order, reals are doubles.
    case binary
}

/// A fault in a property list file.
struct PropertyListFault: Error, Sendable, Hashable {
    /// What was expected and what was found, without text of the file.
    var message: String
    /// Bytes from the start of the file, from 0.
    var offset: Int

    var asSerializationError: SerializationError {
        SerializationError(expected: "a property list", found: "\(message), at byte \(offset)")
    }
}

/// What both forms have in common.
enum PropertyList {
    /// Containers that may be open at one time.
    static let maxDepth = 512

    /// Reads either form, told by its first bytes.
    static func read(_ file: [UInt8]) throws(PropertyListFault) -> SerializedValue {
        if file.starts(with: BinaryPropertyList.magic) {
            var reader = try BinaryPropertyListReader(file)
            return try reader.read()
        }
        var reader = XMLPropertyListReader(file)
        return try reader.read()
    }

    /// Writes a file.
    ///
    /// - Throws: for a value that property lists have no form for, with a pointer to it.
    static func write(
        _ value: SerializedValue, as format: PropertyListFormat
    ) throws(SerializationError) -> [UInt8] {
        switch format {
        case .xml:
            var writer = XMLPropertyListWriter()
            return try writer.write(value)
        case .binary:
            var writer = BinaryPropertyListWriter()
            return try writer.write(value)
        }
    }
}
