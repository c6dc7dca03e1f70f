/// Decisions on members, in the forward and the inverse direction.
extension KeyMapper {
    /// The decision on one member of an object.
    package struct NameResolution {
        /// The rules for the member's value. In the inverse direction, they are those at the member's path in the forward input.
        package var match: PathAutomaton.Match
        /// The output key; nil if the key stays unchanged.
        package var output: [UInt8]?
        /// Why the key is lossy, or nil: the inverse finds no single input key for it, or (in the forward direction) will not restore it.
        package var loss: EngineError.Kind?
    }

    /// The decision of the plan's direction on `name`, in an object of path state `state`.
    package mutating func resolution(of name: [UInt8], _ state: Int32) -> NameResolution {
        resolution(of: name, state, holdsLoneSurrogate: String(validating: name, as: UTF8.self) == nil)
    }

    mutating func resolution(of name: [UInt8], _ state: Int32, holdsLoneSurrogate: Bool) -> NameResolution {
        plan.isInverse
            ? inverseResolution(of: name, state, holdsLoneSurrogate)
            : guardedResolution(of: name, state, holdsLoneSurrogate)
    }

    /// The decision of the forward direction.
    mutating func forwardResolution(of name: [UInt8], _ state: Int32, _ holdsLoneSurrogate: Bool) -> NameResolution {
        var match = paths.member(name, of: state)
        if paths.isUnwrapped(state) { return NameResolution(match: match) }
        if paths[state].isOpaque {
            paths.followDefaults(from: state, name: name, in: &match)
            return NameResolution(match: match)
        }
        let target = match.rename.map { plan.selectors.renames[$0].target }
        var output = target?.written(for: name)
        if target?.literal == nil, let caseRule = plan.caseRule, !match.isExcept, !holdsLoneSurrogate {
            output = caseRule.converted(output ?? name)
        }
        paths.followDefaults(from: state, name: output ?? name, in: &match)
        return NameResolution(match: match, output: output == name ? nil : output)
    }

    /// The decision of the inverse direction, which finds the member of the forward input that became the member `name`.
    ///
    /// Its key is the literal key that a rename turns into `name`. Without such a rename, it is `name` itself, in the case of input keys if
    /// the case rule applies. If the forward direction does not turn it back into `name`, or if several renames do, the key is lossy and
    /// stays unchanged.
    private mutating func inverseResolution(of name: [UInt8], _ state: Int32, _ holdsLoneSurrogate: Bool)
        -> NameResolution
    {
        if paths[state].isInert || paths.isUnwrapped(state) {
            return NameResolution(match: paths.member(name, of: state))
        }
        if let moved = paths.movedMember(name, of: state) { return NameResolution(match: moved) }
        var resolution =
            flattenedResolution(of: name, state, holdsLoneSurrogate)
            ?? unmovedResolution(of: name, state, holdsLoneSurrogate)
        paths.followTrails(from: state, name: name, in: &resolution.match)
        return resolution
    }

    /// The decision on a member that came from a flattened object into the object around it; nil for any other.
    ///
    /// A member with the key of the object itself is not one of them, because null is not flattened. In nested objects, the innermost one
    /// counts.
    private mutating func flattenedResolution(of name: [UInt8], _ state: Int32, _ holdsLoneSurrogate: Bool)
        -> NameResolution?
    {
        guard let origin = paths.flattenedOrigin(of: name, in: state) else { return nil }
        let itself = unmovedResolution(of: name, state, holdsLoneSurrogate)
        guard (itself.output ?? name) != origin.name else { return nil }
        var resolution = inverseResolution(of: origin.rest, origin.state, holdsLoneSurrogate)
        let output = resolution.output ?? origin.rest
        resolution.output = output == name ? nil : output
        // The next move undoes the same flattening and that of one more object around it.
        resolution.match.move = resolution.match.move < 0 ? Int32(origin.move) : resolution.match.move + 1
        resolution.match.traits.insert(.moved)
        return resolution
    }

    private mutating func unmovedResolution(of name: [UInt8], _ state: Int32, _ holdsLoneSurrogate: Bool)
        -> NameResolution
    {
        let renamed = renamesTo(name, in: state)
        if renamed.count == 1 { return renamed[0] }
        if renamed.isEmpty, let resolution = casedResolution(of: name, state, holdsLoneSurrogate) { return resolution }
        return NameResolution(match: paths.member(name, of: state), loss: .lossyKey)
    }

    /// The decision on a member that got `name` without a rename; nil if the forward direction does not turn it back into `name`.
    private mutating func casedResolution(of name: [UInt8], _ state: Int32, _ holdsLoneSurrogate: Bool)
        -> NameResolution?
    {
        var candidate = name
        let isUntouched = paths[state].isOpaque || paths.member(name, of: state).isExcept
        if !isUntouched, !holdsLoneSurrogate, let caseRule = plan.sourceCaseRule {
            candidate = caseRule.converted(name)
        }
        let forward = forwardResolution(of: candidate, state, holdsLoneSurrogate)
        guard (forward.output ?? candidate) == name else { return nil }
        return NameResolution(match: forward.match, output: candidate == name ? nil : candidate)
    }

    /// Decisions on the members of an object of path state `state` that renames of literal keys turn into `name`. Each has its input key as
    /// `output`. There are none, one, or the first two of more.
    mutating func renamesTo(_ name: [UInt8], in state: Int32) -> [NameResolution] {
        var renamed: [NameResolution] = []
        for candidate in paths.literalNames(renamedTo: name, in: state).joined() {
            let forward = forwardResolution(of: candidate, state, false)
            guard forward.match.rename != nil, (forward.output ?? candidate) == name else { continue }
            guard !renamed.contains(where: { ($0.output ?? name) == candidate }) else { continue }
            renamed.append(NameResolution(match: forward.match, output: candidate == name ? nil : candidate))
            if renamed.count == 2 { break }
        }
        return renamed
    }

    /// The decision of the forward direction. It is marked as lossy if the inverse would take the member for a renamed or moved one, or
    /// would not restore its key.
    private mutating func guardedResolution(of name: [UInt8], _ state: Int32, _ holdsLoneSurrogate: Bool)
        -> NameResolution
    {
        var resolution = forwardResolution(of: name, state, holdsLoneSurrogate)
        if plan.refusesLossyNames { resolution.loss = loss(of: name, as: resolution, state, holdsLoneSurrogate) }
        return resolution
    }

    /// Why the inverse would not restore the member from this resolution of the forward direction; nil if it would.
    mutating func loss(
        of name: [UInt8], as resolution: NameResolution, _ state: Int32, _ holdsLoneSurrogate: Bool
    ) -> EngineError.Kind? {
        guard resolution.match.move < 0, !paths.isUnwrapped(state) else { return nil }
        let output = resolution.output ?? name
        let isRenamed = resolution.match.rename != nil
        if paths.move(to: output, in: state) != nil || (!isRenamed && !renamesTo(output, in: state).isEmpty) {
            return .renamedName
        }
        if !isRenamed, restoredName(of: output, state, holdsLoneSurrogate) != name {
            return .changedName
        }
        return nil
    }

    /// The key that the inverse gives to a member that was neither renamed nor moved; nil if the inverse refuses it.
    private mutating func restoredName(
        of output: [UInt8], _ state: Int32, _ holdsLoneSurrogate: Bool
    ) -> [UInt8]? {
        if let resolution = casedResolution(of: output, state, holdsLoneSurrogate) {
            return resolution.output ?? output
        }
        return plan.policies.lossyKey == .keep ? output : nil
    }
}
