import ConvertEngine

/// Refuses rules that conflict with replacing whole values, including objects and arrays.
extension ProfileReader {
    /// Refuses `require` and `records` inside a value that may be replaced. If objects are buffered, also refuses selectors in `keep`
    /// that search at any depth. They would search a replaced value, so its original would have to be buffered as well.
    mutating func refuseRulesInReplaced(_ profile: Profile) {
        let replaced = profile.replacingSelectors
        guard !replaced.isEmpty else { return }
        var values = EnclosingValues(replaced.enumerated().map { ($1.selector, $0) })
        var inner = profile.requires.map { (selector: $0, noun: "`require`") }
        if let at = profile.sparedRecords { inner.append((at, "`records`")) }
        let isAll = replaced.firstIndex { $0.selector.form == .pointer([.anyDepth]) }
        for (selector, noun) in inner {
            guard let entry = isAll ?? values.entry(enclosing: selector.selector.pointerSegments) else { continue }
            refuse(
                selector.location, "\(noun) leads into a value that \(Self.shown(replaced[entry])) may replace",
                hint: "narrow one of the two selectors")
        }
        guard profile.buffersObjects,
            let keep = profile.keeps.first(where: { $0.selector.searches })
        else { return }
        refuse(
            keep.location,
            "\(Self.quoted(keep.selector)) may be inside a value that \(Self.shown(replaced[0])) replaces, in a buffered object",
            hint: "write pointers without `**` in `keep`, or leave out `move`, `flatten`, and `last` in `on`")
    }

    private static func shown(_ replaced: LocatedSelector) -> String {
        "the rule for \(quoted(replaced.selector)) \(replaced.location.inWords)"
    }
}

extension Profile {
    /// The selectors of rules that may replace objects and arrays, with null or with a mask.
    fileprivate var replacingSelectors: [LocatedSelector] {
        dates.filter { badValuePolicy($0.badValue) == .null }.flatMap { $0.at }
            + values.filter { $0.masksContainers || badValuePolicy($0.badValue) == .null }.flatMap { $0.at }
    }

    /// Whether objects are buffered until they end.
    fileprivate var buffersObjects: Bool {
        !moves.isEmpty || !flattens.isEmpty || policies.collision == .last || policies.duplicateKey == .last
    }
}

extension Selector {
    /// Whether it may match a value at any depth below a container that it does not match.
    var searches: Bool {
        guard case .pointer(let segments) = form else { return true }
        return segments.dropLast().contains(.anyDepth)
    }
}
