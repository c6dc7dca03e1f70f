import ConvertText

/// Checks whether a text is a JSON number (RFC 8259 §6) as a whole.
package enum NumberText {
    package static func isNumber(_ text: Span<UInt8>) -> Bool { Reader(text).isNumber }

    /// `-?(0|[1-9][0-9]*)`
    package static func isInteger(_ text: Span<UInt8>) -> Bool { Reader(text).isInteger }

    /// Reads a text that may come in pieces.
    struct Reader: Sendable {
        private var state = NumberCopier.State.start
        private var isBroken = false

        init() {}

        init(_ text: Span<UInt8>) { read(text) }

        /// Whether the text so far is a number.
        var isNumber: Bool { !isBroken && state.isComplete }
        var isInteger: Bool { !isBroken && (state == .zero || state == .integer) }

        mutating func read(_ piece: Span<UInt8>) {
            var index = 0
            while index < piece.count, !isBroken {
                if state.takesDigits {
                    while index < piece.count, ASCII.isDigit(piece[index]) { index += 1 }
                    guard index < piece.count else { return }
                }
                let byte = piece[index]
                index += 1
                if let following = try? NumberCopier.step(state, byte, at: index) {
                    state = following
                } else {
                    isBroken = true
                }
            }
        }
    }
}
