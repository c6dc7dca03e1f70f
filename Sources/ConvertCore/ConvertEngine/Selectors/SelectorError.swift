/// The reason why a text is not a selector.
package struct SelectorError: Error, Sendable, Hashable {
    /// The kinds of error in a selector.
    package enum Code: Sendable, Hashable, CaseIterable {
        /// The text is empty.
        case empty
        /// A `~` that is not followed by `0`, `1` or `2`.
        case badEscape
        /// A `*` beside other characters in a segment of a pointer.
        case wildcardInSegment
        /// More than `Selector.maxTextBytes` bytes.
        case tooLong
    }

    /// The kind of error.
    package var code: Code
    /// Bytes from the start of the selector to the error, from 0.
    package var offset: Int

    /// The description of the error, as a clause that follows the selector's text.
    package var message: String {
        switch code {
        case .empty: "is empty"
        case .badEscape: "has a `~` that is not part of `~0`, `~1` or `~2`"
        case .wildcardInSegment: "has a `*` inside a longer pointer segment"
        case .tooLong: "is longer than \(Selector.maxTextBytes) bytes"
        }
    }

    /// The text to write instead, if known.
    package var hint: String? {
        switch code {
        case .empty: "write a key, or a path such as `/items/*`; `/` is the key \"\""
        case .badEscape: "write `~0` for `~`, `~1` for `/` and `~2` for a literal `*`"
        case .wildcardInSegment: "a segment is `*`, `**` or literal; write `~2` for a literal `*`"
        case .tooLong: nil
        }
    }
}
