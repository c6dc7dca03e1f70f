/// Moves, backwards.
extension PathStates {
    /// The match of a member that a move put here, at the place it came from; nil for any other.
    mutating func movedMember(_ name: [UInt8], of container: Int32) -> Match? {
        for trail in self[container].trails {
            let move = table.moves[trail.move]
            guard trail.position == move.targetNames.count - 1, move.targetNames[trail.position] == name else {
                continue
            }
            let anchor = identifier(of: State(items: trail.anchorItems, isOpaque: trail.anchorIsOpaque))
            var match = Match(state: anchor)
            for name in move.sourceNames { match = member(name, of: match.state) }
            match.move = Int32(trail.move)
            match.traits.insert(.moved)
            return match
        }
        return nil
    }

    /// Whether a move puts something beside the members of this container, under this output name.
    func isMoveTarget(_ name: [UInt8], in container: Int32) -> Bool {
        self[container].trails.contains { trail in
            trail.position == 0 && table.moves[trail.move].targetNames == [name]
        }
    }

    /// Goes on along the trails of moves, to a member of this name in the inverse's payload.
    mutating func followTrails(from container: Int32, name: [UInt8], in match: inout Match) {
        let trails = self[container].trails
        guard !trails.isEmpty else { return }
        let following = trails.compactMap { trail -> Trail? in
            let names = table.moves[trail.move].targetNames
            guard trail.position + 1 < names.count, names[trail.position] == name else { return nil }
            var next = trail
            next.position += 1
            return next
        }
        guard !following.isEmpty else { return }
        var state = self[match.state]
        state.trails += following
        match.state = identifier(of: state)
        match.traits.insert(.trail)
    }
}
