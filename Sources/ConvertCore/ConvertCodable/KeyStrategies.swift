public import ConvertEngine
public import FoundationEssentials
import Synchronization

extension JSONDecoder.KeyDecodingStrategy {
    /// Rewrites every key as a profile's `keys` does, from any mix of cases: `user-ID`, `UserId` and `user_id` become `userId`.
    ///
    ///     decoder.keyDecodingStrategy = .normalized(to: .camelCase)
    ///
    /// `acronyms` lists words in their own spelling, such as `URL`, that keys write in capitals. `["common"]` means the usual ones,
    /// as in a profile. `acronymStyle` is the spelling of the words in the result: `userId`, or with `asListed` the Swift spelling
    /// `userID`, also for `user_id`.
    ///
    /// Each strategy caches up to 1,024 keys. Create one, and use it for all decoders of a type.
    ///
    /// If two keys of an object become equal, Foundation's decoder takes one of them without an error. A `ConvertDecoder` with the
    /// same `keys` in its profile reports the collision. The keys of a dictionary by `String` or `Int` are data and stay unchanged.
    public static func normalized(
        to target: KeyCase = .camelCase, acronyms: [String] = [], acronymStyle: AcronymStyle = .title,
        digits: DigitStyle = .join
    ) -> JSONDecoder.KeyDecodingStrategy {
        let cache = NameCache(target, acronyms, acronymStyle, digits)
        return .custom { path in cache.key(for: path) }
    }
}

extension JSONEncoder.KeyEncodingStrategy {
    /// Writes every key in another case: `userId` as `user_id`, with `normalized(to: .snakeCase)`.
    ///
    /// `acronyms` lists words that the type's property names write in capitals, as in `pictureURL`; `["common"]` means the usual
    /// ones. The keys of a dictionary by `String` or `Int` are data and stay unchanged, as with Foundation's own strategies.
    public static func normalized(
        to target: KeyCase, acronyms: [String] = [], acronymStyle: AcronymStyle = .title, digits: DigitStyle = .join
    ) -> JSONEncoder.KeyEncodingStrategy {
        let cache = NameCache(target, acronyms, acronymStyle, digits)
        return .custom { path in cache.key(for: path) }
    }
}

/// A cache of converted keys, which lives as long as the strategy. Its size is limited, so hostile keys cost time and no memory.
private final class NameCache: Sendable {
    private static let maxNames = 1024
    /// The limit in bytes; longer keys are converted each time.
    private static let maxNameBytes = 128

    private let rule: KeyCaseRule
    private let names = Mutex<[String: String]>([:])

    init(_ target: KeyCase, _ acronyms: [String], _ style: AcronymStyle, _ digits: DigitStyle) {
        rule = KeyCaseRule(
            target: target, acronyms: CommonAcronyms.expanded(acronyms), acronymStyle: style, digits: digits)
    }

    /// The last key of a path with its converted name. A key may have a number beside its name, as in an enum of integers.
    /// Digits alone and `Index 3` are indices, and stay unchanged.
    func key(for path: [any CodingKey]) -> any CodingKey {
        guard let key = path.last else { return AnyCodingKey("") }
        let name = key.stringValue
        guard let number = key.intValue else { return AnyCodingKey(converted(name)) }
        guard name != String(number), name != "Index \(number)" else { return key }
        return AnyCodingKey(converted(name), number: number)
    }

    private func converted(_ name: String) -> String {
        guard name.utf8.count <= Self.maxNameBytes else { return rule.converted(name) }
        return names.withLock { names in
            // `String` also finds canonically equivalent names, and their conversions are equivalent as well.
            if let known = names[name] { return known }
            let converted = rule.converted(name)
            if names.count < Self.maxNames { names[name] = converted }
            return converted
        }
    }
}
