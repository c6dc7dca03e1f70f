public import ConvertEngine
public import ConvertProfiles
public import FoundationEssentials
import Synchronization

/// The options for writing and reading the values of a `Serializable` type.
///
///     extension Settings {
///         static let serialization = SerializationOptions(output: OutputOptions(indent: 2, sortKeys: true))
///     }
///
/// If a type creates them once, as here, its decoder reuses what it learned from earlier files.
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

    /// The values that `init(from:)` and `encode(to:)` find in `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { decoder.userInfo }
        set {
            decoder.userInfo = newValue
            encoder.userInfo = newValue
        }
    }

    /// Options without a profile.
    ///
    /// - Parameter output: the format of the text; keys are sorted by default.
    public init(output: OutputOptions = OutputOptions(sortKeys: true)) {
        self.init(ConvertDecoder(), ConvertEncoder(output: output))
    }

    /// Options with a profile, whose `output` is the format of the text.
    ///
    /// Writing a key that the profile cannot restore is an error, whatever the profile's `lossyKey` says.
    ///
    /// - Parameters:
    ///   - profile: the mapping between the keys of the file and those of the type.
    ///   - direction: the direction that reads a file; the other one writes it.
    /// - Throws: `ProfileError` if the profile cannot be compiled for both directions. Values that `drop`, `keep` or `prune` removes from
    ///   a file are not in it when it is read.
    public init(profile: Profile, readingBy direction: Profile.Direction = .forward) throws(ProfileError) {
        var profile = profile
        profile.policies.lossyKey = .error
        self.init(
            try ConvertDecoder(profile, applying: direction),
            try ConvertEncoder(profile, applying: direction.reversed))
        containers = ContainerCoders(profile, direction)
    }

    /// The options for arrays and dictionaries of `root`; the profile's paths begin at each `root` value.
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
        self.encoder.dateEncodingStrategy = .flexible()
    }
}

extension Profile.Direction {
    fileprivate var reversed: Profile.Direction { self == .forward ? .inverse : .forward }
}

/// The coders of one profile, each created once, for the types that it describes.
private final class ContainerCoders: Sendable {
    typealias Coders = (decoder: ConvertDecoder, encoder: ConvertEncoder)

    private let profile: Profile
    private let direction: Profile.Direction
    private let known = Mutex<[ObjectIdentifier: Coders]>([:])

    init(_ profile: Profile, _ direction: Profile.Direction) {
        self.profile = profile
        self.direction = direction
    }

    /// Nil if the profile cannot be compiled; then the type's own coders have already reported that.
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
