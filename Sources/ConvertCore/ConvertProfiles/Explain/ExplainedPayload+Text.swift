import ConvertEngine
import ConvertText

/// The spelling of the payload's keys and values in notes.
extension ExplainedPayload {
    static func quoted(_ name: [UInt8]) -> String { "`\(spelled(name))`" }

    /// The content as a JSON string spells it, so that no control character is shown; cut to `maxCharacters`.
    static func spelled(_ content: [UInt8], maxCharacters: Int = Explanation.maxShownCharacters) -> String {
        let text = JSONText.quoted(content).dropFirst().dropLast()
        return shown(String(decoding: text, as: UTF8.self), maxCharacters: maxCharacters)
    }

    /// The unescaped content of a JSON string with its quotes; nil for any other JSON text.
    static func content(of text: [UInt8]) -> [UInt8]? {
        guard text.first == ASCII.quote else { return nil }
        var content = ByteBuffer()
        _ = JSONText.appendContent(of: text.span.extracting(1..<(text.count - 1)), to: &content)
        return [UInt8](content)
    }

    static func shown(_ text: String, maxCharacters: Int = Explanation.maxShownCharacters) -> String {
        text.count > maxCharacters ? text.prefix(maxCharacters) + "…" : text
    }
}
