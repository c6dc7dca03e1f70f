/// The reason why a description cannot be rewritten, or a warning about a part that was left out.
package struct DescriptionError: Error, Hashable, Sendable {
    /// JSON Pointer into the description; empty for the whole document.
    package let pointer: String
    /// The problem, in one line.
    package let message: String
    /// JSON Pointer into the profile, to the rule; nil if the problem does not depend on one.
    package let rule: String?
    /// The suggested correction; nil if none is known.
    package let hint: String?

    package init(at pointer: String, _ message: String, rule: String? = nil, hint: String? = nil) {
        self.pointer = pointer
        self.message = message
        self.rule = rule
        self.hint = hint
    }
}

extension DescriptionError: CustomStringConvertible {
    /// `MESSAGE; HINT (POINTER) (rule RULE)`
    package var description: String {
        message + (hint.map { "; \($0)" } ?? "") + (pointer.isEmpty ? "" : " (\(pointer))")
            + (rule.map { " (rule \($0))" } ?? "")
    }
}
