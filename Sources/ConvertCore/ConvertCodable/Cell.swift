/// A value that the objects of one run of a coder share, such as its containers.
///
/// An access lasts as long as one call of this module. A type's own `init(from:)` or `encode(to:)` could come back to the cell, so it
/// gets copies. So no two accesses overlap. The runtime's check for this would cost more than most accesses, and is disabled.
final class Cell<Wrapped: ~Copyable> {
    @exclusivity(unchecked) private var storage: Wrapped

    init(_ value: consuming Wrapped) { unsafe storage = value }

    var value: Wrapped {
        @inline(__always) _read { yield unsafe storage }
        @inline(__always) _modify { yield unsafe &storage }
    }
}

// Sendable: one task at a time uses a coder. Between two runs, a pool owns the cell. The pool takes it back only from a run without
// other references (`DecodingPool.keep`), and gives it to one run.
extension Cell: @unchecked Sendable where Wrapped: Sendable & ~Copyable {}
