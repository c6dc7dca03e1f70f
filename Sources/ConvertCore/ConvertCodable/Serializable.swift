import ConvertEngine
public import FoundationEssentials

/// A Codable type that can be saved as JSON and read back in one line.
///
///     struct Settings: Serializable { var name: String; var changed: Date }
///
///     var settings = try Settings(contentsOf: file) ?? Settings(name: "new", changed: .now)
///     try settings.save(to: file)
///
/// Reading a file returns nil only if there is no file. Every other failure is thrown. A file that cannot be read, or that a later
/// version of the program wrote, is an error. So it does not look missing, and the next `save(to:)` does not replace it.
///
/// Dates are ISO 8601. They are written as RFC 3339 in UTC, to the microsecond, and read in any form of ISO 8601; without a zone they are
/// in UTC. A number is not a date. Members are written in the order of their keys, so that equal values make equal files. To change that,
/// to add white space or to apply a profile, a type implements `serialization`. Arrays and dictionaries of serializable values are
/// serializable, with the options of their elements.
///
/// Platforms: Linux, with Swift 6.3 and FoundationEssentials; nothing here needs ICU.
public protocol Serializable: Codable {
    /// The options for writing and reading values of this type.
    static var serialization: SerializationOptions { get }
}

extension Serializable {
    /// JSON without white space, with sorted keys and dates as ISO 8601.
    public static var serialization: SerializationOptions { SerializationOptions() }
}

extension Array: Serializable where Element: Serializable {
    /// The options of the elements.
    public static var serialization: SerializationOptions { Element.serialization.describing(Element.self) }
}

extension Set: Serializable where Element: Serializable {
    /// The options of the elements.
    public static var serialization: SerializationOptions { Element.serialization.describing(Element.self) }
}

extension Dictionary: Serializable where Key: Codable, Value: Serializable {
    /// The options of the values.
    public static var serialization: SerializationOptions { Value.serialization.describing(Value.self) }
}

extension Optional: Serializable where Wrapped: Serializable {
    /// The options of the value.
    public static var serialization: SerializationOptions { Wrapped.serialization.describing(Wrapped.self) }
}

// MARK: - Reading

extension Serializable {
    /// Reads a value from a JSON file in UTF-8; nil only if there is no file.
    ///
    /// - Throws: an error of code `read` if the file exists and cannot be read. Otherwise an error of code `decode`, with line and
    ///   column for malformed JSON, or with a pointer.
    public init?(contentsOf file: URL) throws(SerializableError) {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            return nil
        } catch {
            let cause = AtomicFile.FileError("read", behind: error)
            throw SerializableError(code: .read, message: cause?.message ?? "the file could not be read: \(error)")
        }
        try self.init(from: data)
    }

    /// Reads a value from JSON in UTF-8.
    ///
    /// - Throws: an error of code `decode`, with line and column for malformed JSON, otherwise with a pointer.
    public init(from data: Data) throws(SerializableError) {
        do {
            self = try Self.serialization.decoder.decode(Self.self, from: data)
        } catch let error as DecodingError {
            throw SerializableError(error)
        } catch {
            throw SerializableError(code: .decode, message: "the type's own initialiser threw: \(error)")
        }
    }
}

// MARK: - Writing

extension Serializable {
    /// The value as JSON in UTF-8, which was read back once, so that no text is saved that cannot be read.
    ///
    /// - Throws: an error of code `encode`, with a pointer to the value. If the text cannot be read back, an error of code `decode`.
    public func serialized() throws(SerializableError) -> Data {
        do {
            let options = Self.serialization
            let text = try options.encoder.encode(self)
            _ = try options.decoder.decode(Self.self, from: text)
            return Data(text)
        } catch let error as DecodingError {
            throw SerializableError(error)
        } catch let error as EncodingError {
            throw SerializableError(error)
        } catch {
            throw SerializableError(code: .encode, message: "the type's own encoding or decoding threw: \(error)")
        }
    }

    /// Writes the value to a file completely or not at all. It writes a new file beside it, synchronizes that to the disk, and renames
    /// it.
    ///
    /// An existing file keeps its permissions.
    ///
    /// - Parameter file: a file URL. A symbolic link there is replaced.
    /// - Throws: an error of `serialized()`, or one of code `write` with the system call and its `errno`; the old file still exists.
    public func save(to file: URL) throws(SerializableError) {
        guard file.isFileURL else { throw SerializableError(code: .write, message: "expected the URL of a file") }
        let data = try serialized()
        do throws(AtomicFile.FileError) {
            try AtomicFile.write(Array(data), to: file.path(percentEncoded: false))
        } catch {
            throw SerializableError(code: .write, message: error.message)
        }
    }
}

// MARK: - Former names

extension Serializable {
    /// Reads a value from JSON in UTF-8.
    @available(*, deprecated, renamed: "init(from:)")
    public init(decoding data: Data) throws(SerializableError) { try self.init(from: data) }

    /// Reads a value from a JSON file in UTF-8; a missing file is an error.
    @available(*, deprecated, message: "init(contentsOf:) gives nil when there is no file, and throws otherwise")
    public init(reading file: URL) throws(SerializableError) {
        guard let value = try Self(contentsOf: file) else {
            throw SerializableError(code: .read, message: "there is no such file")
        }
        self = value
    }

    /// The value as JSON; nil if encoding fails.
    @available(*, deprecated, message: "use serialized(), which says why it fails")
    public func save() -> Data? { try? serialized() }

    /// The value as JSON in UTF-8.
    @available(*, deprecated, renamed: "serialized()")
    public func encoded() throws(SerializableError) -> Data { try serialized() }

    /// Writes the value to a file.
    @available(*, deprecated, renamed: "save(to:)")
    public func write(to file: URL) throws(SerializableError) { try save(to: file) }
}
