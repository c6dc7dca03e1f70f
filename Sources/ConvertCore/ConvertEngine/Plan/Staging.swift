/// How the members of a payload reach the output: as they come, or after more of the payload was read.
enum Staging: Sendable {
    /// Each member is written as it comes.
    case none
    /// So is each, but for the values that move: see `StreamedMoves`.
    case movesValues
    /// The members of each object are sorted when it ends: see `SortMembers`.
    case sorts
    /// Members that turn out empty are removed (`PrunedMembers`), and values may move as they come.
    case prunes
    /// Objects are buffered for moves, with text for what no move concerns. Members outside of them are written as they come.
    case buffersMoves
    /// Any member may be removed again, added or sorted, or its object buffered: there is a decision on each (`StagedMembers`).
    case decides

    init(_ settings: PlanSettings, streamsMoves: Bool, holdsText: Bool) {
        let selectors = settings.selectors
        if settings.holdsObjects || settings.stringifies || settings.records != .fail || selectors.removesUnkept
            || selectors.hasContracts || selectors.unwraps
        {
            self = .decides
        } else if settings.sortsText {
            self = settings.prune.isActive ? .decides : .sorts
        } else if settings.prune.isActive {
            self = streamsMoves || selectors.moves.isEmpty ? .prunes : .decides
        } else if selectors.moves.isEmpty {
            self = .none
        } else if streamsMoves {
            self = .movesValues
        } else {
            self = holdsText ? .buffersMoves : .decides
        }
    }

    /// Whether members may be removed again or added, so that each has a savepoint and a decision at its end.
    @inline(__always)
    var decidesMembers: Bool { self == .prunes || self == .buffersMoves || self == .decides }

    /// Whether each container that begins matters.
    @inline(__always)
    var noticesContainers: Bool { self == .sorts || decidesMembers }
}
