extension Optional where Wrapped: ~Copyable {
    /// A count of something in the value; 0 if there is no value.
    @inlinable @inline(__always)
    package func count(_ body: (borrowing Wrapped) -> Int) -> Int {
        switch self {
        case .some(let value): body(value)
        case .none: 0
        }
    }
}
