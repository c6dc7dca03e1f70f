/// A position in a profile document.
public struct ProfilePlace: Sendable, Hashable {
    /// RFC 6901 JSON Pointer into the profile.
    public let pointer: String
    /// From 1.
    public let line: Int
    /// In bytes, from 1.
    public let column: Int

    /// Creates a position.
    public init(pointer: String, line: Int, column: Int) {
        self.pointer = pointer
        self.line = line
        self.column = column
    }
}

/// A selector and its position in the profile.
public struct PlacedSelector: Sendable, Hashable {
    /// The selector.
    public let selector: Selector
    /// Where the selector is in the profile.
    public let place: ProfilePlace

    /// Creates a selector with its position.
    public init(selector: Selector, place: ProfilePlace) {
        self.selector = selector
        self.place = place
    }
}
