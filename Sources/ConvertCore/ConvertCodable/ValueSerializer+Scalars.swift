import ConvertEngine
public import FoundationEssentials

extension ValueSerializer where Value == SerializedValue {
    /// Any value, unchanged.
    public static var any: ValueSerializer {
        ValueSerializer { value, _ in
            value
        } deserialize: { value, _ in
            value
        }
    }
}

extension ValueSerializer where Value == JSONValue {
    /// Any JSON; dates and data of a property list are read as strings.
    public static var json: ValueSerializer {
        ValueSerializer { (value, _) throws(SerializationError) in
            try SerializedValue(value)
        } deserialize: { (value, _) throws(SerializationError) in
            try JSONValue(value)
        }
    }
}

extension ValueSerializer where Value == String {
    /// A string.
    public static var string: ValueSerializer {
        ValueSerializer { value, _ in
            .string(value)
        } deserialize: { (value, _) throws(SerializationError) in
            guard let text = value.string else { throw SerializationError(expected: "a string", found: value.kind) }
            return text
        }
    }
}

extension ValueSerializer where Value == Bool {
    /// True or false; numbers and strings are errors.
    public static var boolean: ValueSerializer {
        ValueSerializer { value, _ in
            .boolean(value)
        } deserialize: { (value, _) throws(SerializationError) in
            guard case .boolean(let isTrue) = value else {
                throw SerializationError(expected: "a boolean", found: value.kind)
            }
            return isTrue
        }
    }
}

extension ValueSerializer where Value: FixedWidthInteger & Sendable {
    /// An integer, written without fraction or exponent; a number that does not fit the type is an error.
    public static var integer: ValueSerializer {
        ValueSerializer { value, _ in
            .integer(value)
        } deserialize: { (value, _) throws(SerializationError) in
            let expected = "an integer from \(Value.min) to \(Value.max)"
            guard let text = value.number else { throw SerializationError(expected: expected, found: value.kind) }
            guard let integer = Value(text) else {
                throw SerializationError(expected: expected, found: "another number")
            }
            return integer
        }
    }
}

extension ValueSerializer where Value == Double {
    /// A finite number in Swift's own text, which reads back as the same number: `2.0`, `0.1`, `1e+16`.
    public static var double: ValueSerializer { floatingPoint }
}

extension ValueSerializer where Value == Float {
    /// A finite number, in the shortest text that reads back as the same number.
    public static var float: ValueSerializer { floatingPoint }
}

extension ValueSerializer where Value: BinaryFloatingPoint & LosslessStringConvertible & Sendable {
    fileprivate static var floatingPoint: ValueSerializer {
        ValueSerializer { (value, _) throws(SerializationError) in
            guard value.isFinite else { throw SerializationError(expected: "a finite number", found: "another one") }
            return .number(value.description)
        } deserialize: { (value, _) throws(SerializationError) in
            guard let text = value.number else { throw SerializationError(expected: "a number", found: value.kind) }
            guard let number = Value(text), number.isFinite, number != 0 || JSONNumber(checkedText: text).isZero else {
                throw SerializationError(expected: "a number that a \(Value.self) holds", found: "another number")
            }
            return number
        }
    }
}

extension ValueSerializer where Value == Decimal {
    /// A number with all its digits; one that `Decimal` would round (more than 38 digits) is an error.
    public static var decimal: ValueSerializer {
        ValueSerializer { (value, _) throws(SerializationError) in
            guard let number = JSONNumber(value) else {
                throw SerializationError(expected: "a number", found: "text that is not a number")
            }
            return .number(number.text)
        } deserialize: { (value, _) throws(SerializationError) in
            guard let text = value.number else { throw SerializationError(expected: "a number", found: value.kind) }
            guard let decimal = JSONNumber(checkedText: text).decimal else {
                throw SerializationError(expected: "a number that a Decimal holds", found: "another number")
            }
            return decimal
        }
    }
}

extension ValueSerializer where Value == UUID {
    /// 8-4-4-4-12 hexadecimal digits, read in either case and written in lower case (RFC 9562).
    public static var uuid: ValueSerializer {
        ValueSerializer { value, _ in
            .string(value.uuidString.lowercased())
        } deserialize: { (value, _) throws(SerializationError) in
            try value.parsed("a UUID") { UUID(uuidString: $0) }
        }
    }
}

extension ValueSerializer where Value == URL {
    /// An absolute URL: RFC 3986, with a scheme.
    public static var url: ValueSerializer {
        ValueSerializer { (url, _) throws(SerializationError) in
            .string(try written(url))
        } deserialize: { (value, _) throws(SerializationError) in
            try value.parsed(absoluteURL) { absolute($0) }
        }
    }

