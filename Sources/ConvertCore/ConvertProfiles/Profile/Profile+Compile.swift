public import ConvertEngine

extension Profile {
    /// Compiles the profile for one direction.
    ///
    /// A plan is immutable and can be shared. Compiling costs far more than converting a small payload, so keep the
    /// plan. The inverse direction restores keys and dates. It can undo `keys` only if `keys.from` names the case of
    /// the input. Dates whose first `from` is `auto`, `iso8601` or `asctime` do not change, and neither do those that
    /// scanning found. `keys` limits the keys that `hash` may use.
    /// - Throws: `ProfileError` if the profile cannot be compiled for this direction, or a hash key is missing.
    public func compile(
        _ direction: Direction, limits: Limits = Limits(), keys hashKeys: HashKeys = .process
    ) throws(ProfileError) -> Plan {
        try compile(direction, onlyUndone: false, limits, hashKeys)
    }

    /// Compiles the part of the forward direction that the inverse direction undoes.
    ///
    /// A client that sends values in the form of this plan's output gets them through the inverse direction to the form
    /// of its input. Rules that do nothing backwards, such as `drop`, do nothing here.
    package func compileUndone() throws(ProfileError) -> Plan {
        try compile(.forward, onlyUndone: true, Limits(), .process)
    }

    private func compile(
        _ direction: Direction, onlyUndone: Bool, _ limits: Limits, _ hashKeys: HashKeys
    ) throws(ProfileError) -> Plan {
        let isWhole = direction == .forward && !onlyUndone
        var selectors = SelectorTable()
        for rename in renames {
            if onlyUndone, rename.selector.soleName == nil {
                // The inverse does not restore these keys, and leaves them in their input form.
                selectors.add(rename.selector, .except)
            } else {
                selectors.add(rename: rename.selector, to: rename.target, pointer: rename.location.pointer)
            }
        }
        for exception in keys?.except ?? [] { selectors.add(exception.selector, .except) }
        for rule in keys?.opaque ?? [] { selectors.add(rule.selector, .opaque) }
        if isWhole {
            for rule in keeps { selectors.add(rule.selector, .keep) }
            for scope in scopes { selectors.add(scope: scope.selector, keeping: scope.members) }
            for rule in drops { selectors.add(rule.selector, .drop) }
            for rule in requires { selectors.add(requirement: rule.selector, pointer: rule.location.pointer) }
            for rule in defaults { selectors.add(default: rule.selector.pointerSegments, value: try rule.document()) }
        }
        selectors.document.names = unwrap?.names ?? []
        selectors.document.payloadNames = (direction == .forward ? unwrap?.names : wrap?.names) ?? []
        selectors.document.rule = direction == .forward ? "/unwrap" : "/wrap"
        let isUndone = direction == .inverse || roundTrip == .required
        if direction == .inverse {
            try refuseMovesIntoValues()
            try refuseLastAroundDocument()
        }
        if let at = sparedRecords { selectors.add(at.selector, .record) }
        addFlattens(direction, onlyUndone: onlyUndone, to: &selectors)
        for rule in moves {
            let move = SelectorTable.Move(
                sourceNames: rule.sourceNames, targetNames: rule.targetNames, pointer: rule.location.pointer)
            if direction == .forward {
                selectors.add(move, from: rule.source, below: rule.anchor, guardsTargets: roundTrip == .required)
            } else {
                selectors.add(undoing: move, below: rule.anchor)
            }
        }
        let rules =
            try compileDates(direction, onlyUndone: onlyUndone, into: &selectors)
            + compileValues(direction, onlyUndone: onlyUndone, hashKeys, into: &selectors)
        for (index, rule) in rules.enumerated() where rule.replacesContainers { selectors.noteReplacing(rule: index) }
        var settings = PlanSettings(output: output, limits: limits, selectors: selectors, policies: policies)
        settings.caseRule = keys.flatMap { $0.target == .preserve ? nil : $0.rule(to: $0.target) }
        settings.isInverse = direction == .inverse
        settings.sourceCaseRule = isUndone ? try sourceCaseRule() : onlyUndone ? try? sourceCaseRule() : nil
        settings.refusesLossyNames = direction == .inverse ? policies.lossyKey == .error : roundTrip == .required
        settings.rules = rules
        settings.scanRule = isWhole ? dates.firstIndex(where: { $0.scans }) ?? -1 : -1
        settings.prune = isWhole ? prune : PruneOptions()
        settings.records = onlyUndone ? .fail : records?.onError ?? .fail
        settings.wrapText = try wrapText(direction)
        return Plan(settings)
    }

    /// Adds the rules of `flatten`. Moves must be added later, so that they come after these where both apply.
    private func addFlattens(_ direction: Direction, onlyUndone: Bool, to selectors: inout SelectorTable) {
        guard direction == .inverse else {
            for rule in onlyUndone ? undoneFlattens.map({ $0.rule }) : flattens {
                let flattening = SelectorTable.Flattening(prefix: rule.prefix, names: [])
                selectors.add(flattening, of: rule.selector, pointer: rule.location.pointer)
            }
            return
        }
        for (rule, names) in undoneFlattens {
            let flattening = SelectorTable.Flattening(prefix: rule.prefix, names: rule.names)
            selectors.add(undoing: flattening, of: names, below: Array(rule.parent), pointer: rule.location.pointer)
        }
    }

