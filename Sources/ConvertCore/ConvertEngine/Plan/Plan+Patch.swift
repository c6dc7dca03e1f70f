/// Whether a plan can be applied to patches, which have only a part of a document.
extension Plan {
    /// A feature of the plan that cannot be applied to a part of a document, as the profile names it; nil if there is none.
    ///
    /// A patch for the output must become one for the input that has the same effect.
    package var patchHindrance: String? {
        if !keepsPaths { return "`move`, `flatten`, `unwrap` or `wrap`" }
        if prune.isActive { return "`prune`" }
        if selectors.removesUnkept { return "`keep`" }
        if !selectors.requirements.isEmpty { return "`require`" }
        if !selectors.defaults.rules.isEmpty { return "`defaults`" }
        if sparesRecords { return "`records`" }
        if canRename, policies.collision != .error { return "`collision` other than `error`" }
        let rules = appliedRules
        if rules.contains(where: { $0.badValue == .null }) { return "`badValue: null`" }
        return rules.lazy.compactMap { $0.patchHindrance }.first
    }

    /// The rules for values that some selector names. In the inverse direction, this includes rules without an inverse, which never apply.
    private var appliedRules: [ValueRule] {
        let actions =
            selectors.pointers.map { $0.action } + selectors.names.values.joined().map { $0.action }
            + selectors.wildNames.map { $0.action }
        let applied = actions.compactMap { action in if case .rule(let rule) = action, rule >= 0 { rule } else { nil } }
        return Set(applied).sorted().map { rules[$0] }
    }
}

extension ValueRule {
    /// In a merge patch, null removes a key. For the side that has the string, JSON inside it is not part of the document.
    fileprivate var patchHindrance: String? {
        guard case .conversion(let conversion) = action else { return nil }
        switch conversion {
        case .json, .text: return "`as: json`"
        case .table(let table): return table.writesNull ? "a `map` to null" : nil
        case .mask, .hash: return "`mask` or `hash`"
        default: return nil
        }
    }
}
