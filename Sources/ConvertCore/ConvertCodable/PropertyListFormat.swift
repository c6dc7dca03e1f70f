import ConvertEngine
import ConvertFormats

/// The file formats of property lists.
public enum PropertyListFormat: Sendable, Hashable, CaseIterable {
    /// Apple's XML, version 1.0: members keep their order, dates have whole seconds, numbers keep their text.
    case xml
    /// `bplist00`: members keep their order, reals are doubles. A number that a double would round is an error.
    case binary
}

enum PropertyList {
    /// The most containers that may be open at one time.
    static let maxDepth = 512

    /// Reads either format, recognised by its first bytes. Dates and data become the strings that the engine writes for them.
    static func read(_ file: [UInt8]) throws(SerializationError) -> SerializedValue {
        let json: [UInt8]
        do throws(ConversionError) {
            json = try PayloadFormat.plist.json(of: file)
        } catch {
            let found = "another text (\(error.message), at byte \(error.offset))"
            throw SerializationError(expected: "a property list", found: found, pointer: error.pointer)
        }
        return try SerializedValue(parsingJSON: json)
    }

    /// Writes a file.
    ///
    /// - Throws: an error for a value that property lists cannot represent, with a pointer to it.
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
