/// What becomes of a member, forward and back.
extension KeyMapper {
    /// What becomes of one member of an object.
    package struct NameResolution {
        /// What acts on the member's value; of the inverse, at the member's place in the forward input.
        package var match: PathAutomaton.Match
        /// The name that is written, or nil where the payload's stays.
        package var output: [UInt8]?
        /// Why the inverse finds no one name that the forward direction turns into this one, or will not find it.
        package var loss: Fault.Kind?
    }

    /// What the profile makes of `name` in an object of path state `state`.
    mutating func forwardResolution(of name: [UInt8], _ state: Int32, _ holdsLoneSurrogate: Bool) -> NameResolution {
        var match = paths.member(name, of: state)
        if paths.isUnwrapped(state) { return NameResolution(match: match) }
        if paths[state].isOpaque {
            paths.followDefaults(from: state, name: name, in: &match)
            return NameResolution(match: match)
        }
        var output: [UInt8]?
        if let rename = match.rename {
            output = plan.selectors.renames[rename].target
        } else if let caseRule = plan.caseRule, !match.isExcept, !holdsLoneSurrogate {
            output = caseRule.converted(name)
        }
        paths.followDefaults(from: state, name: output ?? name, in: &match)
        return NameResolution(match: match, output: output == name ? nil : output)
    }

    /// The member of the forward input that the profile turned into one of this name.
    ///
    /// It is the one literal name that a rename turns into it; else the name itself where the case rule has no say; else
    /// the name in the case that input names are in. Where the way forward does not lead back to `name`, or several
    /// renames do, nothing is certain and the name stays.
    package mutating func inverseResolution(of name: [UInt8], _ state: Int32, _ holdsLoneSurrogate: Bool)
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

    /// The member of a flattened object that has this name in the object around it; nil for any other.
    ///
    /// The place of the object itself is none of them: null stays there. Of objects in each other the innermost counts.
    private mutating func flattenedResolution(of name: [UInt8], _ state: Int32, _ holdsLoneSurrogate: Bool)
        -> NameResolution?
    {
        guard let place = paths.flattenedPlace(of: name, in: state) else { return nil }
        let itself = unmovedResolution(of: name, state, holdsLoneSurrogate)
        guard (itself.output ?? name) != place.name else { return nil }
        var resolution = inverseResolution(of: place.rest, place.state, holdsLoneSurrogate)
        let output = resolution.output ?? place.rest
        resolution.output = output == name ? nil : output
        // Behind the entry for one object is the one for it and the object around it.
        resolution.match.move = resolution.match.move < 0 ? Int32(place.move) : resolution.match.move + 1
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

    /// The member that comes by `name` without a rename; nil where the way forward does not lead back to `name`.
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

    /// The members of an object of path state `state` that renames of literal names turn into `name`, each under its own name: none,
    /// one, or the first two of more.
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

    /// As `forwardResolution`, marked as lossy where the inverse would take the member for a renamed or moved one, or would not
    /// give it this name back.
    package mutating func guardedResolution(of name: [UInt8], _ state: Int32, _ holdsLoneSurrogate: Bool)
        -> NameResolution
    {
        var resolution = forwardResolution(of: name, state, holdsLoneSurrogate)
        guard plan.refusesLossyNames, resolution.match.move < 0, !paths.isUnwrapped(state) else { return resolution }
        let output = resolution.output ?? name
        let isRenamed = resolution.match.rename != nil
        if paths.move(to: output, in: state) != nil || (!isRenamed && !renamesTo(output, in: state).isEmpty) {
            resolution.loss = .renamedName
        } else if !isRenamed, restoredName(of: output, state, holdsLoneSurrogate) != name {
            resolution.loss = .changedName
        }
        return resolution
    }

    /// The name that the inverse gives to a member which neither a rename nor a move named; nil where it refuses it.
    private mutating func restoredName(
        of output: [UInt8], _ state: Int32, _ holdsLoneSurrogate: Bool
    ) -> [UInt8]? {
        if let resolution = casedResolution(of: output, state, holdsLoneSurrogate) {
            return resolution.output ?? output
        }
        return plan.policies.lossyKey == .keep ? output : nil
    }
}