    /// A URL, written as an absolute path if it begins with `base`, and read from a path or a whole URL.
    ///
    /// `base` is scheme and authority, such as `https://a.example`, and may have a path; a final slash does not matter. A path in the file
    /// begins with a slash. A URL that does not begin with `base` is written whole. A URL without a scheme is an error, because its path
    /// would be read as another URL. If `base` has no scheme, every use throws an error that says so.
    public static func url(relativeTo base: String) -> ValueSerializer {
        let base = base.hasSuffix("/") ? String(base.dropLast()) : base
        let prefix = Array(base.utf8)
        let expected = "a URL with a scheme, or a path"
        let isUsable = URLText.isURL(prefix.span)
        return ValueSerializer { (url, _) throws(SerializationError) in
            guard isUsable else { throw unusableBase }
            let text = try written(url)
            guard let start = URLText.path(of: Array(text.utf8).span, behind: prefix) else { return .string(text) }
            return .string(String(text.utf8.dropFirst(start)) ?? text)
        } deserialize: { (value, _) throws(SerializationError) in
            guard isUsable else { throw unusableBase }
            return try value.parsed(expected) { text in
                absolute(URLText.isPath(Array(text.utf8).span) ? base + text : text)
            }
        }
    }

    private static var absoluteURL: String { "a URL with a scheme" }

    private static var unusableBase: SerializationError {
        SerializationError(
            expected: "`relativeTo` of the serializer to have a scheme, such as https://a.example", found: "none")
    }

    /// The text of a URL; throws if it would not read back as the same URL.
    private static func written(_ url: URL) throws(SerializationError) -> String {
        let text = url.absoluteString
        guard URLText.isURL(Array(text.utf8).span) else {
            throw SerializationError(expected: absoluteURL, found: "another URL")
        }
        return text
    }

    private static func absolute(_ text: String) -> URL? {
        URLText.isURL(Array(text.utf8).span) ? URL(string: text) : nil
    }
}

extension ValueSerializer where Value == [UInt8] {
    /// Bytes: Base64 in JSON (RFC 4648, with padding), data in property lists.
    public static var data: ValueSerializer {
        ValueSerializer { value, format in
            format == .json ? .string(Data(value).base64EncodedString()) : .data(value)
        } deserialize: { (value, _) throws(SerializationError) in
            if case .data(let bytes) = value { return bytes }
            return Array(try value.parsed("Base64") { Data(base64Encoded: $0) })
        }
    }
}

extension ValueSerializer where Value == Data {
    /// Bytes: Base64 in JSON (RFC 4648, with padding), data in property lists.
    public static var data: ValueSerializer {
        ValueSerializer<[UInt8]>.data.map("Base64", to: { Data($0) }, from: { Array($0) })
    }
}

extension ValueSerializer where Value: Codable & SendableMetatype {
    /// A value with the JSON of its `Codable` implementation.
    ///
    /// The coders determine date and data strategies, user info and profiles. A property list has the same form as the JSON:
    /// dates and data as the strategies write them, and no null.
    public static func codable(
        _ type: Value.Type = Value.self, decoder: ConvertDecoder = ConvertDecoder(),
        encoder: ConvertEncoder = ConvertEncoder()
    ) -> ValueSerializer {
        ValueSerializer { (value, _) throws(SerializationError) in
            do {
                return try SerializedValue(parsingJSON: try encoder.encode(value))
            } catch EncodingError.invalidValue(_, let context) {
                throw SerializationError(
                    expected: "a value that JSON can hold", found: "another", at: context.codingPath)
            } catch {
                throw error as? SerializationError ?? SerializationError(expected: "\(type)", found: "\(error)")
            }
        } deserialize: { (value, _) throws(SerializationError) in
            let json = try value.json()
            do {
                return try decoder.decode(type, from: json)
            } catch let error as DecodingError {
                throw SerializationError(error)
            } catch {
                throw SerializationError(expected: "\(type)", found: "\(error)")
            }
        }
    }
}

extension SerializationError {
    fileprivate init(expected: String, found: String, at path: [any CodingKey]) {
        self.init(expected: expected, found: found, pointer: JSONPointer(codingPath: path).description)
    }

    fileprivate init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context):
            self.init(expected: "\(type)", found: "another kind of value", at: context.codingPath)
        case .valueNotFound(let type, let context):
            self.init(expected: "\(type)", found: "null", at: context.codingPath)
        case .keyNotFound(let key, let context):
            self.init(expected: "a key", found: "nothing", at: context.codingPath + [key])
        case .dataCorrupted(let context):
            self.init(expected: "another value", found: context.debugDescription, at: context.codingPath)
        @unknown default: self.init(expected: "another value", found: "\(error)", at: [])
        }
    }
}

extension ValueSerializer where Value: RawRepresentable, Value: Sendable, Value.RawValue: Sendable {
    /// A value as its raw value: `.raw(.string)` for an enum of strings.
    public static func raw(_ serializer: ValueSerializer<Value.RawValue>) -> ValueSerializer {
        serializer.map("one of the values of \(Value.self)", to: { Value(rawValue: $0) }, from: \.rawValue)
    }
}

extension SerializedValue {
    /// What `read` makes of a string.
    ///
    /// - Parameters:
    ///   - expected: the kind of value with its article, for error messages.
    ///   - read: returns the value for a string's content; nil if there is none.
    fileprivate func parsed<Parsed>(
        _ expected: String, _ read: (String) -> Parsed?
    ) throws(SerializationError) -> Parsed {
        guard let text = string else { throw SerializationError(expected: expected, found: kind) }
        guard let result = read(text) else {
            throw SerializationError(expected: expected, found: "another string")
        }
        return result
    }
}
