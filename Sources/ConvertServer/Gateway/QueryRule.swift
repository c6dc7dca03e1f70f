package import ConvertEngine
import Text

/// Which parameters of a query name keys: by their own names, by their values, or by both.
package struct QueryRule: Sendable, Hashable {
    /// The parameters whose names are keys or paths.
    package var names: [ParameterPattern] = []
    /// The parameters whose values name keys.
    package var values: [Value] = []
    /// The text between the keys of a path, as an alternative to brackets.
    package var separator = [ASCII.dot]
    /// The object where paths begin; nil for the document.
    package var base: Selector?

    package init() {}

    /// The values of one kind of parameter.
    package struct Value: Sendable, Hashable {
        package let pattern: ParameterPattern
        package let syntax: NameForm.OutsideSyntax

        package init(_ pattern: ParameterPattern, _ syntax: NameForm.OutsideSyntax) {
            self.pattern = pattern
            self.syntax = syntax
        }
    }

    /// The same rule for names of parameters in lower case.
    var lowercased: QueryRule {
        var rule = self
        rule.names = names.map(\.lowercased)
        rule.values = values.map { Value($0.pattern.lowercased, $0.syntax) }
        return rule
    }

    /// The part of a parameter's name that is a path of keys; nil if none is. The longest pattern that fits decides.
    package func keys(in name: [UInt8]) -> Range<Int>? {
        let fitting = names.lazy.filter { $0.keys(in: name) != nil }
        return fitting.max { $0.length < $1.length }?.keys(in: name)
    }

    /// How the value of a parameter names keys; nil if it does not. The longest pattern that fits decides.
    package func syntax(ofValueOf name: [UInt8]) -> NameForm.OutsideSyntax? {
        let fitting = values.lazy.filter { $0.pattern.keys(in: name) != nil }
        return fitting.max { $0.pattern.length < $1.pattern.length }?.syntax
    }
}

/// Parameters by their decoded names: `sort`, `filter[*]` or `*`.
///
/// A pattern without a star also fits a name that continues in brackets: `sort` fits `sort[]`.
package struct ParameterPattern: Sendable, Hashable {
    private let beginning: [UInt8]
    /// The part after the star; nil without a star.
    private let end: [UInt8]?

    /// The text has at most one `*`; nil otherwise.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: ASCII.asterisk, omittingEmptySubsequences: false)
        guard parts.count <= 2 else { return nil }
        beginning = Array(parts[0])
        end = parts.count == 2 ? Array(parts[1]) : nil
    }

    init(name: [UInt8]) { self.init(beginning: name, end: nil) }

    /// The name, if there is no star.
    var name: [UInt8]? { end == nil ? beginning : nil }

    package static let all = ParameterPattern(beginning: [], end: [])

    private init(beginning: [UInt8], end: [UInt8]?) {
        self.beginning = beginning
        self.end = end
    }

    var lowercased: ParameterPattern {
        ParameterPattern(beginning: beginning.map(ASCII.lowercased), end: end?.map(ASCII.lowercased))
    }

    /// Bytes that a name must have.
    var length: Int { beginning.count + (end?.count ?? 0) }

    /// The part of a name that is a path of keys: what the star matches, or all of it. Nil if the pattern does not fit.
    func keys(in name: [UInt8]) -> Range<Int>? {
        guard name.count >= length, name.starts(with: beginning) else { return nil }
        guard let end else {
            return name.count == length || name[length] == ASCII.openBracket ? 0..<name.count : nil
        }
        return name.suffix(end.count) == end[...] ? beginning.count..<(name.count - end.count) : nil
    }
}
