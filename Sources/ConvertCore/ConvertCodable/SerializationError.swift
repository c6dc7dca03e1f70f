import ConvertFormats

/// Why a value could not be read or written: what was expected, what was found, and where.
///
/// Values of the payload never appear in it; names of members do.
public struct SerializationError: Error, Sendable, Hashable {
    /// What the serializer takes, such as `a URL`.
    public var expected: String
    /// What was there instead: a kind of value such as `a string`, or `nothing`.
    public var found: String
    /// RFC 6901 JSON Pointer to the part with the error; empty for the whole value.
    public var pointer: String

    /// Creates an error at a pointer.
    public init(expected: String, found: String, pointer: String = "") {
        self.expected = expected
        self.found = found
        self.pointer = pointer
    }

    /// The same error as the container around the value reports it: `segment` is the member's name or the element's index.
    ///
    /// For serializers of your own that read a part of a value; ``ValueSerializer/deserialize(_:from:at:)`` does it for you.
    public func nested(in segment: String) -> SerializationError {
        SerializationError(
            expected: expected, found: found, pointer: "/" + JSONPointer.escaped(segment) + pointer)
    }
}

extension SerializationError: CustomStringConvertible {
    /// `expected a URL, found a number at /home`.
    public var description: String {
        "expected \(expected), found \(found)" + (pointer.isEmpty ? "" : " at \(pointer)")
    }
}
