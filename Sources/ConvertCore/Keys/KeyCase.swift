/// The spellings that a key can be rewritten to, named as profiles name them.
public enum KeyCase: String, Sendable, Hashable, CaseIterable {
    case camelCase = "camelCase"
    case pascalCase = "PascalCase"
    case snakeCase = "snake_case"
    case screamingSnakeCase = "SCREAMING_SNAKE_CASE"
    case kebabCase = "kebab-case"
    case trainCase = "Train-Case"
    case dotCase = "dot.case"
    case flatCase = "flatcase"
    /// Names stay as they are, white space and all.
    case preserve = "preserve"
}

extension KeyCase {
    /// What stands between two words, if anything does.
    var joint: UInt8? {
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
