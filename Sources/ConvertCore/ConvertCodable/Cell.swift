/// A value that the objects of one run of a coder share, such as its containers.
///
/// An access lasts as long as one call of this module. A type's own `init(from:)` or `encode(to:)` could come back to the cell, so it
/// gets copies. So no two accesses overlap. The runtime's test of that would cost more than most accesses, and is left out.
final class Cell<Wrapped: ~Copyable> {
    @exclusivity(unchecked) private var storage: Wrapped

    init(_ value: consuming Wrapped) { unsafe storage = value }

    var value: Wrapped {
        @inline(__always) _read { yield unsafe storage }
        @inline(__always) _modify { yield unsafe &storage }
    }
}

// Sendable: a coder is used by one task at a time. Between two runs a pool has the cell, which takes it back only from a run that nobody
// refers to any more (`DecodingPool.keep`) and hands it to one.
extension Cell: @unchecked Sendable where Wrapped: Sendable & ~Copyable {}
