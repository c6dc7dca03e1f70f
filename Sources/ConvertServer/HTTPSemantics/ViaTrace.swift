import HTTPWire
import Text

/// The Via entries of a request: the gateways that it passed. They prevent loops.
package struct ViaTrace: Sendable, Hashable {
    /// The most gateways that a request may have passed.
    static let maxEntries = 10

    package private(set) var count = 0
    private var names: [String] = []

    /// Reads the values of all Via fields.
    ///
    ///     Via         = [ via-entry *( OWS "," OWS via-entry ) ]
    ///     via-entry   = received-protocol RWS received-by [ RWS comment ]
    package init(_ values: [String]) {
        for value in values {
            for entry in Self.entries(value.utf8) {
                count += 1
                let words = entry.split { $0 == ASCII.space || $0 == ASCII.tab }
                if words.count > 1 { names.append(String(Substring(words[1])).lowercased()) }
            }
        }
    }

    /// Refuses a request that passed this gateway before, or too many others.
    ///
    /// - Parameter name: the gateway's own name in Via fields.
    package func check(for name: String) throws(Problem) {
        guard names.isEmpty || !names.contains(name.lowercased()), count <= Self.maxEntries else {
            throw Problem(508, "the request has already passed this gateway, or too many others", code: "loop")
        }
    }

    /// The entry that the gateway adds.
    package static func entry(minorVersion: Int, name: String) -> String { "1.\(minorVersion) \(name)" }

    /// Whether a name can be recognized in a Via field: a pseudonym, or a host and port. A name with characters that
    /// separate entries or begin a comment could not be found again, even if a host may have them.
    package static func isName(_ name: String) -> Bool {
        let separators = [ASCII.comma, ASCII.openParenthesis, ASCII.closeParenthesis]
        guard !name.isEmpty, !name.utf8.contains(where: separators.contains) else { return false }
        return name.utf8.allSatisfy(ASCII.isToken) || Authority.isValid(name)
    }

    package static let nameHint = "a word of letters, digits and hyphens, or a host and port"

    /// The elements of a list in which parentheses may contain commas.
    private static func entries(_ value: String.UTF8View) -> [Substring.UTF8View] {
        var entries: [Substring.UTF8View] = []
        var depth = 0
        var start = value.startIndex
        for index in value.indices {
            switch value[index] {
            case ASCII.openParenthesis: depth += 1
            case ASCII.closeParenthesis: depth = max(0, depth - 1)
            case ASCII.comma where depth == 0:
                entries.append(value[start..<index])
                start = value.index(after: index)
            default: break
            }
        }
        entries.append(value[start...])
        return entries.map(\.trimmed).filter { !$0.isEmpty }
    }
}
