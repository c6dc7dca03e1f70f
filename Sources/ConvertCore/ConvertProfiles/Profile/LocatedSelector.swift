package import ConvertEngine

/// A position in a profile document.
package struct DocumentLocation: Sendable, Hashable {
    /// RFC 6901 JSON Pointer into the profile.
    package let pointer: String
    /// The line, from 1.
    package let line: Int
    /// The column in bytes, from 1.
    package let column: Int
    /// The position of the rule in Swift source; without text for a rule of a document.
    var source = RuleSource(text: nil)

    /// Creates a position.
    package init(pointer: String, line: Int, column: Int) {
        self.pointer = pointer
        self.line = line
        self.column = column
    }

    /// The position of a value of a document, or of its key, at a byte offset.
    init(of id: JSONDocument.NodeID, at offset: Int, in document: JSONDocument) {
        let position = document.position(of: offset)
        self.init(pointer: document.pointer(to: id), line: position.line, column: position.column)
    }

    /// The position in a message about another rule: `on line 4`, or `at Client/Names.swift:12`.
    var inWords: String { source.text.map { "at \($0)" } ?? "on line \(line)" }
}

/// A selector and its position in the profile.
package struct LocatedSelector: Sendable, Hashable {
    package internal(set) var selector: Selector
    /// Where the selector is in the profile.
    package let location: DocumentLocation
}

/// A rule or a section with its position in the profile.
protocol Located {
    /// Where the rule or the section is in the profile.
    var location: DocumentLocation { get }
}

extension Located {
    /// An error or a warning at this position.
    func fault(_ message: String, hint: String? = nil) -> ProfileFault {
        ProfileFault(at: location, message, hint: hint)
    }
}

/// A rule with one selector.
protocol LocatedRule: Located {
    var selector: Selector { get set }
}

extension LocatedRule {
    /// The selector of the rule, with the rule's position.
    var located: LocatedSelector { LocatedSelector(selector: selector, location: location) }
}

extension Array where Element: LocatedRule {
    /// The selectors of the rules, each with the rule's position.
    var located: [LocatedSelector] { map { $0.located } }
}

extension KeysSection: Located {}
extension DatesEntry: Located {}
extension ValuesEntry: Located {}
extension LocatedSelector: LocatedRule {}
extension RenameRule: LocatedRule {}
extension KeepScope: LocatedRule {}
extension FlattenRule: LocatedRule {}
extension DefaultRule: LocatedRule {}
extension UnwrapRule: LocatedRule {}
extension WrapRule: LocatedRule {}
extension MoveRule: LocatedRule {
    var selector: Selector {
        get { source }
        set { source = newValue }
    }
}
