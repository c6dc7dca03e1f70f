import ConvertText

/// The cases that a key can be rewritten to, with their names in profiles.
public enum KeyCase: String, Sendable, Hashable, CaseIterable {
    /// `userId`
    case camelCase = "camelCase"
    /// `UserId`
    case pascalCase = "PascalCase"
    /// `user_id`
    case snakeCase = "snake_case"
    /// `USER_ID`
    case screamingSnakeCase = "SCREAMING_SNAKE_CASE"
    /// `user-id`
    case kebabCase = "kebab-case"
    /// `User-Id`
    case trainCase = "Train-Case"
    /// `user.id`
    case dotCase = "dot.case"
    /// `userid`
    case flatCase = "flatcase"
    /// Keys do not change, not even their white space.
    case preserve = "preserve"
}

extension KeyCase {
    /// The byte between two words; nil if there is none.
    package var joint: UInt8? {
        switch self {
        case .snakeCase, .screamingSnakeCase: ASCII.underscore
        case .kebabCase, .trainCase: ASCII.minus
        case .dotCase: ASCII.dot
        case .camelCase, .pascalCase, .flatCase, .preserve: nil
        }
    }

    /// The case of a word's letters; `title` applies to its first scalar, and the rest is in lower case.
    func letterCase(isFirstWord: Bool) -> LetterCase {
        switch self {
        case .camelCase: isFirstWord ? .lower : .title
        case .pascalCase, .trainCase: .title
        case .screamingSnakeCase: .upper
        case .snakeCase, .kebabCase, .dotCase, .flatCase, .preserve: .lower
        }
    }
}
