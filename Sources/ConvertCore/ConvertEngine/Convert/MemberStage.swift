/// The work of the fast path at the boundaries of members, by the kind of plan. Each stage is a type, so that its loop is compiled
/// separately: the properties are constants there and cost nothing at run time.
protocol MemberStage {
    /// Whether keys are copied without a lookup, because no rule and no path matters.
    static var ignoresNames: Bool { get }
    /// Whether a decision is needed on each member, because any may be removed again: see `StagedMembers`.
    static var isStaged: Bool { get }
    /// Whether members are removed if they turn out empty, and for no other reason: see `PrunedMembers`.
    static var prunes: Bool { get }
    /// Whether the members of each object are sorted when it ends, and output is staged for no other reason: see `SortMembers`.
    static var sorts: Bool { get }
}

extension MemberStage {
    @inline(__always) static var ignoresNames: Bool { false }
    @inline(__always) static var isStaged: Bool { false }
    @inline(__always) static var prunes: Bool { false }
    @inline(__always) static var sorts: Bool { false }
}

/// `minify`: nothing depends on keys. The position of each key is noted, for the pointer of an error.
enum VerbatimMembers: MemberStage {
    @inline(__always) static var ignoresNames: Bool { true }
}

/// Rules for keys and values: each member that is not dropped stays.
enum MappedMembers: MemberStage {}

/// The same for members that are sorted when their object ends.
enum SortedMembers: MemberStage {
    @inline(__always) static var sorts: Bool { true }
}
