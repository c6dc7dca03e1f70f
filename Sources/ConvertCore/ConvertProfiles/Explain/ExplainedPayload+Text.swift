import ConvertEngine

/// The spelling of the payload's keys and values in notes.
extension ExplainedPayload {
    static func quoted(_ name: [UInt8]) -> String { "`\(spelled(name))`" }

    /// The content as a JSON string spells it, so that no control character is shown; cut to `maxCharacters`.
    static func spelled(_ content: [UInt8], maxCharacters: Int = Explanation.maxShownCharacters) -> String {
        let text = JSONText.quoted(content).dropFirst().dropLast()
        return shown(String(decoding: text, as: UTF8.self), maxCharacters: maxCharacters)
    }

    static func shown(_ text: String, maxCharacters: Int = Explanation.maxShownCharacters) -> String {
        text.count > maxCharacters ? text.prefix(maxCharacters) + "…" : text
    }
}
