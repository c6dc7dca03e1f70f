/// Moves and flattened objects in the inverse direction.
extension PathAutomaton {
    /// The state at which moves are anchored. All their trails share it, so that a state with many trails is hashed at the cost of one.
    final class Anchor: Hashable, Sendable {
        let state: HashedState

        init(_ state: State) { self.state = HashedState(state) }

        static func == (left: Anchor, right: Anchor) -> Bool { left === right || left.state == right.state }

        func hash(into hasher: inout Hasher) { hasher.combine(state) }
    }

    /// A path of output keys down to the target of a move, which the inverse follows.
    struct Trail: Hashable, Sendable {
        var move: Int
        /// The index of the next key of the trail in the move's `targetNames`.
        var position: Int
        let anchor: Anchor
    }

    /// The match of a member that a move put here. It is the match at the path that the member came from; nil for any other.
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

    /// The move that puts a value directly among the members of this container, under this output key.
    mutating func move(to name: [UInt8], in container: Int32) -> Int? {
        trails(named: name, of: container).first { trail in
            trail.position == 0 && table.moves[trail.move].targetNames.count == 1
        }?.move
    }

    /// Continues the trails of moves to a member with this key in the inverse's payload.
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

    /// The original object of a member that was flattened.
    struct FlattenedOrigin {
        /// The path state of the object, and its input key.
        let state: Int32
        let name: [UInt8]
        /// The member's output key in that object.
        let rest: [UInt8]
        let move: Int
    }

    /// The object that a member with this output key was flattened from; nil for any other, and if a rule replaces the whole object.
    mutating func flattenedOrigin(of name: [UInt8], in container: Int32) -> FlattenedOrigin? {
        for trail in self[container].trails {
            let move = table.moves[trail.move]
            // Flattened objects come first; moves, which may be many, come after them.
            guard let flattening = move.flattening else { break }
            guard let rest = flattening.rest(of: name) else { continue }
            let state = member(move.sourceNames[0], of: identifier(of: trail.anchor.state)).state
            guard !self[state].isInert else { continue }
            return FlattenedOrigin(state: state, name: move.sourceNames[0], rest: rest, move: trail.move)
        }
        return nil
    }

    /// The trails of moves in this state that this key continues.
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
