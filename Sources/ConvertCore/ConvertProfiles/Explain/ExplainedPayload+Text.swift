import ConvertEngine
import ConvertText

/// How names and values of the payload are shown.
extension ExplainedPayload {
    static func quoted(_ name: [UInt8]) -> String { "`\(spelled(name))`" }

    /// Content as JSON spells it, so that no control character gets out.
    static func spelled(_ content: [UInt8], maxCharacters: Int = Explanation.maxShownCharacters) -> String {
        shown(String(decoding: spelling(content, .minimal), as: UTF8.self), maxCharacters: maxCharacters)
    }

    /// Content as JSON spells it.
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
