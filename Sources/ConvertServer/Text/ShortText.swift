/// A text of limited length for responses, because a pointer with long or many keys may be very long.
package struct ShortText {
    /// The mark for the missing end.
    static let ellipsis = "…"

    package let text: String

    /// The text itself, if it has at most `maxBytes` bytes of UTF-8. Otherwise whole scalars of its beginning and an
    /// ellipsis, which together fit into `maxBytes`.
    ///
    /// No escape of a JSON Pointer (RFC 6901 §3) is cut in two.
    package init(_ text: String, maxBytes: Int) {
        let room = maxBytes - Self.ellipsis.utf8.count
        precondition(room >= 0, "there is room for the ellipsis")
        guard text.utf8.count > maxBytes else {
            self.text = text
            return
        }
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: room)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        var beginning = text.unicodeScalars[..<end]
        if beginning.last == "~" { beginning.removeLast() }
        self.text = String(beginning) + Self.ellipsis
    }
}
