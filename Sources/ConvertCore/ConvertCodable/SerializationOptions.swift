public import ConvertEngine
public import ConvertProfiles
public import FoundationEssentials

/// How the values of a `Serializable` type are written and read.
///
///     extension Settings {
///         static let serialization = SerializationOptions(output: OutputOptions(indent: 2, sortKeys: true))
///     }
///
/// A type that makes them once, as here, keeps what its decoder has learned from the files before.
public struct SerializationOptions: Sendable {
    var decoder: ConvertDecoder
    var encoder: ConvertEncoder

    /// How dates are read.
    public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy {
        get { decoder.dateDecodingStrategy }
        set { decoder.dateDecodingStrategy = newValue }
    }

    /// How dates are written.
    public var dateEncodingStrategy: JSONEncoder.DateEncodingStrategy {
        get { encoder.dateEncodingStrategy }
        set { encoder.dateEncodingStrategy = newValue }
    }

    /// What `init(from:)` and `encode(to:)` find in `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { decoder.userInfo }
        set {
            decoder.userInfo = newValue
            encoder.userInfo = newValue
        }
    }

    /// Options without a profile.
    ///
    /// - Parameter output: how the text looks; keys are in order unless it says otherwise.
    public init(output: OutputOptions = OutputOptions(sortKeys: true)) {
        self.init(ConvertDecoder(), ConvertEncoder(output: output))
    }

    /// Options with a profile, whose `output` is how the text looks.
    ///
    /// - Parameters:
    ///   - profile: what lies between the names of the file and those of the type.
    ///   - direction: the direction that reads a file; the other one writes it.
    /// - Throws: `ProfileError` where the profile does not work in both directions.
    public init(profile: Profile, readingBy direction: Profile.Direction = .forward) throws(ProfileError) {
        self.init(
            try ConvertDecoder(profile, applying: direction),
            try ConvertEncoder(profile, applying: direction == .forward ? .inverse : .forward))
    }

    private init(_ decoder: ConvertDecoder, _ encoder: ConvertEncoder) {
        self.decoder = decoder
        self.encoder = encoder
        self.decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = DateText.iso8601.date(.string(text)) else {
                let pointer = JSONPointer(codingPath: decoder.codingPath)
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "expected a date as ISO 8601, found another string at \"\(pointer)\"")
            }
            return date
        }
        self.encoder.dateEncodingStrategy = .custom { date, encoder in
            guard let text = DateText.iso8601.value(date)?.string else {
                let context = EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: "expected a date in the years 0001 to 9999")
                throw EncodingError.invalidValue(date.timeIntervalSince1970, context)
            }
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }
}
