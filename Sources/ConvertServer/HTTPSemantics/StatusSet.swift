import Text

/// Statuses written as classes (`2xx`) or as exact codes (`404`).
package struct StatusSet: Sendable, Hashable {
    /// The first digits.
    private var classes: Set<Int> = []
    private var codes: Set<Int> = []

    /// `2xx`
    package static let success = StatusSet(classes: [2])
    package static let all = StatusSet(classes: [2, 3, 4, 5])

    package init(classes: Set<Int> = [], codes: Set<Int> = []) {
        self.classes = classes
        self.codes = codes
    }

    package func contains(_ status: Int) -> Bool { classes.contains(status / 100) || codes.contains(status) }

    /// Adds `Nxx` or a code of 200 to 599; false when the text is neither.
    package mutating func insert(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 3, let first = bytes.first, ASCII.isDigit(first) else { return false }
        let digit = Int(first - ASCII.zero)
        guard (2...5).contains(digit) else { return false }
        if text.hasSuffix("xx") {
            classes.insert(digit)
            return true
        }
        guard bytes.allSatisfy(ASCII.isDigit), let code = Int(text) else { return false }
        codes.insert(code)
        return true
    }
}

extension StatusSet: CustomStringConvertible {
    package var description: String {
        (classes.sorted().map { "\($0)xx" } + codes.sorted().map(String.init)).joined(separator: ", ")
    }
}
