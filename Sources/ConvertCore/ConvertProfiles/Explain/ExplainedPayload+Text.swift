import ConvertEngine

/// The spelling of the payload's keys and values in notes.
extension ExplainedPayload {
    static func quoted(_ name: [UInt8]) -> String { "`\(spelled(name))`" }

    /// The content as a JSON string spells it, so that no control character is shown; cut to `maxScalars`.
    static func spelled(_ content: [UInt8], maxScalars: Int = Explanation.maxShownCharacters) -> String {
        let text = JSONText.quoted(content).dropFirst().dropLast()
        return shown(String(decoding: text, as: UTF8.self), maxScalars: maxScalars)
    }

    static func shown(_ text: String, maxScalars: Int = Explanation.maxShownCharacters) -> String {
        let scalars = text.unicodeScalars
        return scalars.count > maxScalars ? String(scalars.prefix(maxScalars)) + "…" : text
    }
}
