/// What containers must hold (`require`) and what they are given (`defaults`).
///
/// `presence` counts, for each requirement and each addition of every open container, the members that meet it or make it
/// needless, those of the innermost container last. What containers leave there is not cleared, so that one of many requirements
/// costs what it holds: each count says whose it is. In a held object records that meet a requirement may turn out bad later:
/// that has the counts for as long as it is there.
extension Converter {
    /// What is there of something that a container must hold or is given.
    struct Presence: BitwiseCopyable, Sendable {
        /// The members that are there.
        var count: Int32 = 0
        /// The number that the held object has given the requirement, or -1.
        var met: Int32 = -1
        /// The container that it is of, by its `Level.obligedNumber`.
        var container = 0
    }

    /// Makes room for the counts of the container that was just opened.
    mutating func beginObligations() {
        let depth = frames.depth
        if paths.isFull { emptyMemo() }
        let obligations = paths.obligations(of: frames.top.state)
        let end = Int(levels[depth].presenceEnd) + obligations.requirements.count + obligations.additions.count
        while presence.count < end { presence.append(Presence()) }
        obligedContainers &+= 1
        levels[depth].isObliged = true
        levels[depth].presenceStart = levels[depth].presenceEnd
        levels[depth].presenceEnd = Int32(end)
        levels[depth].obligedNumber = obligedContainers
        levels[depth].metRequirements = 0
    }

    /// What is there of something that the innermost container must hold or is given.
    private func presence(at slot: Int) -> Presence {
        let (known, container) = (presence[slot], levels[frames.depth].obligedNumber)
        return known.container == container ? known : Presence(container: container)
    }

    /// Counts a member that meets a requirement of the innermost container, or takes it back.
    mutating func count(requirement index: Int, by change: Int32) {
        let level = levels[frames.depth]
        guard level.isObliged else { return }
        let slot = Int(level.presenceStart) + index
        let wasMet = presence(at: slot).count > 0
        count(at: slot, by: change)
        let isMet = presence[slot].count > 0
        if isMet != wasMet { levels[frames.depth].metRequirements += isMet ? 1 : -1 }
    }

    /// Counts a member that makes an addition to the innermost container needless, or takes it back.
    mutating func count(addition index: Int, by change: Int32) {
        let level = levels[frames.depth]
        guard level.isObliged else { return }
        let start = Int(level.presenceStart) + paths.obligations(of: frames.top.state).requirements.count
        count(at: start + index, by: change)
    }

    private mutating func count(at slot: Int, by change: Int32) {
        presence[slot] = presence(at: slot)
        presence[slot].count += change
    }

    /// Has the held object know that a member of the innermost container meets its requirement.
    mutating func noteRequirement(of node: Int) {
        let index = Int(levels[frames.depth].requirement)
        let slot = Int(levels[frames.depth].presenceStart) + index
        var known = presence(at: slot)
        known.met = heldObject.noteRequirement(
            paths.obligations(of: frames.top.state).requirements[index], of: node, met: known.met,
            keepsLast: plan.policies.duplicateKey == .last)
        presence[slot] = known
    }

    /// Judges what the container that ends now lacks.
    mutating func checkRequirements(at position: Int) throws(Fault) {
        let level = levels[frames.depth]
        let requirements = paths.obligations(of: frames.top.state).requirements
        guard level.metRequirements < requirements.count else { return }
        for (index, requirement) in requirements.enumerated() {
            guard presence(at: Int(level.presenceStart) + index).count == 0 else { continue }
            missing = requirement
            return try report(Fault(kind: .missing, position: position))
        }
    }

    /// Notes that the element that begins may be one that is required.
    mutating func meetRequirement() {
        let index = Array(String(frames.top.index).utf8)
        guard let requirement = paths.obligations(of: frames.top.state).requirement(named: index) else { return }
        count(requirement: requirement, by: 1)
        levels[frames.depth].requirement = Int32(requirement)
    }

    /// A scalar where something is required further down.
    mutating func requireContainer(at position: Int) throws(Fault) {
        guard !payload.recordIsBad, let requirement = paths.obligations(of: valueState).requirements.first else {
            return
        }
        missing = requirement
        try report(Fault(kind: .missing, position: position))
    }

    /// Writes the members that the object lacks.
    mutating func addAbsentMembers(_ output: inout ByteBuffer) throws(Fault) {
        let obligations = paths.obligations(of: frames.top.state)
        let start = Int(levels[frames.depth].presenceStart) + obligations.requirements.count
        var long: Set<[UInt8]> = []
        for (index, addition) in obligations.additions.enumerated() where presence(at: start + index).count == 0 {
            if let text = addition.text { try add(text, &output) } else { long.insert(addition.name) }
        }
        guard !long.isEmpty else { return }
        for case let text? in paths.spelledAdditions(long, of: frames.top.state).map(\.text) { try add(text, &output) }
    }

    /// Writes comma, quoted name, colon and value of a member that the object lacks.
    private mutating func add(_ text: [UInt8], _ output: inout ByteBuffer) throws(Fault) {
        if sortsText { noteMember(at: output.count) }
        if indent > 0 {
            try writeIndented(text, &output)
        } else {
            output.append(frames.top.isEmpty ? Array(text.dropFirst()) : text)
        }
        frames.top.isEmpty = false
    }

    private mutating func writeIndented(_ text: [UInt8], _ output: inout ByteBuffer) throws(Fault) {
        if !frames.top.isEmpty { output.append(ASCII.comma) }
        appendNewLine(&output, level: frames.depth)
        // The name ends at the first quote behind the opening one that no backslash stands before.
        var end = 2
        while text[end] != ASCII.quote { end += text[end] == ASCII.backslash ? 2 : 1 }
        output.append(Array(text[1...end]))
        output.append(ASCII.colon)
        output.append(ASCII.space)
        content.removeAll()
        content.append(Array(text[(end + 2)...]))
        // The profile's own text, which was read as JSON already.
        _ = try writeEmbedded(&output)
    }
}
