import ConvertEngine

/// An error of reading or writing a value: the expected value, the found one, and the pointer to it.
///
/// Values of the payload never appear in it; keys do.
public struct SerializationError: Error, Sendable, Hashable {
    /// The kind of value that the serializer accepts, such as `a URL`.
    public var expected: String
    /// The kind of value that was found instead, such as `a string`, or `nothing`.
    public var found: String
    /// RFC 6901 JSON Pointer to the value with the error; empty for the whole value.
    public var pointer: String

    /// Creates an error at a pointer.
    public init(expected: String, found: String, pointer: String = "") {
        self.expected = expected
        self.found = found
        self.pointer = pointer
    }

    /// The same error as seen from the container around the value. `segment` is the member's key or the element's index.
    ///
    /// For custom serializers that read a part of a value; ``ValueSerializer/deserialize(_:from:at:)`` calls it for you.
    public func nested(in segment: String) -> SerializationError {
        SerializationError(
            expected: expected, found: found, pointer: PayloadPointer.step(Array(segment.utf8)) + pointer)
    }
}

extension SerializationError: CustomStringConvertible {
    /// `expected a URL, found a number at /home`.
    public var description: String {
        "expected \(expected), found \(found)" + (pointer.isEmpty ? "" : " at \(pointer)")
    }
}
