public import ConvertEngine
public import FoundationEssentials
import Synchronization

extension JSONDecoder.KeyDecodingStrategy {
    /// Rewrites every key as a profile's `keys` does, from any mix of cases: `user-ID`, `UserId` and `user_id` are `userId`.
    ///
    ///     decoder.keyDecodingStrategy = .normalized(to: .camelCase)
    ///
    /// `acronyms` are words in the spelling given, such as `URL`, that the name shows in capitals. `["common"]` lists the usual ones, as
    /// in a profile. `acronymStyle` says how the words are written: `userId`, or with `asListed` the Swift spelling `userID`, from
    /// `user_id` as well.
    ///
    /// Each strategy remembers up to 1,024 keys. Make one, and give it to all decoders of a type.
    ///
    /// If two keys of an object become one, Foundation's decoder takes one of them without an error. A `ConvertDecoder` with the
    /// same `keys` in its profile reports the collision. The keys of a dictionary are data and stay.
    public static func normalized(
        to target: KeyCase = .camelCase, acronyms: [String] = [], acronymStyle: AcronymStyle = .title,
        digits: DigitStyle = .join
    ) -> JSONDecoder.KeyDecodingStrategy {
        let memo = NameMemo(target, acronyms, acronymStyle, digits)
        return .custom { path in memo.key(for: path) }
    }
}

extension JSONEncoder.KeyEncodingStrategy {
    /// Writes every key in another case: `userId` as `user_id`, with `normalized(to: .snakeCase)`.
    ///
    /// `acronyms` are words that the names of the type show in capitals, as in `pictureURL`; `["common"]` lists the usual ones. The keys of a dictionary are data and
    /// stay, as with Foundation's own strategies.
    public static func normalized(
        to target: KeyCase, acronyms: [String] = [], acronymStyle: AcronymStyle = .title, digits: DigitStyle = .join
    ) -> JSONEncoder.KeyEncodingStrategy {
        let memo = NameMemo(target, acronyms, acronymStyle, digits)
        return .custom { path in memo.key(for: path) }
    }
}

/// Converted names, remembered for as long as the strategy lives; bounded, so that hostile keys cost time and no memory.
private final class NameMemo: Sendable {
    private static let maxNames = 1024
    /// Longer names are converted each time they come.
    private static let maxNameBytes = 128

    private let rule: KeyCaseRule
    private let names = Mutex<[String: String]>([:])

    init(_ target: KeyCase, _ acronyms: [String], _ style: AcronymStyle, _ digits: DigitStyle) {
        rule = KeyCaseRule(
            target: target, acronyms: CommonAcronyms.expanded(acronyms), acronymStyle: style, digits: digits)
    }

    /// The last key of a path under its other name. A key may have a number beside its name, as in an enum of integers.
    /// Digits alone and `Index 3` are not spellings, and stay.
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
            // `String` finds canonically equivalent names too, whose conversions are equivalent as well.
            if let known = names[name] { return known }
            let converted = rule.converted(name)
            if names.count < Self.maxNames { names[name] = converted }
            return converted
        }
    }
}
