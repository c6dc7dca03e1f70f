public import FoundationEssentials

/// A Codable type that can be saved as JSON and read back in one line.
///
///     struct Settings: Serializable { var name: String; var changed: Date }
///
///     let settings = Settings(contentsOf: file) ?? Settings(name: "new", changed: .now)
///     settings.save(to: file)
///
/// Dates are ISO 8601: written as RFC 3339 in UTC to the microsecond, read in any of its forms, in UTC where they name no
/// zone. Members are written in the order of their names, so that equal values make equal files. Each way has a twin that
/// throws and says why. Arrays and dictionaries of serializable values are serializable.
///
/// Platforms: Linux, wherever Swift 6.3 and FoundationEssentials are; nothing here needs ICU.
public protocol Serializable: Codable {}

extension Array: Serializable where Element: Serializable {}

extension Dictionary: Serializable where Key: Codable, Value: Serializable {}

extension Optional: Serializable where Wrapped: Serializable {}

// MARK: - Reading

extension Serializable {
    /// Reads a value from JSON; nil where that fails.
    public init?(from data: Data) {
        guard let value = try? Self(decoding: data) else { return nil }
        self = value
    }

    /// Reads a value from a JSON file; nil where that fails.
    public init?(contentsOf file: URL) {
        guard let value = try? Self(reading: file) else { return nil }
        self = value
    }

    /// Reads a value from JSON in UTF-8.
    ///
    /// - Throws: an error of code `decode`, with a pointer to the place.
    public init(decoding data: Data) throws(SerializableError) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = DateText.iso8601.date(.string(text)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected an ISO 8601 date")
            }
            return date
        }
        do {
            self = try decoder.decode(Self.self, from: data)
        } catch let error as DecodingError {
            throw SerializableError(error)
        } catch {
            throw SerializableError(code: .decode, message: "the type's own initialiser threw: \(error)")
        }
    }

    /// Reads a value from a JSON file in UTF-8.
    ///
    /// - Throws: an error of code `read` or `decode`.
    public init(reading file: URL) throws(SerializableError) {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw SerializableError(code: .read, message: "the file could not be read: \(error)")
        }
        try self.init(decoding: data)
    }
}

// MARK: - Writing

extension Serializable {
    /// The value as JSON; nil where that fails.
    public func save() -> Data? { try? encoded() }

    /// Writes the value to a file, whole or not at all; false where that fails, and the old file is still there.
    @discardableResult
    public func save(to file: URL) -> Bool { (try? write(to: file)) != nil }

    /// The value as minified JSON in UTF-8, members in the order of their names.
    ///
    /// - Throws: an error of code `encode`, with a pointer to the place.
    public func encoded() throws(SerializableError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            guard let text = DateText.iso8601.value(date)?.string else {
                let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "no such date")
                throw EncodingError.invalidValue(date, context)
            }
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
        do {
            return try encoder.encode(self)
        } catch let error as EncodingError {
            throw SerializableError(error)
        } catch {
            throw SerializableError(code: .encode, message: "the type's own encoding threw: \(error)")
        }
    }

    /// Writes the value to a file, whole or not at all: to a new file beside it, which is brought to the disk and then takes its
    /// name.
    ///
    /// The permissions of a file that was there stay.
    ///
    /// - Parameter file: a file URL. A symbolic link there is replaced.
    /// - Throws: an error of code `encode`, or `write` with the system call and its `errno`.
    public func write(to file: URL) throws(SerializableError) {
        guard file.isFileURL else { throw SerializableError(code: .write, message: "expected the URL of a file") }
        let data = try encoded()
        do throws(AtomicFile.Fault) {
            try AtomicFile.write(Array(data), to: file.path(percentEncoded: false))
        } catch {
            throw SerializableError(code: .write, message: error.message)
        }
    }
}
