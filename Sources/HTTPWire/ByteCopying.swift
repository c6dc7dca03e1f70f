extension Array where Element == UInt8 {
    /// Appends the bytes of a span in one piece, for which the standard library has no safe call.
    mutating func append(span: Span<UInt8>) {
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
