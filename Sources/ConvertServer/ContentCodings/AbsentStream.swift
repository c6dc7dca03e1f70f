import ConvertEngine

/// Replaces the stream of a compression whose library is missing in this build. It cannot be created.
struct AbsentStream: ~Copyable {
    init() { preconditionFailure("the program was built without the library of this coding") }

    mutating func write(_: Span<UInt8>, _: ContentEncoder.Extent, into _: inout ByteBuffer) {}

    mutating func reset() {}
}
