import ConvertText

/// The spellings that a key can be rewritten to, named as profiles name them.
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
    /// What is between two words, if there is anything.
    package var joint: UInt8? {
        switch self {
        case .snakeCase, .screamingSnakeCase: ASCII.underscore
        case .kebabCase, .trainCase: ASCII.minus
        case .dotCase: ASCII.dot
        case .camelCase, .pascalCase, .flatCase, .preserve: nil
        }
    }

    /// How a word is written; `title` means its first scalar, the rest being lower case.
    func letterCase(isFirstWord: Bool) -> LetterCase {
        switch self {
        case .camelCase: isFirstWord ? .lower : .title
        case .pascalCase, .trainCase: .title
        case .screamingSnakeCase: .upper
        case .snakeCase, .kebabCase, .dotCase, .flatCase, .preserve: .lower
        }
    }
}
