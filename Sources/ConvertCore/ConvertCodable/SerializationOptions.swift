public import ConvertEngine
public import ConvertProfiles
public import FoundationEssentials
import Synchronization

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
    /// The coders for arrays and dictionaries of the type; nil without a profile.
    private var containers: ContainerCoders?

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
            try ConvertEncoder(profile, applying: direction.reversed))
        containers = ContainerCoders(profile, direction)
    }

    /// The options for arrays and dictionaries of a type, at which the profile's paths begin.
    func describing<Root>(_ root: Root.Type) -> SerializationOptions {
        guard let coders = containers?.coders(for: root) else { return self }
        var options = self
        (options.decoder, options.encoder, options.containers) = (coders.decoder, coders.encoder, nil)
        options.dateDecodingStrategy = dateDecodingStrategy
        options.dateEncodingStrategy = dateEncodingStrategy
        options.userInfo = userInfo
        return options
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

extension Profile.Direction {
    fileprivate var reversed: Profile.Direction { self == .forward ? .inverse : .forward }
}

/// The coders of one profile for the types that it describes, each made once.
private final class ContainerCoders: Sendable {
    typealias Coders = (decoder: ConvertDecoder, encoder: ConvertEncoder)

    private let profile: Profile
    private let direction: Profile.Direction
    private let known = Mutex<[ObjectIdentifier: Coders]>([:])

    init(_ profile: Profile, _ direction: Profile.Direction) {
        self.profile = profile
        self.direction = direction
    }

    /// Nil if the profile has no plan, which the type's own coders have found.
    func coders<Root>(for root: Root.Type) -> Coders? {
        known.withLock { known in
            if let coders = known[ObjectIdentifier(root)] { return coders }
            guard let decoder = try? ConvertDecoder(profile, applying: direction, describing: root),
                let encoder = try? ConvertEncoder(profile, applying: direction.reversed, describing: root)
            else { return nil }
            known[ObjectIdentifier(root)] = (decoder, encoder)
            return (decoder, encoder)
        }
    }
}
