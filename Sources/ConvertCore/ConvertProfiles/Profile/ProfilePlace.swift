public import ConvertEngine

/// A position in a profile document.
public struct ProfilePlace: Sendable, Hashable {
    /// RFC 6901 JSON Pointer into the profile.
    public let pointer: String
    /// The line, from 1.
    public let line: Int
    /// The column in bytes, from 1.
    public let column: Int
    /// The position of the rule in Swift source; without text for a rule of a document.
    var source = RuleSource(text: nil)

    /// Creates a position.
    public init(pointer: String, line: Int, column: Int) {
        self.pointer = pointer
        self.line = line
        self.column = column
    }

    /// The position in a message about another rule: `on line 4`, or `at Client/Names.swift:12`.
    var inWords: String { source.text.map { "at \($0)" } ?? "on line \(line)" }
}

/// A selector and its position in the profile.
public struct PlacedSelector: Sendable, Hashable {
    /// The selector.
    public let selector: Selector
    /// Where the selector is in the profile.
    public let place: ProfilePlace

    /// Creates a selector with its position.
    public init(selector: Selector, place: ProfilePlace) {
        self.selector = selector
        self.place = place
    }
}

/// A rule with one selector.
protocol PlacedRule {
    var selector: Selector { get }
    var place: ProfilePlace { get }
}

extension PlacedRule {
    /// The selector of the rule, with the rule's position.
    var placed: PlacedSelector { PlacedSelector(selector: selector, place: place) }
}

extension Array where Element: PlacedRule {
    /// The selectors of the rules, each with the rule's position.
    var placed: [PlacedSelector] { map { $0.placed } }
}

extension RenameRule: PlacedRule {}
extension KeepScope: PlacedRule {}
extension FlattenRule: PlacedRule {}
extension DefaultRule: PlacedRule {}
extension UnwrapRule: PlacedRule {}
extension WrapRule: PlacedRule {}
extension MoveRule: PlacedRule {
    var selector: Selector { source }
}
