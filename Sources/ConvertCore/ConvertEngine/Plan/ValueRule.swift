/// One rule for values, either for dates or a conversion, and its pointer in the profile.
package struct ValueRule: Sendable {
    package enum Action: Sendable {
        case date(SharedDateRule)
        case conversion(ValueConversion)
    }

    /// A date rule behind a reference: matching the enum copies a case's payload, and a date rule is large.
    package final class SharedDateRule: Sendable {
        let rule: DateRule
        /// The date rule of the inverse direction, if each date must be restored exactly; otherwise nil.
        fileprivate let undoing: DateRule?

        package init(_ rule: DateRule, undoing: DateRule? = nil) {
            self.rule = rule
            self.undoing = undoing
        }

        /// The final outcome for a date. It is bad if the inverse would not write `content` again from `output`.
        func checked(
            _ outcome: Outcome, of content: Span<UInt8>, isString: Bool, _ output: borrowing ByteBuffer
        ) -> Outcome {
            guard let undoing else { return outcome }
            var restored = ByteBuffer()
            let back: Outcome
            switch outcome {
            case .string: back = undoing.rewrite(string: output.bytes, into: &restored)
            case .token: back = undoing.rewrite(number: output.bytes, into: &restored)
            case .unchanged: back = undoing.rewrite(string: content, into: &restored)
            default: return outcome
            }
            let isSame =
                switch back {
                case .string: isString && restored.bytes.equals(content)
                case .token: !isString && restored.bytes.equals(content)
                case .unchanged: isString && (outcome == .unchanged || output.bytes.equals(content))
                default: false
                }
            return isSame ? outcome : .bad("expected a date that the inverse direction restores exactly")
        }
    }

    /// The result of a rule for one value. If it is bad, ignore anything that was appended.
    package typealias Outcome = ValueConversion.Outcome

    package let action: Action
    /// JSON Pointer into the profile, to the rule.
    package let pointer: String
    /// What happens to a value that the rule does not accept.
    package let badValue: BadValuePolicy
    /// The longest content in bytes. A longer value is bad under a rule, and not a date in a scan. Conversions take any length.
    let maxContentBytes: Int
    /// Whether new content may contain a byte that JSON escapes.
    package let contentMayNeedEscaping: Bool

    package init(_ action: Action, pointer: String, badValue: BadValuePolicy) {
        self.action = action
        self.pointer = pointer
        self.badValue = badValue
        switch action {
        case .date(let shared):
            maxContentBytes = shared.rule.maxContentBytes
            contentMayNeedEscaping = shared.rule.contentMayNeedEscaping
        case .conversion(let conversion):
            // Each byte of a string can be an escape, and the product must not overflow.
            maxContentBytes = Int.max / ByteWindow.escapeLength
            contentMayNeedEscaping = conversion.contentMayNeedEscaping
        }
    }

    /// How the fast path handles strings under the rule.
    var fastDates: FastDates {
        guard case .date(let shared) = action, shared.rule.turnsShapeToUTC, shared.undoing == nil else {
            return FastDates()
        }
        return FastDates(isTaken: true, precision: shared.rule.precision)
    }

    /// Whether the rule turns any value into a string with its JSON text, which the converter does by itself.
    package var stringifiesValue: Bool {
        if case .conversion(.text) = action { true } else { false }
    }

    /// Whether the rule hides the value (`mask` or `hash`).
    package var hidesValue: Bool {
        if case .conversion(.hash) = action { true } else { masksContainers }
    }

    /// Whether objects and arrays are hidden, too. Then only their JSON syntax is checked.
    package var masksContainers: Bool {
        if case .conversion(.mask) = action { true } else { false }
    }

    /// Whether objects and arrays are replaced by something else.
    package var replacesContainers: Bool { masksContainers || (badValue == .null && !stringifiesValue) }

    /// Whether the rule converts `true` and `false`; date rules do not.
    var takesBooleans: Bool {
        if case .conversion = action { true } else { false }
    }

    /// The kinds of value that the rule takes, for a message.
    package var noun: String {
        if case .conversion = action { "a single value" } else { "a date" }
    }

    func rewrite(string content: borrowing ByteBuffer, into output: inout ByteBuffer) -> Outcome {
        rewrite(string: content.bytes, into: &output)
    }

    /// Rewrites the content of a JSON string, unescaped.
    func rewrite(string content: Span<UInt8>, into output: inout ByteBuffer) -> Outcome {
        switch action {
        case .date(let shared):
            let outcome = shared.rule.rewrite(string: content, into: &output)
            return shared.checked(outcome, of: content, isString: true, output)
        case .conversion(let conversion): return conversion.convert(string: content, into: &output)
        }
    }

    /// Rewrites a JSON number given as its source text.
    func rewrite(number text: borrowing ByteBuffer, into output: inout ByteBuffer) -> Outcome {
        switch action {
        case .date(let shared):
            let outcome = shared.rule.rewrite(number: text.bytes, into: &output)
            return shared.checked(outcome, of: text.bytes, isString: false, output)
        case .conversion(let conversion): return conversion.convert(number: text.bytes, into: &output)
        }
    }

    /// Rewrites `true` or `false`.
    func rewrite(boolean text: borrowing ByteBuffer, into output: inout ByteBuffer) -> Outcome {
        switch action {
        case .date: .bad("expected a date, not a boolean")
        case .conversion(let conversion): conversion.convert(boolean: text.bytes, into: &output)
        }
    }
}
