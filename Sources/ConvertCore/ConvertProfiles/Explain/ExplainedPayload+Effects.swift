import ConvertEngine

/// The descriptions of effects, in the order of operations.
extension ExplainedPayload {
    /// Describes all effects, in the order of the payload. Values that rules made come last.
    package mutating func effects() -> [Note] {
        notes = []
        noteUnwrapping()
        for (index, value) in values {
            let container = document.nodes[index].parent.flatMap { values[$0.index] }
            if value.node >= 0, container.map({ hidesContents($0) }) != true {
                noteChanges(of: value, index, in: container)
            }
            if let container { noteRequirement(of: value, index, in: container) }
            if value.node >= 0 { noteRecordAndMove(of: value, index) }
        }
        for node in 0..<tree.nodes.count { noteShape(of: node) }
        if plan.policies.duplicateKey == .keep || plan.policies.collision == .keep { noteSharedKeys() }
        if !plan.wrapText.names.isEmpty, !values.isEmpty {
            note(top, plan.isInverse ? "/unwrap" : "/wrap", "wrap: put at \(wrapPointer)")
        }
        // The sort is stable: notes on one value stay in the order of operations.
        return notes.sorted { $0.node < $1.node }
    }

    private mutating func note(_ number: Int, _ rule: String, _ what: String, kind: String? = nil) {
        notes.append(Note(node: number, rule: rule, what: what, kind: kind))
    }

    private mutating func noteUnwrapping() {
        guard plan.selectors.unwraps, !values.isEmpty else { return }
        let rule = plan.selectors.document.rule
        var inner = top
        while let outer = document.nodes[inner].parent?.index {
            for child in document.nodes[outer].children where child.index != inner {
                note(child.index, rule, "unwrap: discarded, it is outside of the document")
            }
            inner = outer
        }
        note(top, rule, "unwrap: becomes the document")
    }

    // MARK: Input keys and values

    /// Notes the effects of the rules for input keys and values.
    private mutating func noteChanges(of value: Value, _ index: Int, in container: Value?) {
        let node = tree.nodes[value.node]
        if node.removal == .repetition {
            let kept = plan.policies.duplicateKey.rawValue
            return note(index, "/on/duplicateKey", "duplicate: discarded, the \(kept) one is kept")
        }
        if value.isDiscarded {
            guard value.match.isDropped else { return note(index, keepRule(of: index), "keep: discarded") }
            let rule = pointer(of: profile.drops, of: index)
            let what =
                rule == nil ? "keep: discarded, nothing in it is kept" : "drop: discarded with everything below it"
            return note(index, rule ?? keepRule(of: index), what)
        }
        if isListed(value) { noteKey(of: value, index) }
        noteValue(of: value, index)
        if value.isUnkept, container?.isUnkept != true {
            note(index, keepRule(of: index), "keep: discarded, nothing in it is kept")
        }
    }

    /// Whether effects are listed that leave a value where it is. They are not in removed containers and skipped records.
    private func isListed(_ value: Value) -> Bool {
        if let record = values[value.record], record.node >= 0, resolved.skipped(record.node) != nil { return false }
        let parent = Int(tree.nodes[value.node].parent)
        return parent < 0 || tree.isPresent(parent)
    }

    private mutating func noteKey(of value: Value, _ index: Int) {
        guard let name = document.nodes[index].step.name else { return }
        // A move sets the key. Flattening does that only for a member that goes back, and null stays.
        if value.match.move >= 0 {
            guard plan.selectors.moves[Int(value.match.move)].flattening != nil,
                plan.isInverse
                    ? value.match.rename != nil || !name.reversed().starts(with: (value.output ?? name).reversed())
                    : document.nodes[index].kind == .null
            else { return }
        }
        if let output = value.output {
            let rule = value.match.rename.map { plan.selectors.renames[$0].pointer }
            let change = "\(Self.quoted(name)) -> \(Self.quoted(output))"
            note(index, rule ?? "/keys", "\(rule == nil ? "key" : "rename"): \(change)")
        } else if let rename = value.match.rename, plan.caseRule != nil || profile.renames.count > 1 {
            // It takes precedence over the case rule, and over less specific renames.
            note(index, plan.selectors.renames[rename].pointer, "rename: the key is kept")
        } else if value.match.isExcept, plan.caseRule != nil,
            let rule = pointer(of: profile.keys?.except ?? [], of: index)
        {
            note(index, rule, "except: the key is kept")
        }
        if let rule = pointer(of: profile.keys?.opaque ?? [], of: index) {
            note(index, rule, "opaque: keys below are kept")
        }
    }

    private mutating func noteValue(of value: Value, _ index: Int) {
        let kind = document.nodes[index].kind
        var rule = Int(value.match.rule)
        if rule < 0, case .string = kind { rule = plan.scanRule }
        guard rule >= 0, kind != .null else { return }
        let pointer = plan.rules[rule].pointer
        let verb = if case .date = plan.rules[rule].action { "date" } else { "value" }
        if let complaint = resolved.complaint(of: value.node) {
            guard value.match.rule >= 0, !value.isUnkept else { return }
            return note(index, pointer, "\(verb): bad value: \(complaint)")
        }
        guard isListed(value) else { return }
        let source = document.source(of: .init(index: index))
        let shown = plan.rules[rule].hidesValue ? "(hidden)" : Self.shown(String(decoding: source, as: UTF8.self))
        if plan.rules[rule].stringifiesValue {
            return note(index, pointer, "value: \(shown) -> its JSON text", kind: "value text")
        }
        if case .string = kind, case .conversion(.json) = plan.rules[rule].action {
            return note(index, pointer, "value: \(shown) -> the JSON in it", kind: "value JSON")
        }
        guard tree.nodes[value.node].kind == .scalar, tree.nodes[value.node].valueCount > 0 else { return }
        let written = tree.value(of: value.node)
        let content = JSONText.content(ofString: written[...])
        let isKept = if case .string(let own) = kind { content == own } else { written == source }
        if isKept {
            guard value.match.rule >= 0 else { return }
            return note(index, pointer, "\(verb): \(shown) is kept", kind: "\(verb) kept")
        }
        let after = content.map { "\"\(Self.spelled($0))\"" } ?? Self.shown(String(decoding: written, as: UTF8.self))
        note(index, pointer, "\(verb): \(shown) -> \(after)", kind: verb)
    }

