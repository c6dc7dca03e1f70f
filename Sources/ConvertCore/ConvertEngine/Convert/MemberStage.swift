/// What the fast path does at the boundaries of members, by the kind of plan. Stages are types, so that the loop of each is compiled by
/// itself: what they say is constant there, and nothing of it is asked at run time.
protocol MemberStage {
    /// Whether names are copied without being looked up, so that no rule and no path plays a part.
    static var ignoresNames: Bool { get }
    /// Whether every member is decided on, since any may be taken back: see `StagedMembers`.
    static var isStaged: Bool { get }
    /// Whether members go that turn out empty, and for no other reason: see `PrunedMembers`.
    static var prunes: Bool { get }
}

extension MemberStage {
    @inline(__always) static var ignoresNames: Bool { false }
    @inline(__always) static var isStaged: Bool { false }
    @inline(__always) static var prunes: Bool { false }
}

/// `minify`: nothing depends on names. Where each one is, is noted, for the pointer of an error.
enum VerbatimMembers: MemberStage {
    @inline(__always) static var ignoresNames: Bool { true }
}

/// Rules for names and values: each member that is not dropped stays.
enum MappedMembers: MemberStage {}
