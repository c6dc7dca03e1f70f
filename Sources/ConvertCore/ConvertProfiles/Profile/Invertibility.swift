import ConvertEngine

/// Whether a profile is reversible, and what each rule loses.
///
/// A reversible profile restores every payload that meets its conditions. Its keys are ones that `keys.from` restores
/// and that no rename or move writes. Its dates have the form of the first `from`. With `"roundTrip": "required"` there
/// is no condition: any other payload is refused. The restored payload has equal keys and values. The order of keys,
/// white space and the spelling of escapes may differ.
public struct Invertibility: Sendable, Equatable {
    /// The rules that are one way, with the reason, in the order of the document.
    public let losses: [ProfileFault]
    /// For a reversible profile: the conditions under which it restores a payload, in the order of the document. `dates`, `flatten`
    /// and names in `values` have one for each rule; another section has at most one, at its first rule.
    public let conditions: [ProfileFault]

    /// Whether the profile is reversible.
    public var isInvertible: Bool { losses.isEmpty }
}

extension Profile {
    /// The losses and the conditions of the profile, computed from its rules only.
    public var invertibility: Invertibility {
        var losses: [ProfileFault] = []
        if let keys { losses += keys.losses }
        losses += renameLosses
        losses += dates.compactMap { $0.loss }
        losses += values.compactMap { $0.loss ?? refusalLoss(of: $0) }
        losses += shapeLosses
        losses += flattens.compactMap { wayBackLoss(of: $0) ?? rivalLoss(of: $0) ?? refusalLoss(of: $0) }
        if let unwrap { losses += [unwrap.loss].compactMap { $0 } }
        if let unwrap, roundTrip == .required, unwrap.loss == nil {
            losses.append(unwrap.fault("what is around the document cannot come back"))
        }
        losses += policyLosses
        return Invertibility(
            losses: ProfileReader.inOrder(losses),
            conditions: losses.isEmpty && roundTrip == .ignore ? ProfileReader.inOrder(conditions) : [])
    }

    /// The loss of a `flatten` rule if `roundTrip` is `required`: an empty object does not come back, and no error reports it.
    private func refusalLoss(of rule: FlattenRule) -> ProfileFault? {
        guard roundTrip == .required else { return nil }
        return rule.fault(
            "an empty object that is flattened cannot come back", hint: "remove the rule or `roundTrip`")
    }

    /// The loss of a rule for keys in values if `roundTrip` is `required`: no error reports a key that does not come back.
    private func refusalLoss(of entry: ValuesEntry) -> ProfileFault? {
        guard roundTrip == .required, case .names = entry.conversion else { return nil }
        return entry.fault(
            "a name in a value that would not come back is not found", hint: "remove the rule or `roundTrip`")
    }

    /// The conditions on a payload, for a profile without losses.
    private var conditions: [ProfileFault] {
        var conditions: [ProfileFault] = []
        func add(_ location: DocumentLocation?, _ message: String) {
            guard let location else { return }
            conditions.append(
                ProfileFault(at: location, message, hint: "`\"roundTrip\": \"required\"` rejects other input"))
        }
        if let keys, keys.target != .preserve {
            let lost = keys.lostKey(besides: renames)
            add(keys.location, keys.condition(except: lost))
            if let hint = keys.digitsHint(for: lost) { conditions[conditions.count - 1].hint = hint }
        }
        add(renames.first?.location, "reversible unless the input already has a key that a rename writes")
        add(moves.first?.location, "reversible unless the input already has a value where a move writes one")
        for entry in dates { add(entry.location, entry.condition) }
        conditions += values.compactMap { entry in entry.condition.map { entry.fault($0) } }
        conditions += flattens.map { $0.fault(condition(of: $0)) }
        if let unwrap { conditions.append(unwrap.fault(unwrap.condition)) }
        return conditions
    }
}

// MARK: - Keys

extension KeysSection {
    /// The reasons why the inverse cannot restore the input keys from the output keys.
    fileprivate var losses: [ProfileFault] {
        guard target != .preserve else { return [] }
        guard let from else { return [missingSource] }
        if from == .preserve {
            let message = "keys of any case cannot be recovered from \(target.rawValue)"
            return [fault(message, hint: "set `from` to the case of the input's keys")]
        }
        if from == target {
            let message = "keys come back in \(target.rawValue), whatever case they had before"
            return [fault(message, hint: "set `from` to the case of the input's keys")]
        }
        if target == .flatCase {
            let message = "`flatcase` joins words, and \(from.rawValue) cannot split them again"
            return [fault(message, hint: "choose another `case`, such as `camelCase`")]
        }
        return except.compactMap { exceptionLoss($0) }
    }

