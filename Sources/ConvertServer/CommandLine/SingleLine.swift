import Text

/// A text for people, on one line and without control characters: these are shown as JSON spells them.
///
/// A key or a file name may contain any character. As it is, it could begin another line, or control the terminal.
struct SingleLine {
    let text: String

    init(_ text: String) {
        guard text.unicodeScalars.contains(where: Self.isControl) else {
            self.text = text
            return
        }
        self.text = text.unicodeScalars.reduce(into: "") { shown, scalar in
            if Self.isControl(scalar) {
                shown += Self.escape(scalar)
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether it is one of the 65 control characters: those of ASCII, and U+0080 to U+009F.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\u{8}": "\\b"
        case "\t": "\\t"
        case "\n": "\\n"
        case "\u{C}": "\\f"
        case "\r": "\\r"
        default: "\\u" + String(scalar.value, width: 4, radix: 16)
        }
    }
}
