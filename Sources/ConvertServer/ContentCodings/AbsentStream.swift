import ConvertCore

/// Replaces the stream of a compression whose library the program was built without: none can be made.
struct AbsentStream: ~Copyable {
    init() { preconditionFailure("the program was built without the library of this coding") }

    mutating func write(_: Span<UInt8>, _: ContentEncoder.Extent, into _: inout ByteBuffer) {}

    mutating func reset() {}
}
