extension Profile {
    /// Compiles the profile for one direction.
    ///
    /// A plan is immutable and may be shared; compiling costs far more than converting a small payload, so keep it.
    /// - Throws: `ProfileError` when the profile has no plan for this direction.
    public func compile(_ direction: Direction, limits: Limits = Limits()) throws(ProfileError) -> Plan {
        guard direction == .forward else {
            let fault = ProfileFault(
                pointer: "", line: 1, column: 1, message: "the inverse direction is not supported by this version yet",
                hint: "convert forward, or write a second profile that goes back")
            throw ProfileError(faults: [fault])
        }
        var selectors = SelectorTable()
        for rename in renames { selectors.add(rename) }
        var caseRule: KeyCaseRule?
        if let keys {
            for exception in keys.except { selectors.add(exception.selector, .except) }
            for place in keys.opaque { selectors.add(place.selector, .opaque) }
            if keys.target != .preserve {
                caseRule = KeyCaseRule(
                    target: keys.target, acronyms: keys.acronyms, acronymStyle: keys.acronymStyle)
            }
        }
        var rules: [Plan.ValueRule] = []
        var scanRule = -1
        for entry in dates {
            if entry.scans { scanRule = rules.count }
            for field in entry.at { selectors.add(field.selector, .rule(rules.count)) }
            do throws(DateRuleError) {
                rules.append(Plan.ValueRule(date: try entry.rule(), pointer: entry.place.pointer))
            } catch {
                let pointer = entry.place.pointer + "/" + error.member.rawValue
                let place = ProfilePlace(pointer: pointer, line: entry.place.line, column: entry.place.column)
                throw ProfileError(faults: [ProfileFault(at: place, error.message)])
            }
        }
        return Plan(
            output: output, limits: limits, selectors: selectors, caseRule: caseRule, rules: rules,
            scanRule: scanRule, policies: Plan.Policies(policies))
    }
}

extension Plan.Policies {
    init(_ written: Policies) {
        collision = Self.clash(written.collision)
        duplicateKey = Self.clash(written.duplicateKey)
        badValue = written.badValue == .keep ? .keep : .error
    }

    /// Profiles that ask for `last` are refused when they are read.
    private static func clash(_ policy: ClashPolicy) -> Duplicate {
        switch policy {
        case .error, .last: .error
        case .first: .first
        case .keep: .keep
        }
    }
}
