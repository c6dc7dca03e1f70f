// Bytes of a span in one piece, for which the standard library has no safe call.
extension Array where Element == UInt8 {
    package init(span: Span<UInt8>) { self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) } }

    package mutating func append(span: Span<UInt8>) {
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
