/// The `map` of a values rule. Its keys are strings' contents, or the source texts of numbers and booleans.
package struct ValueTable: Sendable, Hashable {
    /// A scalar of the profile.
    package enum Target: Sendable, Hashable {
        /// The content of a string, unescaped.
        case string([UInt8])
        /// A number's source text, `true`, `false` or `null`.
        case token([UInt8])

        var text: [UInt8] {
            switch self {
            case .string(let text), .token(let text): text
            }
        }
    }

    package struct Row: Sendable, Hashable {
        package var key: [UInt8]
        package var target: Target

        package init(key: [UInt8], target: Target) {
            self.key = key
            self.target = target
        }
    }

    /// The rows in the order of the profile.
    package let rows: [Row]
    /// Indices of rows, by their keys, and by the texts of their targets.
    private let rowsByKey: [[UInt8]: Int]
    private let rowsByString: [[UInt8]: Int]
    private let rowsByToken: [[UInt8]: Int]
    private let maxKeyBytes: Int
    private let maxTargetBytes: Int

    /// Creates a table. If two rows have the same target, the inverse uses the first one.
    package init(_ rows: [Row]) {
        self.rows = rows
        var (byKey, byString, byToken): ([[UInt8]: Int], [[UInt8]: Int], [[UInt8]: Int]) = ([:], [:], [:])
        for (index, row) in rows.enumerated() {
            byKey[row.key] = byKey[row.key] ?? index
            switch row.target {
            case .string(let text): byString[text] = byString[text] ?? index
            case .token(let text): byToken[text] = byToken[text] ?? index
            }
        }
        (rowsByKey, rowsByString, rowsByToken) = (byKey, byString, byToken)
        maxKeyBytes = rows.map { $0.key.count }.max() ?? 0
        maxTargetBytes = rows.map { $0.target.text.count }.max() ?? 0
    }

    /// Whether two rows have the same target.
    package var repeatsTarget: Bool { rowsByString.count + rowsByToken.count < rows.count }

    /// Whether some value becomes null.
    package var writesNull: Bool { rows.contains { $0.target == .token(Array("null".utf8)) } }

    /// Converts a value by its text, with or without quotes.
    func convert(_ text: Span<UInt8>, into output: inout ByteBuffer) -> ValueConversion.Outcome {
        guard text.count <= maxKeyBytes else { return complaint("key") }
        guard let row = rowsByKey[[UInt8](copying: text)] else { return complaint("key") }
        switch rows[row].target {
        case .string(let content):
            output.append(content)
            return .string
        case .token(let token):
            output.append(token)
            return .token
        }
    }

    /// Writes the key of a target; a key that is the text of a number or boolean is written without quotes.
    func revert(_ text: Span<UInt8>, isString: Bool, into output: inout ByteBuffer) -> ValueConversion.Outcome {
        guard text.count <= maxTargetBytes else { return complaint("value") }
        let text = [UInt8](copying: text)
        guard let row = isString ? rowsByString[text] : rowsByToken[text] else { return complaint("value") }
        output.append(rows[row].key)
        return Self.isToken(rows[row].key) ? .token : .string
    }

    /// Whether a key is the text of a number or a boolean.
    package static func isToken(_ key: [UInt8]) -> Bool {
        key.span.isSpelled("true") || key.span.isSpelled("false") || NumberText.isNumber(key.span)
    }

    /// - Parameter part: what the text is compared with: a key, or in the inverse direction a value.
    private func complaint(_ part: String) -> ValueConversion.Outcome {
        .bad(
            rows.count == 1
                ? "expected the one \(part) of `map`" : "expected one of the \(rows.count) \(part)s of `map`")
    }
}
