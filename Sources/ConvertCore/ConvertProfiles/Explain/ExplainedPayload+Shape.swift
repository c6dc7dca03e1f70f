import ConvertEngine

/// The sections that change the tree: records, `require`, `move`, `prune`, `defaults`, collisions and `sortKeys`.
extension ExplainedPayload {
    // MARK: Require

    /// Notes the requirements that are met, and finds the records in which one is not.
    mutating func requireMembers() {
        guard !profile.requires.isEmpty else { return }
        for (index, source) in document.nodes.enumerated() where !keys.paths.isUnwrapped(matches[index].state) {
            for requirement in keys.paths.contract(of: matches[index].state).requirements {
                let met = source.children.first { child in
                    isRequired(child, requirement.name) && badRecords[child.index] == nil
                }
                guard let met else {
                    noteFault(.require, at: index)
                    continue
                }
                if requirement.pointer == PayloadPointer.step(requirement.name) {
                    note(met.index, requirement.rule, "require: present", staysTold: true)
                }
            }
        }
    }

    private func isRequired(_ child: JSONDocument.NodeID, _ name: [UInt8]) -> Bool {
        switch document[child].step {
        case .root: false
        case .index(let index): Array(String(index).utf8) == name
        case .member(let own, _): own == name
        }
    }

    // MARK: Records

    /// Removes the bad records, or replaces them with null.
    mutating func leaveOutRecords() {
        for record in badRecords.keys.sorted() { leaveOutRecord(record) }
    }

    private mutating func leaveOutRecord(_ record: Int) {
        let code = badRecords[record]?.rawValue ?? ""
        let isNull = plan.records == .null && matches[record].traits.isDisjoint(with: [.searched, .passed])
        let isThere = !tree.nodes[record].isDiscarded && tree.isPresent(record)
        note(record, "/records", "record: \(isNull ? "becomes null" : "discarded") (\(code))", staysTold: true)
        guard isThere else { return }
        guard isNull else {
            tree.nodes[record].isDiscarded = true
            return
        }
        // The content of the record leaves the tree, so notes on it are no longer listed.
        for child in tree.children(of: record) { tree.remove(child) }
        tree.setValue(of: record, to: Array("null".utf8).span)
    }

    // MARK: Order

    /// Moves, prunes and adds values and settles collisions, after the sections before have marked the removed values.
    mutating func settleShape() {
        for node in matches.indices where matches[node].move >= 0 && !tree.nodes[node].isDiscarded {
            tree[note: node].move = matches[node].move
        }
        tree.removeDiscarded()
        move()
        settleRecords()
        prune(below: top)
        addDefaults()
        tellShared()
        settleCollisions(below: top)
        for record in badRecords.keys.sorted() where tree.isPresent(record) && !isNulled(record) {
            removeRecord(record)
        }
        if plan.output.sortKeys { tellSorted() }
        guard plan.wrapText.levels > 0 else { return }
        note(top, plan.isInverse ? "/unwrap" : "/wrap", "wrap: put at \(wrapPointer)", staysTold: true)
    }

    /// RFC 6901 pointer into the output, to the document.
    package var wrapPointer: String { plan.wrapText.names.map(PayloadPointer.step).joined() }

    private mutating func move() {
        guard !plan.selectors.moves.isEmpty else { return }
        let moved = matches.indices.filter { tree[note: $0].move >= 0 && tree.isPresent($0) }
        let misplaced = Set(tree.moveValues(by: plan).map { $0.node })
        for node in moved {
            let move = plan.selectors.moves[Int(matches[node].move)]
            let isMisplaced = misplaced.contains(node)
            if isMisplaced { noteFault(move.flattening == nil ? .move : .flatten, at: node) }
            let what =
                move.flattening.map { "flatten: \(flattened(node, $0, isMisplaced: isMisplaced))" }
                ?? (isMisplaced ? "move: its new parent is not an object" : "move: moved here")
            note(node, move.pointer, what, staysTold: true)
        }
    }