    /// The error of a case rule without `from`: the inverse cannot be compiled.
    var missingSource: ProfileFault {
        let source = target == .snakeCase ? KeyCase.camelCase : .snakeCase
        return fault(
            "`keys` is one way without `from`, the case of the input's keys",
            hint: "write {\"case\": \"\(target.rawValue)\", \"from\": \"\(source.rawValue)\"}, or convert forward only")
    }

    /// The first of four typical difficult keys that does not come back and has no rename; nil if all come back.
    fileprivate func lostKey(besides renames: [RenameRule]) -> [UInt8]? {
        let renamed = renames.map { $0.selector.lastName }
        // The usual spelling of a key: digits are not split off.
        let spelling = KeyCaseRule(target: from ?? .preserve, acronyms: acronyms, acronymStyle: acronymStyle)
        return ["address_line_1", "oauth2_token", "x_y_z", "userID"].lazy
            .map { spelling.converted(Array($0.utf8)) }
            .first { !renamed.contains($0) && !restores($0) }
    }

    /// Whether the inverse restores this input key.
    private func restores(_ key: [UInt8]) -> Bool {
        rule(to: from ?? .preserve).converted(rule(to: target).converted(key)) == key
    }

    /// The condition on keys. It names a key that does not come back, if there is one.
    fileprivate func condition(except lost: [UInt8]?) -> String {
        if let lost { return "reversible, except keys such as \(ProfileReader.quoted(lost))" }
        return "reversible for keys that \((from ?? .preserve).rawValue) restores from \(target.rawValue)"
    }

    /// The hint if the key would come back with digits as words.
    fileprivate func digitsHint(for lost: [UInt8]?) -> String? {
        var words = self
        words.digits = .word
        guard let lost, words.restores(lost) else { return nil }
        return "`\"digits\": \"word\"` restores them, `\"roundTrip\": \"required\"` rejects them"
    }

    /// The loss of a key in `except`, if the case rule writes another input key with the same text, or may do so.
    private func exceptionLoss(_ exception: LocatedSelector) -> ProfileFault? {
        if let name = exception.selector.lastName {
            guard let source = otherSource(of: name) else { return nil }
            return exception.fault(
                "\(ProfileReader.quoted(name)) is kept, and \(ProfileReader.quoted(source)) becomes the same key")
        }
        // A pointer that ends with `*` keeps all keys of an object.
        guard case .name = exception.selector.form else { return nil }
        return exception.fault(
            "kept keys with `*` may equal keys that the case rule writes", hint: "list the keys one by one")
    }

    /// The input key that the case rule writes as `name`; nil if that is `name` itself.
    fileprivate func otherSource(of name: [UInt8]) -> [UInt8]? {
        guard target != .preserve, let from, from != .preserve else { return nil }
        let source = rule(to: from).converted(name)
        return source != name && rule(to: target).converted(source) == name ? source : nil
    }
}

extension Selector {
    /// The key of the selector's last step, before `**` too; nil if that step is a wildcard or a pattern.
    fileprivate var lastName: [UInt8]? {
        guard case .pointer(let segments) = form else { return literalName }
        return segments.last { $0 != .anyDepth }?.name
    }

    /// The one key at the end of all paths that the selector matches; nil if its last step is a wildcard.
    var soleName: [UInt8]? {
        guard case .pointer(let segments) = form else { return literalName }
        return segments.last?.name
    }
}

// MARK: - Renames

extension Profile {
    /// The most pairs of renames to one key that are compared.
    private static let maxRivalPairs = 1_000_000
    /// The most moves, and the most segments of all moves together: every two moves are compared.
    private static let maxRivalMoves = 1000
    private static let maxRivalSegments = 20_000

    private var renameLosses: [ProfileFault] {
        var losses: [ProfileFault] = []
        var rules: [[UInt8]: [RenameRule]] = [:]
        var pairs = 0
        for rename in renames {
            guard let name = rename.selector.soleName else {
                let message = rename.target.literal.map { "many keys become \(ProfileReader.quoted($0))" }
                losses.append(
                    rename.fault(
                        message ?? "keys renamed by a pattern do not come back",
                        hint: "give each key its own rule and its own new key"))
                continue
            }
            guard let target = rename.target.literal else { continue }
            let others = rules[target, default: []]
            pairs += others.count
            guard pairs <= Self.maxRivalPairs else {
                losses.append(rename.fault("too many renames to one key"))
                break
            }
            let rival = others.first { $0.selector.soleName != name && $0.selector.canStandBeside(rename.selector) }
            if let rival {
                let (other, target) = (ProfileReader.quoted(rival.selector), ProfileReader.quoted(target))
                losses.append(
                    rename.fault(
                        "\(other) \(rival.location.inWords) also becomes \(target)",
                        hint: "give each its own new key"))
            }
            rules[target] = others + [rename]
        }
        return losses
    }

