import ConvertEngine
import ConvertText

/// The spelling of the payload's keys and values in notes.
extension ExplainedPayload {
    static func quoted(_ name: [UInt8]) -> String { "`\(spelled(name))`" }

    /// The content as a JSON string spells it, so that no control character is shown; cut to `maxCharacters`.
    static func spelled(_ content: [UInt8], maxCharacters: Int = Explanation.maxShownCharacters) -> String {
        shown(String(decoding: spelling(content, .minimal), as: UTF8.self), maxCharacters: maxCharacters)
    }

    /// The content as a JSON string spells it, with its quotes if `isStringified`.
    static func spelling(_ content: [UInt8], _ escapes: OutputOptions.Escapes, isStringified: Bool = false) -> [UInt8] {
        var spelling = ByteBuffer()
        if isStringified { spelling.append(ASCII.quote) }
        JSONText.appendSpelling(of: content.span, to: &spelling, escapes)
        if isStringified { spelling.append(ASCII.quote) }
        return [UInt8](spelling)
    }

    static func shown(_ text: String, maxCharacters: Int = Explanation.maxShownCharacters) -> String {
        text.count > maxCharacters ? text.prefix(maxCharacters) + "…" : text
    }
}