    /// The effect on an object whose members replace it, or on such a member in the inverse direction, for a note.
    private func flattened(
        _ node: Int, _ flattening: SelectorTable.Flattening, isMisplaced: Bool
    ) -> String {
        if plan.isInverse { return "\(Self.quoted(tree.inputName(of: node))) goes back into its object" }
        if isMisplaced { return "not an object in an object" }
        guard tree.nodes[node].isRemoved else { return "null is kept" }
        let keys = flattening.prefix.isEmpty ? "" : ", with \(Self.quoted(flattening.prefix)) before their keys"
        return "its members move into the object around it\(keys)"
    }

    /// Settles each record on its own first, so that bad ones are removed before the rest is processed.
    private mutating func settleRecords() {
        guard plan.sparesRecords else { return }
        for record in matches.indices where records[record] == record && tree.isPresent(record) {
            if badRecords[record] == nil {
                prune(below: record)
                settleCollisions(below: record)
            }
            if badRecords[record] != nil { removeRecord(record) }
        }
    }

    /// Whether null has already replaced the record.
    private func isNulled(_ record: Int) -> Bool {
        plan.records == .null && tree.nodes[record].kind == .scalar
    }

    private mutating func removeRecord(_ record: Int) {
        leaveOutRecord(record)
        if tree.nodes[record].isDiscarded { tree.removeSearched(from: record) }
    }

    // MARK: Prune

    private mutating func prune(below node: Int) {
        guard plan.prune.isActive else { return }
        let stood = standing()
        tree.prune(below: node, plan.prune)
        for gone in 0..<tree.nodes.count where stood[gone] && tree.nodes[gone].isRemoved {
            let (option, noun) =
                switch tree.nodes[gone].kind {
                case .object: ("emptyObject", "an empty object")
                case .array: ("emptyArray", "an empty array")
                case .scalar: tree.nodes[gone].valueCount == 2 ? ("emptyString", "an empty string") : ("null", "null")
                }
            note(gone, "/prune/\(option)", "prune: \(noun) is discarded", staysTold: true)
        }
    }

    private func standing() -> [Bool] { (0..<tree.nodes.count).map { !tree.nodes[$0].isRemoved } }

    // MARK: Defaults

    private mutating func addDefaults() {
        for (index, rule) in plan.selectors.defaults.rules.enumerated() {
            let count = tree.nodes.count
            let alone = DefaultTree([rule])
            tree.addDefaults(alone, at: alone.root, plan.output.escapes, below: top)
            for node in count..<tree.nodes.count where Int(tree.nodes[node].parent) < count {
                var text = ByteBuffer()
                tree.writeValue(node, OutputOptions(), into: &text)
                let shown = Self.shown(String(decoding: [UInt8](text), as: UTF8.self))
                note(node, profile.defaults[index].location.pointer, "default: \(shown)")
            }
        }
    }

    // MARK: Collisions

    /// Notes the members with equal output keys if the policy keeps them all.
    private mutating func tellShared() {
        guard plan.policies.collision == .keep else { return }
        for object in 0..<tree.nodes.count where tree.nodes[object].kind == .object && tree.isPresent(object) {
            var first: [[UInt8]: Int] = [:]
            for member in tree.children(of: object) {
                guard let earlier = first.updateValue(member, forKey: tree.name(of: member)),
                    !tree.isSameInput(earlier, member)
                else { continue }
                note(member, "/on/collision", "collision: kept beside \(inputName(of: earlier))")
            }
        }
    }

