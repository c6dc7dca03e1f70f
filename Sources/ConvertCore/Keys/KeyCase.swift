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
    case preserve = "preserve"
}