    // MARK: Records and moves

    /// Notes the requirement that a value meets, if that is the value itself.
    private mutating func noteRequirement(of value: Value, _ index: Int, in container: Value) {
        let (name, contract) = (segment(to: index), keys.paths.contract(of: container.match.state))
        guard let requirement = contract.requirement(named: name).map({ contract.requirements[$0] }),
            requirement.pointer == PayloadPointer.step(name),
            value.node < 0 || (resolved.skipped(value.node) == nil && tree.nodes[value.node].removal != .repetition)
        else { return }
        note(index, requirement.rule, "require: present")
    }

    /// Notes that a record was skipped, or that a value moved.
    private mutating func noteRecordAndMove(of value: Value, _ index: Int) {
        let node = tree.nodes[value.node]
        if let code = resolved.skipped(value.node) {
            let effect = node.removal == .record ? "discarded" : "becomes null"
            note(index, "/records", "record: \(effect) (\(code.rawValue))")
        }
        if plan.isInverse, node.removal == .move, value.match.move < 0 {
            note(index, "/move", "move: discarded, everything in it goes elsewhere")
        }
        guard value.match.move >= 0, !value.isDiscarded, !value.isUnkept else { return }
        let record = values[value.record].flatMap { resolved.skipped($0.node) }
        guard record.map({ [.move, .flatten, .collision].contains($0) }) ?? true else { return }
        let move = plan.selectors.moves[Int(value.match.move)]
        guard let flattening = move.flattening else {
            let effect = node.removal == .move ? "its new parent is not an object" : "moved here"
            return note(index, move.pointer, "move: \(effect)")
        }
        note(index, move.pointer, "flatten: \(flattened(value, flattening))")
    }

    /// The effect on an object whose members replace it, or on such a member in the inverse direction.
    private func flattened(_ value: Value, _ flattening: SelectorTable.Flattening) -> String {
        if plan.isInverse { return "\(Self.quoted(tree.inputName(of: value.node))) goes back into its object" }
        guard tree.nodes[value.node].removal == .flatten else {
            return tree.isNull(value.node) ? "null is kept" : "not an object in an object"
        }
        let keys = flattening.prefix.isEmpty ? "" : ", with \(Self.quoted(flattening.prefix)) before their keys"
        return "its values move into the object around it\(keys)"
    }

    // MARK: Output keys

    /// Notes the members with an output key that an earlier member has, if the policies keep both.
    private mutating func noteSharedKeys() {
        for object in 0..<tree.nodes.count where tree.nodes[object].kind == .object && tree.isPresent(object) {
            var last: [[UInt8]: Int] = [:]
            for member in tree.children(of: object) {
                guard let earlier = last.updateValue(member, forKey: tree.name(of: member)) else { continue }
                if tree.isSameInput(earlier, member) {
                    guard plan.policies.duplicateKey == .keep else { continue }
                    note(number(of: member), "/on/duplicateKey", "duplicate: kept beside the first one")
                } else if plan.policies.collision == .keep {
                    note(number(of: member), "/on/collision", "collision: kept beside \(inputName(of: earlier))")
                }
            }
        }
    }

    /// Notes the effects of the rules for output keys.
    private mutating func noteShape(of node: Int) {
        let number = number(of: node)
        switch tree.nodes[node].removal {
        case .prune:
            let (option, noun) =
                switch tree.nodes[node].kind {
                case .object: ("emptyObject", "an empty object")
                case .array: ("emptyArray", "an empty array")
                case .scalar: tree.isNull(node) ? ("null", "null") : ("emptyString", "an empty string")
                }
            note(number, "/prune/\(option)", "prune: \(noun) is discarded")
        case .collision:
            let winner = tree.member(named: tree.name(of: node), of: Int(tree.nodes[node].parent))
            let name = winner < 0 ? "another" : inputName(of: winner)
            note(number, "/on/collision", "collision: discarded, \(name) has the same output key")
        default: break
        }
        if tree.nodes[node].addition >= 0 { noteAddition(node) }
        if tree.nodes[node][.isReordered], number < document.nodes.count {
            note(number, "/output/sortKeys", "sortKeys: keys are reordered")
        }
    }

    private func inputName(of node: Int) -> String {
        tree.nodes[node].isOfInput ? Self.quoted(tree.inputName(of: node)) : "a default"
    }

    /// Notes a member that `defaults` added, with what the rule itself put into it.
    private mutating func noteAddition(_ node: Int) {
        let rule = profile.defaults[tree.nodes[node].addition]
        var (depth, outer) = (0, node)
        while outer != HeldTree.root { (depth, outer) = (depth + 1, Int(tree.nodes[outer].parent)) }
        var text = String(decoding: (try? Plan.minify().convert(rule.value)) ?? [], as: UTF8.self)
        for name in Selector.names(rule.selector.pointerSegments[depth...])?.reversed() ?? [] {
            text = "{\(String(decoding: JSONText.quoted(name), as: UTF8.self)):\(text)}"
        }
        let shown = Self.shown(text)
        note(number(of: node), rule.location.pointer, "default: \(shown)")
    }
}