    /// The losses of rules that remove, move or add members.
    private var shapeLosses: [ProfileFault] {
        var losses = moveLosses
        func add(_ location: DocumentLocation, _ message: String, hint: String? = nil) {
            losses.append(ProfileFault(at: location, message, hint: hint ?? "remove the rule, or convert forward only"))
        }
        for drop in drops { add(drop.location, "dropped values cannot come back") }
        for keep in keeps { add(keep.location, "values that `keep` does not name cannot come back") }
        for scope in scopes { add(scope.location, "keys that `keep` does not list cannot come back") }
        for rule in defaults { add(rule.location, "a default looks like a value from the input") }
        if prune.isActive, let pruneLocation { add(pruneLocation, "pruned values cannot come back") }
        if let records, records.onError != .fail {
            add(records.location, "discarded records cannot come back", hint: "write `\"onError\": \"fail\"`")
        }
        return losses
    }

    private var moveLosses: [ProfileFault] {
        guard moves.count <= Self.maxRivalMoves else {
            let message = "more than \(Self.maxRivalMoves) moves are too many to compare"
            return [moves[Self.maxRivalMoves].fault(message)]
        }
        var segments = 0
        for move in moves {
            segments += move.source.pointerSegments.count + move.target.pointerSegments.count
            guard segments <= Self.maxRivalSegments else {
                let message = "moves of more than \(Self.maxRivalSegments) segments are too many to compare"
                return [move.fault(message)]
            }
        }
        let renamed = Set(renames.compactMap { $0.target.literal })
        return moves.compactMap { moveLoss($0, renamed) }
    }

    /// The reason why the inverse cannot undo a move; nil if it can. `renamed` are the keys that renames write.
    private func moveLoss(_ move: MoveRule, _ renamed: Set<[UInt8]>) -> ProfileFault? {
        guard move.targetNames.count == 1 else {
            return move.fault(
                "an empty object in the input looks like one that the move created",
                hint: "move to a key in an object that source and target share")
        }
        if let index = move.sourceNames.first(where: Selector.isIndex) {
            return move.fault(
                "\(ProfileReader.quoted(index)) may be an array index, and an element cannot be put back in its position",
                hint: "move out of objects only")
        }
        let name = move.targetNames[0]
        let otherName = "choose a key that no other rule writes"
        if renamed.contains(name) {
            return move.fault("a rename writes \(ProfileReader.quoted(name)) for another key", hint: otherName)
        }
        if let keys, let source = keys.otherSource(of: name) {
            let other = ProfileReader.quoted(source)
            return move.fault("\(other) also becomes \(ProfileReader.quoted(name))", hint: otherName)
        }
        let overlaps = moves.contains { other in
            guard other.location != move.location else { return false }
            let (mine, others) = (move.source.pointerSegments, other.source.pointerSegments)
            let shared = min(mine.count, others.count)
            return Selector.canMeet(mine[..<shared], others[..<shared])
                || other.target.canMatchSamePath(as: move.target)
        }
        return overlaps ? move.fault("another move uses the same path", hint: otherName) : nil
    }

    private var policyLosses: [ProfileFault] {
        var losses: [ProfileFault] = []
        func add(_ member: String, _ message: String, hint: String) {
            guard let location = policyLocations[member] else { return }
            losses.append(ProfileFault(at: location, message, hint: hint))
        }
        let renames =
            !self.renames.isEmpty || !moves.isEmpty || !flattens.isEmpty
            || keys.map { $0.target != .preserve } == true
        if renames, policies.collision != .error {
            let message =
                policies.collision == .keep
                ? "values written with the same key cannot be distinguished" : "colliding values are discarded"
            add("collision", message, hint: "write `error`")
        }
        if policies.duplicateKey == .first || policies.duplicateKey == .last {
            add("duplicateKey", "values with a duplicate key are discarded", hint: "write `error` or `keep`")
        }
        let rules =
            dates.filter { !$0.scans }.map { ($0.badValue, $0.location) } + values.map { ($0.badValue, $0.location) }
        let badValueMessage = { (policy: BadValuePolicy) in
            policy == .keep
                ? "a bad value that is kept looks like a converted one" : "bad values that become null cannot come back"
        }
        if policies.badValue != .error, rules.contains(where: { $0.0 == nil }) {
            add("badValue", badValueMessage(policies.badValue), hint: "write `error`")
        }
        for case (let policy?, let location) in rules where policy != .error {
            losses.append(ProfileFault(at: location, badValueMessage(policy), hint: "write `\"badValue\": \"error\"`"))
        }
        return losses
    }
}
