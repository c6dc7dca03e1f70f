package import ConvertEngine
import ConvertText

// The payload's nodes come in the order of its text. So a node has the same number in the document and in the tree, and a
// parent always comes before its children. `carryOut` has this order of operations:
//
// - duplicates are settled on the unchanged payload;
// - keys and values are rewritten at every path that stays, and errors of records are noted;
// - bad records are removed, with all notes on their content;
// - then values are moved, pruned and added, and collisions are settled, as the converter does in a buffered object.
//
// A node that is left out has no effect in the tree until it is removed. Notes refer to nodes; pointers are computed at the end.

/// A payload as a tree, to which a profile's sections are applied in their order, with a note on each effect.
package struct ExplainedPayload: ~Copyable {
    /// An effect of a rule on a node.
    package struct Note {
        var node: Int
        var rule: String
        var what: String
        /// The text by which similar effects are counted together, if `what` shows a value; nil if `what` is that text.
        var kind: String?
        /// Whether the note is listed even if a container of the node is removed.
        var staysTold = false
    }

    let profile: Profile
    let plan: Plan
    package let document: JSONDocument
    var keys: KeyMapper
    package var tree = HeldTree()
    var notes: [Note] = []
    /// The rules that apply to each node.
    var matches: [PathAutomaton.Match] = []
    /// The record that each node is or is in, or -1.
    var records: [Int] = []
    /// Whether each node, or a container of it, is left out before its value is rewritten.
    private var isLeftOut: [Bool] = []
    /// Whether each node, or a container of it, is discarded because of another member with the same input key.
    private var isReplaced: [Bool] = []
    /// The node that becomes the document.
    package private(set) var top = HeldTree.root
    /// The bad values of containers in which `keep` may find nothing. They are errors only if it finds something.
    private var doubts: [Int: String] = [:]
    /// The code of the first error in each bad record.
    var badRecords: [Int: ConversionError.Code] = [:]
    /// The records that are discarded because another member has their output key, although null replaces bad records.
    var collidingRecords: [Int] = []

    package init(_ profile: Profile, _ plan: Plan, _ document: JSONDocument) {
        self.profile = profile
        self.plan = plan
        self.document = document
        keys = KeyMapper(plan, lettingKeysPass: false)
    }

    /// Applies the whole profile. Returns the notes on all effects, in the order of the payload.
    package mutating func carryOut() -> [Note] {
        build()
        settleDuplicates()
        findDocument()
        for node in matches.indices { rewrite(node) }
        requireMembers()
        if plan.selectors.removesUnkept { leaveOutSearched() }
        leaveOutRecords()
        settleShape()
        return listedNotes()
    }

    /// The records that were left out or replaced with null, in the order of the payload; for use after `carryOut()`.
    package var skippedRecords: [(node: Int, code: ConversionError.Code)] {
        (badRecords.map { ($0.key, $0.value) } + collidingRecords.map { ($0, .collision) }).sorted { $0.0 < $1.0 }
    }

    mutating func note(_ node: Int, _ rule: String, _ what: String, kind: String? = nil, staysTold: Bool = false) {
        notes.append(Note(node: node, rule: rule, what: what, kind: kind, staysTold: staysTold))
    }

    /// Marks the record of a node as bad. An error outside of records fails the whole payload, and is not noted here.
    mutating func noteFault(_ code: ConversionError.Code, at node: Int) {
        guard records[node] >= 0, badRecords[records[node]] == nil else { return }
        badRecords[records[node]] = code
    }

    // MARK: The tree

    private mutating func build() {
        for (index, source) in document.nodes.enumerated() {
            let parent = source.parent?.index ?? -1
            let node = tree.append(to: Int32(parent))
            switch source.kind {
            case .object: tree.nodes[node].kind = .object
            case .array: tree.nodes[node].kind = .array
            default: tree.setValue(of: node, to: document.source(of: .init(index: index)).span)
            }
            var match = keys.paths.rootMatch
            switch source.step {
            case .root: break
            case .index(let position):
                tree.nodes[node].index = position
                match = elementMatch(position, of: matches[parent].state)
            case .member(let name, let nameOffset):
                match = nameMember(node, name, nameOffset, of: matches[parent].state)
            }
            matches.append(match)
            let isRecord = match.traits.contains(.record) && plan.sparesRecords
            records.append(isRecord ? node : parent >= 0 ? records[parent] : -1)
            isLeftOut.append(false)
            isReplaced.append(false)
        }
    }

    private mutating func elementMatch(_ position: Int, of container: Int32) -> PathAutomaton.Match {
        keys.paths.namedElement(position, of: container) ?? keys.paths.elements(of: container).match
    }

    /// Sets the output key of a member. Returns the rules that apply to it.
    private mutating func nameMember(
        _ node: Int, _ name: [UInt8], _ nameOffset: Int, of container: Int32
    ) -> PathAutomaton.Match {
        let fate = resolution(of: name, container)
        tree.nodes[node].setInputName(start: tree.text.count, count: name.count)
        tree.text.append(name)
        if let output = fate.output {
            tree.setName(of: node, to: output, plan.output.escapes)
            tree.nodes[node].isRenamed = true
        } else {
            var end = nameOffset + 1
            while document.text[end] != ASCII.quote { end += document.text[end] == ASCII.backslash ? 2 : 1 }
            tree.setName(of: node, spelled: Array(document.text[(nameOffset + 1)..<end]))
        }
        return fate.match
    }

    private mutating func resolution(of name: [UInt8], _ container: Int32) -> KeyMapper.NameResolution {
        let holdsLoneSurrogate = String(validating: name, as: UTF8.self) == nil
        return plan.isInverse
            ? keys.inverseResolution(of: name, container, holdsLoneSurrogate)
            : keys.guardedResolution(of: name, container, holdsLoneSurrogate)
    }

    // MARK: Duplicates

    private mutating func settleDuplicates() {
        for (index, source) in document.nodes.enumerated() where source.kind == .object && !isHidden(index) {
            var first: [[UInt8]: Int] = [:]
            for child in source.children {
                guard case .member(let name, _) = document[child].step else { continue }
                guard let earlier = first[name] else {
                    first[name] = child.index
                    continue
                }
                judgeDuplicate(child.index, of: earlier)
                if plan.policies.duplicateKey == .last { first[name] = child.index }
            }
        }
    }

    /// Whether duplicates in a container do not count, because it or a container around it is masked.
    private func isHidden(_ node: Int) -> Bool {
        guard plan.rules.contains(where: { $0.masksContainers }) else { return false }
        var current: Int? = node
        while let container = current {
            let rule = Int(matches[container].rule)
            if rule >= 0, plan.rules[rule].masksContainers { return true }
            current = document.nodes[container].parent?.index
        }
        return false
    }

    private mutating func judgeDuplicate(_ later: Int, of earlier: Int) {
        let rule = "/on/duplicateKey"
        switch plan.policies.duplicateKey {
        case .error: noteFault(.duplicateKey, at: later)
        case .first:
            isReplaced[later] = true
            fall(later, rule, "duplicate: discarded, the first one is kept")
        case .last:
            isReplaced[earlier] = true
            fall(earlier, rule, "duplicate: discarded, the last one is kept")
        case .keep: note(later, rule, "duplicate: kept beside the first one")
        }
    }

    private mutating func fall(_ node: Int, _ rule: String, _ what: String) {
        leaveOut(node)
        note(node, rule, what, staysTold: true)
    }

    /// Marks a node as left out, with everything below it.
    private mutating func leaveOut(_ node: Int) {
        tree.nodes[node].isDiscarded = true
        isLeftOut[node] = true
    }

    /// Finds the node that becomes the document, by the first member with each key on its path.
    private mutating func findDocument() {
        guard plan.selectors.unwraps else { return }
        for name in plan.selectors.document.payloadNames {
            let next = document.nodes[top].children.first { child in
                switch document[child].step {
                case .root: false
                case .index(let index): Array(String(index).utf8) == name
                case .member(let own, _): own == name
                }
            }
            guard let next else { return noteFault(.require, at: top) }
            for child in document.nodes[top].children where child != next && !isLeftOut[child.index] {
                fall(child.index, plan.selectors.document.rule, "unwrap: discarded, it is outside of the document")
            }
            top = next.index
        }
        note(top, plan.selectors.document.rule, "unwrap: becomes the document", staysTold: true)
    }

    // MARK: Names and values

    private mutating func rewrite(_ node: Int) {
        let parent = document.nodes[node].parent?.index
        if let parent, isLeftOut[parent] { isLeftOut[node] = true }
        if let parent, isReplaced[parent] { isReplaced[node] = true }
        guard !isLeftOut[node] else { return }
        let match = matches[node]
        if match.isDropped {
            let rule = place(of: profile.drops, of: node)
            let what =
                rule == nil ? "keep: discarded, nothing in it is kept" : "drop: discarded with everything below it"
            return fall(node, rule ?? keepRule(of: node), what)
        }
        if case .scalar = tree.nodes[node].kind, !match.traits.isDisjoint(with: [.searched, .passed]), parent != nil {
            return fall(node, keepRule(of: node), "keep: discarded")
        }
        if match.move < 0 || isNamed(node, flattenedBy: plan.selectors.moves[Int(match.move)]) { tellName(node) }
        rewriteValue(node)
    }

    /// Whether a change of key is noted although a rule flattens the node: null keeps its key, and the inverse may change a member's.
    private func isNamed(_ node: Int, flattenedBy move: SelectorTable.Move) -> Bool {
        guard move.flattening != nil else { return false }
        guard plan.isInverse else { return document.nodes[node].kind == .null }
        let (name, given) = (tree.name(of: node), tree.inputName(of: node))
        return matches[node].rename != nil || !given.reversed().starts(with: name.reversed())
    }

    private mutating func tellName(_ node: Int) {
        guard case .member(let name, _) = document.nodes[node].step else { return }
        let match = matches[node]
        if tree.nodes[node].isRenamed {
            let rule = match.rename.map { plan.selectors.renames[$0].pointer } ?? "/keys"
            let change = "\(Self.quoted(name)) -> \(Self.quoted(tree.name(of: node)))"
            note(node, rule, "\(match.rename == nil ? "key" : "rename"): \(change)")
        } else if match.isExcept, plan.caseRule != nil, let rule = place(of: profile.keys?.except ?? [], of: node) {
            note(node, rule, "except: the key is kept")
        }
        if let rule = place(of: profile.keys?.opaque ?? [], of: node) {
            note(node, rule, "opaque: keys below are kept")
        }
        if plan.refusesLossyNames, let parent = document.nodes[node].parent {
            switch resolution(of: name, matches[parent.index].state).loss {
            case nil: break
            case .changedName, .lossyKey: noteFault(.lossyKey, at: node)
            default: noteFault(.collision, at: node)
            }
        }
    }

    private mutating func rewriteValue(_ node: Int) {
        var index = Int(matches[node].rule)
        let kind = document.nodes[node].kind
        if index < 0, case .string = kind { index = plan.scanRule }
        guard index >= 0, kind != .null else { return }
        let rule = plan.rules[index]
        let source = document.source(of: .init(index: node))
        if rule.stringifiesValue { return writeAsText(node, source, rule) }
        var written = ByteBuffer()
        var outcome: ValueRule.Outcome
        switch kind {
        case .string(let content):
            outcome = rule.rewrite(string: content.span, into: &written)
            if case .embedded = outcome, !minify(content, into: &written) {
                outcome = .bad(ValueConversion.expectedJSON)
            }
            if case .names(let form) = outcome {
                var translator = NameTranslator(plan)
                translator.translate(content.span, form, into: &written)
                outcome = .string
            }
            if case .string = outcome, [UInt8](written) == content { outcome = .unchanged }
        case .number(let text): outcome = rule.rewrite(number: text.span, into: &written)
        case .boolean: outcome = rule.rewrite(boolean: source.span, into: &written)
        case .array where rule.masksContainers, .object where rule.masksContainers:
            outcome = rule.rewrite(boolean: source.span, into: &written)
            for child in document.nodes[node].children { leaveOut(child.index) }
        case .array, .object, .null: outcome = .bad("expected \(rule.noun), found an object or array")
        }
        let verb = if case .date = rule.action { "date" } else { "value" }
        let before = rule.hidesValue ? "(hidden)" : Self.shown(String(decoding: source, as: UTF8.self))
        switch outcome {
        case .string:
            tree.setValue(of: node, to: JSONText.quoted([UInt8](written), plan.output.escapes).span)
            note(
                node, rule.pointer, "\(verb): \(before) -> \"\(Self.spelled([UInt8](written)))\"", kind: verb)
        case .token:
            tree.setValue(of: node, to: written.bytes)
            note(node, rule.pointer, "\(verb): \(before) -> \(Self.spelled([UInt8](written)))", kind: verb)
        case .embedded:
            tree.setValue(of: node, to: written.bytes)
            note(node, rule.pointer, "\(verb): \(before) -> the JSON that it holds", kind: "\(verb) JSON")
        case .unchanged, .names:
            if matches[node].rule >= 0 {
                note(node, rule.pointer, "\(verb): \(before) is kept", kind: "\(verb) kept")
            }
        case .bad(let message):
            let what = "\(verb): bad value: \(message)"
            if plan.policies.badValue == .error, matches[node].traits.contains(.searched) {
                doubts[node] = what
                return
            }
            if plan.policies.badValue == .error { noteFault(.badValue, at: node) }
            note(node, rule.pointer, what, staysTold: true)
            guard plan.policies.badValue == .null else { return }
            for child in document.nodes[node].children { leaveOut(child.index) }
            tree.setValue(of: node, to: Array("null".utf8).span)
        }
    }

    /// Writes a value as a string that contains its JSON text, inside which no rule applies.
    private mutating func writeAsText(_ node: Int, _ source: [UInt8], _ rule: ValueRule) {
        var written = ByteBuffer()
        guard minify(source, into: &written) else { return }
        for child in document.nodes[node].children { isLeftOut[child.index] = true }
        for child in tree.children(of: node) { tree.remove(child) }
        tree.setValue(of: node, to: JSONText.quoted([UInt8](written), plan.output.escapes).span)
        note(
            node, rule.pointer, "value: \(Self.shown(String(decoding: source, as: UTF8.self))) -> its JSON text",
            kind: "value text")
    }

    private func minify(_ content: [UInt8], into output: inout ByteBuffer) -> Bool {
        let options = OutputOptions(escapes: plan.output.escapes, sortKeys: plan.output.sortKeys)
        var embedded = EmbeddedText(options, plan.limits)
        return embedded.finish(content.span, into: &output) == .text
    }

    // MARK: Keep

    /// Removes the containers in which `keep` found nothing, and marks those that must be removed if they lose the values it found.
    private mutating func leaveOutSearched() {
        var holdsFound = [Bool](repeating: false, count: matches.count)
        // The same for found values that are left out: their containers always stay.
        var holdsLeftOut = holdsFound
        for node in matches.indices.reversed() where !isReplaced[node] {
            if holdsFound[node], let what = doubts[node] {
                noteFault(.badValue, at: node)
                note(node, plan.rules[Int(matches[node].rule)].pointer, what, staysTold: true)
            }
            let isBad = records[node] >= 0 && badRecords[records[node]] != nil
            if isBad, plan.records != .null || records[node] != node { continue }
            guard let parent = document.nodes[node].parent?.index else { continue }
            let traits = matches[node].traits
            let isSearched = !traits.isDisjoint(with: [.searched, .passed])
            // Below a value that another rule removes, only a match of the node itself counts.
            let isInert = matches[node].isDropped || keys.paths[matches[parent].state].isInert
            let isFound = traits.contains(.found) || (!isSearched && !isInert)
            if isFound || (holdsFound[node] && !isBad) { holdsFound[parent] = true }
            if (isFound && isLeftOut[node]) || (holdsLeftOut[node] && !isBad) { holdsLeftOut[parent] = true }
        }
        for node in matches.indices.dropFirst() {
            guard let parent = document.nodes[node].parent?.index, !isLeftOut[parent] else {
                isLeftOut[node] = true
                continue
            }
            guard !isLeftOut[node], matches[node].traits.contains(.searched) else { continue }
            if !holdsFound[node] { fall(node, keepRule(of: node), "keep: discarded, nothing in it is kept") }
            tree.nodes[node].isSearched = !holdsLeftOut[node]
        }
    }
}