    /// The objects around the document: that of `wrap` or, for the inverse, those that `unwrap` removed.
    private func wrapText(_ direction: Direction) throws(ProfileError) -> WrapText {
        guard let location = direction == .forward ? wrap?.location : unwrap?.location else { return .none }
        let names = direction == .forward ? wrap?.names : unwrap?.names
        var others: JSONDocument?
        if direction == .forward, let text = wrap?.others {
            do throws(ProfileFault) {
                others = try JSONDocumentParser.parse(text)
            } catch {
                throw ProfileError(at: location, error.message)
            }
        }
        do throws(ConversionError) {
            return try WrapText(names ?? [], beside: others, sortsKeys: output.sortKeys)
        } catch {
            throw ProfileError(at: location, error.message)
        }
    }

    /// Compiles the rules of `dates` in their order, and adds their selectors.
    private func compileDates(
        _ direction: Direction, onlyUndone: Bool, into selectors: inout SelectorTable
    ) -> [ValueRule] {
        var rules: [ValueRule] = []
        for entry in dates {
            let forward = entry.rule()
            let inverted = forward.inverted()
            let rule = direction == .inverse || (onlyUndone && inverted == nil) ? inverted : forward
            // A rule without an inverse still takes precedence over less specific rules at its paths.
            for field in entry.at { selectors.add(field.selector, .rule(rule == nil ? -1 : rules.count)) }
            let undoing = direction == .forward && roundTrip == .required ? inverted : nil
            rules.append(
                ValueRule(
                    .date(.init(rule ?? forward, undoing: undoing)), pointer: entry.location.pointer,
                    badValue: badValuePolicy(entry.badValue)))
        }
        return rules
    }

    /// Compiles the rules of `values`, and adds their selectors. Their indices follow those of `dates`.
    private func compileValues(
        _ direction: Direction, onlyUndone: Bool, _ hashKeys: HashKeys, into selectors: inout SelectorTable
    ) throws(ProfileError) -> [ValueRule] {
        var rules: [ValueRule] = []
        for entry in values {
            let isLeft = onlyUndone && entry.inverse == nil
            var conversion = isLeft ? nil : direction == .forward ? entry.conversion : entry.inverse
            if case .hash(let hash)? = conversion { conversion = .hash(try hash.withKey(hashKeys, at: entry.location)) }
            for field in entry.at {
                selectors.add(field.selector, .rule(conversion == nil ? -1 : dates.count + rules.count))
            }
            rules.append(
                ValueRule(
                    .conversion(conversion ?? entry.conversion), pointer: entry.location.pointer,
                    badValue: badValuePolicy(entry.badValue)))
        }
        return rules
    }

    /// Refuses `last` for duplicate keys if the profile has `wrap`: its inverse acts like `unwrap`, which the reader refuses there.
    private func refuseLastAroundDocument() throws(ProfileError) {
        guard wrap != nil, policies.duplicateKey == .last, let location = policyLocations["duplicateKey"] else {
            return
        }
        throw ProfileError(
            at: location, "the inverse of `wrap` buffers nothing, so the last of two equal keys cannot win",
            hint: "write `first`, or convert forward only")
    }

    /// Refuses moves into a string that `json` reads or a value that may become null: the inverse cannot take them out again.
    private func refuseMovesIntoValues() throws(ProfileError) {
        let texts = values.filter { $0.readsJSON || badValuePolicy($0.badValue) == .null }
        let rules =
            texts.map { ($0.at, $0.location, $0.readsJSON) }
            + dates.filter { badValuePolicy($0.badValue) == .null }.map { ($0.at, $0.location, false) }
        var enclosing = EnclosingValues(
            rules.enumerated().flatMap { index, rule in rule.0.map { ($0.selector, index) } })
        for rule in moves {
            let index = enclosing.entry(enclosing: rule.anchor + rule.targetNames.map { .literal($0) })
            guard !enclosing.isExhausted else {
                throw ProfileError(
                    at: rule.location, "too many moves to compare with the paths of values",
                    hint: "write fewer with `*`, or convert forward only")
            }
            guard let index else { continue }
            let (_, other, isText) = rules[index]
            throw ProfileError(
                at: rule.location,
                "a value moved into \(isText ? "JSON text" : "a bad value, which becomes null,") cannot be taken out again",
                hint: "the rule at \(other.pointer) \(isText ? "reads that string" : "makes it null")")
        }
    }

    /// The inverse of the case rule; nil if there is nothing to undo.
    private func sourceCaseRule() throws(ProfileError) -> KeyCaseRule? {
        guard let keys, keys.target != .preserve else { return nil }
        guard let from = keys.from else { throw ProfileError(faults: [keys.missingSource]) }
        return from == .preserve ? nil : keys.rule(to: from)
    }
}

extension DefaultRule {
    /// The parsed value.
    fileprivate func document() throws(ProfileError) -> JSONDocument {
        do {
            return try JSONDocumentParser.parse(value)
        } catch {
            throw ProfileError(faults: [error])
        }
    }
}
