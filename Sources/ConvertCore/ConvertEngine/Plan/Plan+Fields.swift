extension Plan {
    /// A plan that keeps only these fields, each with everything in it, and changes nothing else.
    ///
    /// A field is a path of keys and wildcards, at least one. The elements of an array have the array's own path, so a path leads
    /// through arrays, also through those in arrays. Objects and arrays on the way to a field stay, even if they become empty;
    /// other values on the way are removed.
    package static func keeping(fields: [[Selector.Segment]], output: OutputOptions) -> Plan {
        var selectors = SelectorTable()
        selectors.passesArrays = true
        for field in fields { selectors.add(Selector(segments: field), .keep) }
        return Plan(
            PlanSettings(
                output: output, limits: Limits(maxDepth: Limits.depths.upperBound, maxKeyBytes: .max),
                selectors: selectors, policies: Policies(collision: .keep, duplicateKey: .keep)))
    }
}
