package import ConvertEngine

/// A profile's `unwrap`: the value at a path becomes the document, and everything around it is removed.
package struct UnwrapRule: Sendable, Hashable {
    /// A pointer with input keys, without wildcards.
    package internal(set) var selector: Selector
    package let location: DocumentLocation

    /// The keys of the selector, from the outermost to the value's own; at least one.
    var names: [[UInt8]] { Selector.names(selector.pointerSegments[...]) ?? [] }

    /// The condition under which the inverse restores a payload, for a message.
    var condition: String {
        "reversible if nothing is beside \(ProfileReader.quoted(selector))"
    }

    /// The reason why the inverse cannot restore any payload; nil if there is none.
    var loss: ProfileFault? {
        guard let index = names.first(where: Selector.isIndex) else { return nil }
        return fault(
            "\(ProfileReader.quoted(index)) may be an array index, and the inverse makes objects",
            hint: "unwrap a path without numbers, or convert forward only")
    }
}

// MARK: - Reading

extension ProfileReader {
    mutating func readUnwrap(_ id: NodeID) -> UnwrapRule? {
        guard let selector = pointer(id, in: "unwrap") else { return nil }
        guard Selector.names(selector.pointerSegments[...]) != nil else {
            refuse(
                id, "`unwrap` does not accept `*`: one value becomes the document", hint: "name the key, such as /data")
            return nil
        }
        return UnwrapRule(selector: selector, location: location(id))
    }

    /// Refuses rules for values that `unwrap` removes. It applies first, so these values cannot be required, moved or kept, or be
    /// records.
    mutating func refuseRulesOutsideUnwrapped(_ profile: Profile) {
        guard let unwrap = profile.unwrap else { return }
        let (document, name) = (unwrap.selector.pointerSegments, Self.quoted(unwrap.selector))
        func isOutside(_ selector: Selector) -> Bool { !selector.pointerSegments.starts(with: document) }
        for required in profile.requires where isOutside(required.selector) {
            refuse(
                required.location, "the path is outside of \(name), so `unwrap` leaves it out",
                hint: "require paths below \(name)")
        }
        for move in profile.moves where isOutside(move.source) || move.source.pointerSegments == document {
            refuse(
                move.location, "the source is not below \(name), so `unwrap` leaves it out",
                hint: "move values below \(name)")
        }
        for rule in profile.flattens
        where isOutside(rule.selector) || rule.selector.pointerSegments == document {
            refuse(
                rule.location, "the object is not below \(name), which becomes the document",
                hint: "flatten objects below \(name)")
        }
        if let at = profile.sparedRecords, isOutside(at.selector) || at.selector.pointerSegments == document {
            refuse(
                at.location, "records are not below \(name), which becomes the document",
                hint: "name records below \(name)")
        }
        if let keep = profile.keeps.first,
            !profile.keeps.contains(where: { $0.selector.reaches(unwrap.selector) })
        {
            refuse(
                keep.location, "`keep` keeps nothing of \(name), which becomes the document",
                hint: "keep paths below \(name)")
        }
        for scope in profile.scopes {
            guard case .pointer = scope.selector.form, isOutside(scope.selector) else { continue }
            refuse(
                scope.location, "the objects are outside of \(name), so `unwrap` leaves them out",
                hint: "name objects below \(name)")
        }
        if profile.policies.duplicateKey == .last, let location = profile.policyLocations["duplicateKey"] {
            refuse(
                location, "`unwrap` buffers nothing, so the last of two equal keys around \(name) cannot win",
                hint: "write `first`")
        }
    }
}
