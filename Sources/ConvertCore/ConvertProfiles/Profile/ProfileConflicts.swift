import ConvertEngine

/// Checks that compare rules with each other.
extension ProfileReader {
    /// The most selectors with wildcards in one section, and the most segments of all of them: every two are compared.
    private static let maxWildcardSelectors = 1000
    private static let maxWildcardSegments = 20_000
    /// The most plain keys with `*` in all sections together. Each is compared with each new key of a payload.
    private static let maxWildcardNames = 1000
    /// The most `Selector.triedParts` of all pointers together. A conversion stores at most this many positions for each level of a
    /// payload, and compares each with each new key.
    private static let maxTriedParts = 10_000
    /// The most pairs of a pointer with `*` at a level and a key that other pointers have there. Below each such key, the contracts
    /// of both are combined anew.
    private static let maxContractPairs = 1_000_000

    /// Refuses two selectors of one rank that can match the same path but have different effects.
    mutating func checkConflicts(of profile: Profile) {
        let (renames, moves, scopes) = (profile.renames, profile.moves, profile.scopes)
        refuseConflicts(among: renames.located, in: "rename") { renames[$0].target == renames[$1].target }
        refuseConflicts(among: moves.located, in: "move") { moves[$0].target == moves[$1].target }
        refuseConflicts(among: scopes.located, in: "keep") { scopes[$0].members == scopes[$1].members }
        // At most one rule of both lists applies to a value.
        let entries = profile.dates.map { $0.at } + profile.values.map { $0.at }
        let owners = entries.indices.flatMap { index in entries[index].map { _ in index } }
        refuseConflicts(among: entries.flatMap { $0 }, in: profile.values.isEmpty ? "dates" : "values") {
            owners[$0] == owners[$1]
        }
        let scanning = profile.dates.filter { $0.scans }
        for entry in scanning.dropFirst() {
            let first = scanning[0].location
            refuse(
                entry.location, "two rules scan all strings: this one and the one \(first.inWords)",
                hint: "name the keys or paths of one of them in `at`")
        }
    }

    /// Limits the memory of a conversion for each open container, and its work for each new key.
    mutating func checkTriedParts(of profile: Profile) {
        var rules = profile.renames.located
        rules += (profile.keys?.except ?? []) + (profile.keys?.opaque ?? []) + profile.drops + profile.keeps
        rules += profile.dates.flatMap { $0.at } + profile.values.flatMap { $0.at } + profile.requires
        for scope in profile.scopes {
            rules.append(scope.located)
            rules += scope.members.map { LocatedSelector(selector: Selector(segments: $0), location: scope.location) }
        }
        rules += profile.defaults.located
        var names = 0
        var parts = 0
        for rule in rules {
            guard case .pointer = rule.selector.form else {
                names += rule.selector.hasWildcard ? 1 : 0
                guard names <= Self.maxWildcardNames else {
                    return refuse(
                        rule.location, "more than \(Self.maxWildcardNames) keys have a `*`",
                        hint: "write the keys out one by one; their number is not limited")
                }
                continue
            }
            parts += rule.selector.triedParts
            guard parts <= Self.maxTriedParts else {
                return refuse(
                    rule.location,
                    "more than \(Self.maxTriedParts) pointers with `*`; from a `**` on, each segment counts",
                    hint: "write keys without `/`, which match at any depth, or fewer selectors")
            }
        }
    }

    /// Limits the work for containers to which `require` or `defaults` apply both by a key and by a `*`.
    mutating func checkContracts(of profile: Profile) {
        refuseManyPairs(among: profile.requires, in: "require")
        refuseManyPairs(among: profile.defaults.located, in: "defaults")
    }

    private mutating func refuseManyPairs(among rules: [LocatedSelector], in section: String) {
        var tree = PointerTree()
        let root = tree.addRoot()
        var keys: Set<Int32> = []
        var counts: [(wild: Int, named: Int)] = []
        for rule in rules {
            var node = root
            for (level, segment) in rule.selector.pointerSegments.enumerated() {
                if counts.count == level { counts.append((0, 0)) }
                // A key counts only if another segment follows it.
                if level > 0, keys.insert(node).inserted { counts[level - 1].named += 1 }
                if segment == .anyOne { counts[level].wild += 1 }
                node = tree.extend(node, by: segment)
                if segment == .anyOne { keys.insert(node) }
            }
            guard
                counts.prefix(rule.selector.pointerSegments.count).allSatisfy({
                    $0.wild * $0.named <= Self.maxContractPairs
                })
            else {
                return refuse(
                    rule.location, "too many pointers in `\(section)` have `*` where others have keys",
                    hint: "write `*` in all of them there, or in none")
            }
        }
    }

    /// - Parameter agree: whether the rules of two selectors have the same effect, so that they never conflict.
    private mutating func refuseConflicts(
        among rules: [LocatedSelector], in section: String, _ agree: (Int, Int) -> Bool
    ) {
        // The first of the equal selectors without wildcards, by its text, and those with wildcards, by their rank.
        var plain: [[UInt8]: Int] = [:]
        var wild: [Int: [Int]] = [:]
        var wildCount = 0
        var wildSegments = 0
        for (index, rule) in rules.enumerated() {
            let selector = rule.selector
            let rival: Int?
            if selector.hasWildcard {
                wildCount += 1
                guard wildCount <= Self.maxWildcardSelectors else {
                    let limit = "more than \(Self.maxWildcardSelectors) selectors with wildcards"
                    return refuse(rule.location, "`\(section)` has \(limit)", hint: "name the paths one by one")
                }
                wildSegments += selector.pointerSegments.count
                guard wildSegments <= Self.maxWildcardSegments else {
                    let limit = "selectors with wildcards of more than \(Self.maxWildcardSegments) segments together"
                    return refuse(rule.location, "`\(section)` has \(limit)", hint: "name the paths one by one")
                }
                rival = wild[selector.rank]?.first {
                    !agree($0, index) && rules[$0].selector.canMatchSamePath(as: selector)
                }
                wild[selector.rank, default: []].append(index)
            } else {
                // Two selectors of one rank without wildcards match the same path only if they are equal.
                let text = selector.text()
                let first = plain[text] ?? index
                rival = agree(first, index) ? nil : first
                plain[text] = first
            }
            if let rival { refuse(rule, against: rules[rival]) }
        }
    }

    private mutating func refuse(_ rule: LocatedSelector, against rival: LocatedSelector) {
        let own = Self.quoted(rule.selector)
        let other = Self.quoted(rival.selector)
        refuse(
            rule.location,
            "\(own) and \(other) \(rival.location.inWords) can match the same path, and neither is more specific",
            hint: "make them agree, or narrow one of them")
    }
}
