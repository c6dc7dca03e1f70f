package import ConvertEngine

/// The rules of one profile that act on each value of a payload, to explain where its output differs from another
/// profile's.
package struct RuleTrace {
    private let document: JSONDocument
    private let labels: RuleLabels
    /// By node of the payload, or of a value that the profile added.
    private let notes: [Int: [ExplainedPayload.Note]]
    /// The pointers into the output of the nodes that are left, and the nodes by these pointers.
    private let pointers: [Int: String]
    private let nodes: [String: Int]

    /// - Parameter document: a payload that the plan converts. Nil if it is too long for the plan's limits as a whole.
    package init?(_ profile: Profile, _ plan: Plan, on document: JSONDocument) {
        var explained = ExplainedPayload(profile, plan, document)
        if explained.isTooLong { return nil }
        var notes: [Int: [ExplainedPayload.Note]] = [:]
        for note in explained.effects() { notes[note.node, default: []].append(note) }
        self.notes = notes
        pointers = explained.outputPointers()
        // If a key occurs twice, a rule may have removed the later one.
        var nodes: [String: Int] = [:]
        for (node, pointer) in pointers { nodes[pointer] = max(node, nodes[pointer] ?? node) }
        self.nodes = nodes
        labels = RuleLabels(profile)
        self.document = document
    }

    /// The label of the rule at a pointer into a profile, such as `rename "/orders/*/createdAt"`.
    package static func label(of rule: String, in profile: Profile) -> String { RuleLabels(profile)[rule] }

    /// The rules of two profiles that act on one value of the same payload, as labels. Nil for a profile without a rule
    /// there. A rule that does the same in both profiles is named only if there is no other in any of them.
    ///
    /// - Parameters:
    ///   - oldPointer: RFC 6901 pointer to the value in the output of `old`; nil if it has no such value.
    ///   - newPointer: the same for `new`. At least one of the two is not nil.
    package static func rules(
        old: RuleTrace, _ oldPointer: String?, new: RuleTrace, _ newPointer: String?
    ) -> (old: String?, new: String?) {
        let oldNode = oldPointer.flatMap { old.nodes[$0] }
        let newNode = newPointer.flatMap { new.nodes[$0] }
        var oldNotes = old.notes(on: oldNode ?? old.ofPayload(newNode))
        var newNotes = new.notes(on: newNode ?? new.ofPayload(oldNode))
        // A value that both outputs have differs by rules for values, and a path by all others.
        let isPath = oldPointer == nil || newPointer == nil
        if isPath || (oldNotes + newNotes).contains(where: isAboutValue) {
            oldNotes.removeAll { isAboutValue($0) == isPath }
            newNotes.removeAll { isAboutValue($0) == isPath }
        }
        func isIn(_ notes: [ExplainedPayload.Note]) -> (ExplainedPayload.Note) -> Bool {
            { note in notes.contains { $0.rule == note.rule && $0.what == note.what } }
        }
        let (oldOwn, newOwn) = (oldNotes.filter { !isIn(newNotes)($0) }, newNotes.filter { !isIn(oldNotes)($0) })
        if !oldOwn.isEmpty || !newOwn.isEmpty { (oldNotes, newNotes) = (oldOwn, newOwn) }
        return (oldNotes.first.map { old.labels[$0.rule] }, newNotes.first.map { new.labels[$0.rule] })
    }

    /// Whether the note's rule is one for values, in `dates` or `values`.
    private static func isAboutValue(_ note: ExplainedPayload.Note) -> Bool {
        note.rule.utf8.starts(with: "/dates".utf8) || note.rule.utf8.starts(with: "/values".utf8)
    }

    /// A node of the other trace, if it is one of the payload. Only these are the same in both.
    private func ofPayload(_ node: Int?) -> Int? { node.flatMap { $0 < document.nodes.count ? $0 : nil } }

    /// The notes on a node. If it was removed with a container of it, these are the container's.
    private func notes(on node: Int?) -> [ExplainedPayload.Note] {
        var current = node
        while let node = current {
            if let notes = notes[node] { return notes }
            guard pointers[node] == nil, node < document.nodes.count else { return [] }
            current = document.nodes[node].parent?.index
        }
        return []
    }
}