    private mutating func settleCollisions(below node: Int) {
        guard plan.policies.collision != .keep else { return }
        let stood = standing()
        var parents: [Int: Int] = [:]
        for child in 0..<tree.nodes.count where stood[child] { parents[child] = Int(tree.nodes[child].parent) }
        var names = NameTable()
        let collisions = tree.resolveCollisions(below: node, plan.policies.collision, &names)
        var skipped: [Int] = []
        for later in collisions.map({ $0.later }) {
            guard later < records.count else {
                // An object that the inverse of `flatten` creates is in the container that its members were in.
                if tree.nodes[later].isOfInput { noteFault(.collision, at: Int(tree.nodes[later].inputParent)) }
                continue
            }
            // Null instead of the record would keep the colliding key, so the record does not become bad here.
            if records[later] == later, plan.records == .null {
                let mustHold = !matches[later].traits.isDisjoint(with: [.searched, .passed])
                if plan.skipsCollidingRecord(mustHold: mustHold) { skipped.append(later) }
                continue
            }
            noteFault(.collision, at: later)
        }
        collidingRecords += skipped
        for record in skipped {
            note(record, "/records", "record: discarded (collision)", staysTold: true)
            tree.nodes[record].isDiscarded = true
            tree.removeSearched(from: record)
        }
        for gone in 0..<tree.nodes.count where stood[gone] && tree.nodes[gone].isRemoved {
            let winner = parents[gone].map { tree.member(named: tree.name(of: gone), of: $0) } ?? -1
            let name = winner >= 0 ? inputName(of: winner) : "another"
            note(gone, "/on/collision", "collision: discarded, \(name) has the same output key", staysTold: true)
        }
    }

    private func inputName(of node: Int) -> String {
        tree.nodes[node].isOfInput ? Self.quoted(tree.inputName(of: node)) : "a default"
    }

    // MARK: Order of members

    private mutating func tellSorted() {
        for object in 0..<tree.nodes.count where tree.nodes[object].kind == .object && tree.isPresent(object) {
            let members = tree.children(of: object)
            let isSorted = zip(members, members.dropFirst()).allSatisfy { !tree.precedes($1, $0) }
            if !isSorted, object < matches.count { note(object, "/output/sortKeys", "sortKeys: keys are reordered") }
        }
    }

    // MARK: Selectors

    /// The pointer into the profile to the `keep` that removes a node.
    func keepRule(of node: Int) -> String {
        guard !profile.scopes.isEmpty else { return "/keep" }
        let scopes = profile.scopes.located
        var container = document.nodes[node].parent
        while let current = container {
            if let rule = place(of: scopes, of: current.index) { return rule }
            container = document[current].parent
        }
        return "/keep"
    }

    /// The pointer into the profile to the first selector that matches a node; nil if none does.
    func place(of selectors: [LocatedSelector], of node: Int) -> String? {
        guard !selectors.isEmpty else { return nil }
        var path: [Selector.Segment] = []
        var current = document.nodes[node]
        while let parent = current.parent {
            switch current.step {
            case .root: break
            case .index(let index): path.append(.literal(Array(String(index).utf8)))
            case .member(let name, _): path.append(.literal(name))
            }
            current = document[parent]
        }
        path.reverse()
        return selectors.first { $0.selector.covers(path[...]) }?.location.pointer
    }

    // MARK: Results

    /// The notes that are listed, in the order of the payload.
    func listedNotes() -> [Note] {
        let told = notes.filter { note in
            if note.staysTold { return true }
            if note.node < records.count, badRecords[records[note.node]] != nil { return false }
            let parent = Int(tree.nodes[note.node].parent)
            return parent < 0 || tree.isPresent(parent)
        }
        // The sort is stable: notes on one node stay in the order of operations.
        return told.sorted { $0.node < $1.node }
    }

    /// A pointer into the output for every node that is left.
    func outputPointers() -> [Int: String] {
        var places = [top: wrapPointer]
        var waiting = [top]
        while let container = waiting.popLast() {
            let place = places[container] ?? ""
            for (position, child) in tree.children(of: container).enumerated() {
                let step =
                    tree.nodes[container].kind == .array
                    ? "/\(position)" : PayloadPointer.step(tree.name(of: child))
                places[child] = place + step
                waiting.append(child)
            }
        }
        return places
    }
}
