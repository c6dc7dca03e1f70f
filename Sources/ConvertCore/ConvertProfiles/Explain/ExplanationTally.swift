import ConvertEngine

// A tally has two shapes: one has the payload's paths, one those of the output. Selectors always name the profile's input. That
// is the payload's shape forward, and the output's for the inverse direction.

/// The effects of a profile on one or more payloads: similar ones are counted together, and each rule has the nodes it affected.
struct ExplanationTally {
    let profile: Profile
    let direction: Profile.Direction
    let labels: RuleLabels
    private(set) var payload = PayloadShape()
    private(set) var output = PayloadShape()
    private(set) var groups: [Explanation.Group] = []
    /// The index of a group by what is equal in all effects that are counted together: both nodes, the rule, and what it does.
    private var groupIndices: [[UInt8]: Int] = [:]
    /// The nodes of `named` that each rule affected.
    private(set) var acting: [String: Set<Int>] = [:]
    /// The rule that discarded the value, for each node of `named` that lost one.
    private(set) var discarding: [Int: String] = [:]
    /// The node of `named` that belongs to a node of `other`.
    private(set) var counterparts: [Int: Int] = [:]
    /// The `flatten` rules. They remove an object and keep its members, so they do not count as discarding.
    private let flattening: Set<String>
    /// Whether there was any payload.
    private(set) var isEmpty = true

    init(_ profile: Profile, _ direction: Profile.Direction) {
        self.profile = profile
        self.direction = direction
        labels = RuleLabels(profile)
        flattening = Set(profile.flattens.map { $0.location.pointer })
    }

    /// The shape whose paths selectors name, and the other one.
    var named: PayloadShape { direction == .forward ? payload : output }
    var other: PayloadShape { direction == .forward ? output : payload }

    mutating func add(_ explained: consuming ExplainedPayload) {
        isEmpty = false
        let inputs = addPayload(explained.document)
        let outputs = addOutput(explained)
        for (node, input) in inputs.enumerated() {
            guard let index = outputs[node] else { continue }
            let (own, others) = direction == .forward ? (input, index) : (index, input)
            if counterparts[others] == nil { counterparts[others] = own }
        }
        let pointers = explained.outputPointers()
        for note in explained.effects() {
            let input = inputs.indices.contains(note.node) ? inputs[note.node] : -1
            let output = outputs[note.node] ?? -1
            let index = direction == .forward ? input : output
            if index >= 0 {
                acting[note.rule, default: []].insert(index)
                if output < 0, !flattening.contains(note.rule) { discarding[index] = note.rule }
            } else {
                acting[note.rule] = acting[note.rule] ?? []
            }
            count(
                note, from: input, to: output, below: direction == .forward ? explained.wrapPointer : "",
                input >= 0 ? explained.document.pointer(to: .init(index: note.node)) : nil, pointers[note.node])
        }
    }

    /// Adds a line that is discarded as a whole.
    mutating func addDiscarded(_ code: ConversionError.Code) {
        let isNull = profile.records?.onError == .null
        let note = ExplainedPayload.Note(
            node: HeldTree.root, rule: "/records",
            what: "record: \(isNull ? "becomes null" : "discarded") (\(code.rawValue))")
        let output = isNull ? PayloadShape.root : -1
        count(note, from: PayloadShape.root, to: output, "", isNull ? "" : nil)
    }

    /// Counts an effect from one node to another; -1 if it has no path there.
    private mutating func count(
        _ note: ExplainedPayload.Note, from input: Int, to output: Int, below wrapText: String = "",
        _ inputPointer: @autoclosure () -> String?, _ outputPointer: @autoclosure () -> String?
    ) {
        // The length of the rule separates it from what it does.
        let key = Array("\(input) \(output) \(note.rule.utf8.count) \(note.rule)\(note.kind ?? note.what)".utf8)
        guard let index = groupIndices[key] else {
            groupIndices[key] = groups.count
            groups.append(
                Explanation.Group(
                    input: inputPointer(), output: outputPointer(), rule: note.rule, label: labels[note.rule],
                    what: note.what))
            return
        }
        groups[index].count += 1
        if groups[index].count == 2 {
            groups[index].input = input >= 0 ? payload.path(to: input) : nil
            groups[index].output = output >= 0 ? wrapText + self.output.path(to: output) : nil
        }
        if groups[index].what != note.what { groups[index].isVaried = true }
    }

    /// Adds the paths of a payload. Returns the node in `payload` for each node of the document.
    private mutating func addPayload(_ document: JSONDocument) -> [Int] {
        var indices: [Int] = []
        for node in document.nodes {
            let parent = node.parent.map { indices[$0.index] } ?? PayloadShape.root
            let index =
                switch node.step {
                case .root: PayloadShape.root
                case .index(let index): payload.element(index, of: parent)
                case .member(let name, _): payload.member(name, of: parent)
                }
            payload.note(index, isNull: node.kind == .null)
            indices.append(index)
        }
        return indices
    }

    /// Adds the paths of an output. Returns the node in `output` for the number of each remaining value.
    private mutating func addOutput(_ explained: borrowing ExplainedPayload) -> [Int: Int] {
        var start = PayloadShape.root
        // The paths of selectors begin inside the object that `wrap` makes, but outside of the value that `unwrap` takes.
        for name in direction == .forward ? [] : explained.plan.wrapText.names {
            output.note(start, isNull: false)
            start = output.member(name, of: start)
        }
        var indices = [explained.number(of: HeldTree.root): start]
        var waiting = [HeldTree.root]
        while let container = waiting.popLast() {
            let parent = indices[explained.number(of: container)] ?? PayloadShape.root
            let isArray = explained.tree.nodes[container].kind == .array
            output.note(parent, isNull: false)
            for (position, child) in explained.tree.children(of: container).enumerated() {
                let index =
                    isArray
                    ? output.element(position, of: parent) : output.member(explained.tree.name(of: child), of: parent)
                let number = explained.number(of: child)
                let isNull = number < explained.document.nodes.count && explained.document.nodes[number].kind == .null
                output.note(index, isNull: isNull)
                indices[number] = index
                if explained.tree.nodes[child].kind != .scalar { waiting.append(child) }
            }
        }
        return indices
    }
}
