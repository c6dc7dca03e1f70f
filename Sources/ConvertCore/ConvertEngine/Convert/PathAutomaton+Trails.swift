/// Moves and flattened objects, backwards.
extension PathAutomaton {
    /// Where moves are anchored: shared by all that are anchored there, so that a state of many trails is hashed at the cost of one.
    final class Anchor: Hashable, Sendable {
        let state: HashedState

        init(_ state: State) { self.state = HashedState(state) }

        static func == (left: Anchor, right: Anchor) -> Bool { left === right || left.state == right.state }

        func hash(into hasher: inout Hasher) { hasher.combine(state) }
    }

    /// A way down to where a move put something, which the inverse follows; by output names.
    struct Trail: Hashable, Sendable {
        var move: Int
        /// The index of the move's next target name.
        var position: Int
        let anchor: Anchor
    }

    /// The match of a member that a move put here, at the place it came from; nil for any other.
    mutating func movedMember(_ name: [UInt8], of container: Int32) -> Match? {
        for trail in trails(named: name, of: container) {
            let move = table.moves[trail.move]
            guard trail.position == move.targetNames.count - 1 else { continue }
            var match = Match(state: identifier(of: trail.anchor.state))
            for name in move.sourceNames { match = member(name, of: match.state) }
            match.move = Int32(trail.move)
            match.traits.insert(.moved)
            return match
        }
        return nil
    }

    /// The move that puts something beside the members of this container, under this output name.
    mutating func move(to name: [UInt8], in container: Int32) -> Int? {
        trails(named: name, of: container).first { trail in
            trail.position == 0 && table.moves[trail.move].targetNames.count == 1
        }?.move
    }

    /// Goes on along the trails of moves, to a member of this name in the inverse's payload.
    mutating func followTrails(from container: Int32, name: [UInt8], in match: inout Match) {
        let following = trails(named: name, of: container).compactMap { trail -> Trail? in
            guard trail.position + 1 < table.moves[trail.move].targetNames.count else { return nil }
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

    /// Where a member goes back to that was in a flattened object.
    struct FlattenedPlace {
        /// The path state of the object, and its input name.
        let state: Int32
        let name: [UInt8]
        /// The member's output name there.
        let rest: [UInt8]
        let move: Int
    }

    /// The object that a member of this output name was in; nil for any other. In one that is replaced whole nothing comes back.
    mutating func flattenedPlace(of name: [UInt8], in container: Int32) -> FlattenedPlace? {
        for trail in self[container].trails {
            let move = table.moves[trail.move]
            // Moves, of which there may be many, come behind.
            guard let flattening = move.flattening else { break }
            guard let rest = flattening.rest(of: name) else { continue }
            let state = member(move.sourceNames[0], of: identifier(of: trail.anchor.state)).state
            guard !self[state].isInert else { continue }
            return FlattenedPlace(state: state, name: move.sourceNames[0], rest: rest, move: trail.move)
        }
        return nil
    }

    /// The trails of a state that go on with this name.
    private mutating func trails(named name: [UInt8], of container: Int32) -> [Trail] {
        let trails = self[container].trails
        guard !trails.isEmpty else { return [] }
        if let known = trailsByName[Int(container)] { return known[name] ?? [] }
        let fresh = Dictionary(grouping: trails.filter { table.moves[$0.move].flattening == nil }) {
            table.moves[$0.move].targetNames[$0.position]
        }
        trailsByName[Int(container)] = fresh
        noteStored(trails.count * MemoryLayout<Trail>.stride, names: fresh.count)
        return fresh[name] ?? []
    }
}
