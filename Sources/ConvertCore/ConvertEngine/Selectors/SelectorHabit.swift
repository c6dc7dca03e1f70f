import ConvertText

/// A selector in the syntax of jq or JSONPath: `.items[].id`, `$.user.name`, `/items[0]/id`, `/user/`, `user/name`.
///
/// All of these are legal selectors, but of keys that hardly any payload has.
package struct SelectorHabit: Equatable {
    /// A description of the unusual syntax.
    package let message: String
    /// The selector that was probably meant.
    package let selector: Selector

    /// Recognises such a selector; nil for a usual one.
    ///
    /// - Parameters:
    ///   - written: the text that the selector was read from. Only there, `**` differs from `*` and a slash from `~1`.
    ///   - isLenient: whether a dot or an escaped slash alone is enough: `user.name` and `user~1name` may be keys.
    package init?(_ selector: Selector, written: [UInt8]? = nil, isLenient: Bool = false) {
        let text = written ?? Array(selector.description.utf8)
        let isPointer = text.first == ASCII.slash
        let isPath = text.starts(with: Array("$.".utf8))
        let hasLeadingDot = text.first == ASCII.dot && text.count > 1 && text[1] != ASCII.dot
        if Self.hasBrackets(text) {
            message = "brackets are part of a key here"
        } else if isPath {
            message = "`$` and `.` are part of a key here"
        } else if hasLeadingDot, !isPointer {
            message = "a dot is part of a key here"
        } else if isPointer, text.count > 1, text.last == ASCII.slash {
            message = "a slash at the end means the key \"\""
        } else if written != nil, text.contains(ASCII.slash), !isPointer {
            message = "a path begins with `/`, and a slash in a key is `~1`"
        } else if isLenient, text.contains(ASCII.slash), !isPointer {
            message = "a path begins with `/`"
        } else if isLenient, text.contains(ASCII.dot), !isPointer {
            message = "a dot is part of a key here"
        } else {
            return nil
        }
        guard let meant = Self.meant(by: text, isPointer: isPointer) else { return nil }
        self.selector = meant
    }

    /// Whether a segment is, or ends with, brackets around nothing, a `*` or an index.
    private static func hasBrackets(_ text: [UInt8]) -> Bool {
        for (index, byte) in text.enumerated() where byte == ASCII.openBracket {
            guard let end = text[index...].firstIndex(of: ASCII.closeBracket) else { return false }
            let isEnd = end + 1 == text.count || [ASCII.slash, ASCII.dot, ASCII.openBracket].contains(text[end + 1])
            if isEnd, isSubscript(text[(index + 1)..<end]) { return true }
        }
        return false
    }

    private static func isSubscript(_ text: ArraySlice<UInt8>) -> Bool {
        text.allSatisfy(ASCII.isDigit) || text.elementsEqual([ASCII.asterisk])
    }

    /// The path that results if dots, brackets and slashes all end a step.
    private static func meant(by text: [UInt8], isPointer: Bool) -> Selector? {
        var steps: [[UInt8]] = []
        var step: [UInt8] = []
        var rest = text[...]
        let isJSONPath = text.starts(with: Array("$.".utf8))
        var previous = ASCII.dollar
        // A literal `*` is written as `~2`.
        if let last = rest.indices.last, isPointer, rest[last] == ASCII.slash { rest = rest.dropLast() }
        while let byte = rest.popFirst() {
            defer { previous = byte }
            switch byte {
            case ASCII.slash,
                ASCII.dot where !isPointer:
                // JSONPath writes `..` for any number of levels.
                if isJSONPath, byte == ASCII.dot, previous == ASCII.dot { step = [ASCII.asterisk, ASCII.asterisk] }
                if !step.isEmpty { steps.append(step) }
                step = []
            case ASCII.openBracket:
                guard let end = rest.firstIndex(of: ASCII.closeBracket), isSubscript(rest[..<end]) else {
                    step.append(byte)
                    continue
                }
                if !step.isEmpty { steps.append(step) }
                let index = Array(rest[..<end])
                step = index.isEmpty ? [ASCII.asterisk] : index
                rest = rest[(end + 1)...]
            default: step.append(byte)
            }
        }
        if !step.isEmpty { steps.append(step) }
        if steps.first == [ASCII.dollar] { steps.removeFirst() }
        guard !steps.isEmpty else { return nil }
        return try? Selector(parsing: steps.flatMap { [ASCII.slash] + $0 })
    }
}
