/// The `map` of a values rule: what a string's content, or the source text of a number or boolean, becomes.
package struct ValueTable: Sendable, Hashable {
    /// A scalar of the profile.
    package enum Target: Sendable, Hashable {
        /// Content, unescaped.
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

    /// In the order of the profile.
    package let rows: [Row]
    private let targets: [[UInt8]: Target]
    private let keys: [Target: [UInt8]]
    private let maxKeyBytes: Int
    private let maxTargetBytes: Int

    /// Of two rows with one target the first is the one that the inverse takes.
    package init(_ rows: [Row]) {
        self.rows = rows
        targets = Dictionary(keepingFirst: rows.map { ($0.key, $0.target) })
        keys = Dictionary(keepingFirst: rows.map { ($0.target, $0.key) })
        maxKeyBytes = rows.map { $0.key.count }.max() ?? 0
        maxTargetBytes = rows.map { $0.target.text.count }.max() ?? 0
    }

    /// Whether a value becomes null.
    var writesNull: Bool { rows.contains { $0.target == .token(Array("null".utf8)) } }

    /// Converts a value by its text, whether it is in quotes or not.
    func convert(_ text: Span<UInt8>, into output: inout ByteBuffer) -> ValueConversion.Outcome {
        guard text.count <= maxKeyBytes else { return complaint }
        switch targets[[UInt8](copying: text)] {
        case .string(let content):
            output.append(content)
            return .string
        case .token(let token):
            output.append(token)
            return .token
        case nil: return complaint
        }
    }

    /// Gives the key back that a target belongs to; one that spells a number or boolean goes without quotes.
    func revert(_ text: Span<UInt8>, isString: Bool, into output: inout ByteBuffer) -> ValueConversion.Outcome {
        guard text.count <= maxTargetBytes else { return complaint }
        let text = [UInt8](copying: text)
        guard let key = keys[isString ? .string(text) : .token(text)] else { return complaint }
        output.append(key)
        return Self.isToken(key) ? .token : .string
    }

    /// Whether a key spells a number or a boolean.
    package static func isToken(_ key: [UInt8]) -> Bool {
        key.span.isSpelled("true") || key.span.isSpelled("false") || NumberText.isNumber(key.span)
    }

    private var complaint: ValueConversion.Outcome {
        .bad("expected one of the \(rows.count) values in `map`")
    }
}
