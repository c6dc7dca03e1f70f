import ConvertText

/// Follows a plan from path to path without a payload, for descriptions of payloads such as JSON Schemas.
///
/// Paths are valid only for the lookup that made them.
package struct PlanPaths: ~Copyable {
    /// The path of a value, as far as the plan distinguishes it from other paths.
    package struct Path: Hashable, Sendable {
        let state: Int32
        /// The index of the rule for the value in the plan's `rules`, or -1.
        package let rule: Int
        let traits: PathAutomaton.Traits

        fileprivate init(_ match: PathAutomaton.Match) {
            (state, rule, traits) = (match.state, Int(match.rule), match.traits)
        }

        private init(state: Int32, rule: Int, traits: PathAutomaton.Traits) {
            (self.state, self.rule, self.traits) = (state, rule, traits)
        }

        /// The same path without the rule for the value itself, as for a value that the rule leaves unchanged.
        package var withoutRule: Path { Path(state: state, rule: -1, traits: traits) }

        /// Whether only an object or array stays here, because `keep` names something inside.
        package var keepsContainersOnly: Bool { !traits.isDisjoint(with: [.passed, .searched]) }
        /// Whether the value stays only if something inside stays.
        package var isSearched: Bool { traits.contains(.searched) }
        package var isRecord: Bool { traits.contains(.record) }
        /// Whether a move or `flatten` starts and ends inside the value.
        package var isAnchor: Bool { traits.contains(.anchor) }
        /// Whether the object is removed if the inverse of a move leaves it empty.
        package var isRemovedIfEmpty: Bool { traits.contains(.trail) }
    }

    /// The plan's decision on a member, or on an element.
    package struct Member: Sendable {
        package let path: Path
        /// The output key; for an element, it is empty.
        package let name: [UInt8]
        package let isDropped: Bool
        /// The index of the move that takes the value away, in the plan's `selectors.moves`; or -1.
        package let move: Int
        /// Whether the inverse direction would give the member another key. Only plans that know the case of input keys tell.
        package let isLossy: Bool
    }

    /// Which members of an object a decision is about.
    package enum Others: Sendable {
        /// Those whose keys no selector names.
        case unnamed
        /// The one with the key.
        case named
        /// Those that match a pattern. The key is an example.
        case pattern
    }

    /// The most keys that `others(of:)` tries.
    private static let maxTriedNames = 256

    package let plan: Plan
    private var keys: KeyMapper
    /// The keys that key selectors and pointers name, and an example for each pattern of a key.
    private let names, pointerNames, exampleNames: [[UInt8]]
    /// The converter of single values, without containers around the document. Its path states are its own: it may empty them.
    private var values: UniqueBox<Engine>

    package init(_ plan: Plan) {
        self.plan = plan
        let table = plan.selectors
        names = table.names.keys.sorted { $0.lexicographicallyPrecedes($1) }
        pointerNames = table.tree.names.all
        exampleNames = table.wildNames.map { $0.selector.exampleName }
        keys = KeyMapper(plan, lettingKeysPass: false)
        values = UniqueBox(Engine(plan, documentDepth: 0))
    }

    /// Whether so many paths were followed that no more should be.
    package var isFull: Bool { keys.paths.isFull }

    /// The path of the document, inside of the objects that `unwrap` removes.
    package var document: Path { Path(keys.paths.documentMatch) }

    /// The decision on the member with this input key of an object.
    package mutating func member(_ name: [UInt8], of object: Path) -> Member {
        let holdsLoneSurrogate = String(validating: name, as: UTF8.self) == nil
        let resolution = keys.resolution(of: name, object.state, holdsLoneSurrogate: holdsLoneSurrogate)
        let restores = !plan.isInverse && (plan.sourceCaseRule != nil || plan.caseRule == nil)
        let loss = restores ? keys.loss(of: name, as: resolution, object.state, holdsLoneSurrogate) : nil
        var match = resolution.match
        if match.move >= 0 {
            // Defaults name paths of the output, and the value leaves this one.
            var state = keys.paths[match.state]
            state.defaultItems = []
            match.state = keys.paths.identifier(of: state)
        }
        return Member(
            path: Path(match), name: resolution.output ?? name, isDropped: match.isDropped, move: Int(match.move),
            isLossy: loss != nil)
    }

    /// The decisions on the members of an object that are not in `known`, first those on members that no selector names.
    package mutating func others(
        of object: Path, without known: Set<[UInt8]>
    ) -> [(which: Others, member: Member)] {
        // No key is spelled like this, because it is not UTF-8.
        var found = [(which: Others.unnamed, member: member([UInt8.max], of: object))]
        let items = keys.paths[object.state].items
        let tree = plan.selectors.tree
        let following = pointerNames.filter { tree.names($0, from: items) }
        var tried = (names + following).map { (which: Others.named, name: $0) }
        tried += exampleNames.map { (which: Others.pattern, name: $0) }
        for (which, name) in tried.prefix(Self.maxTriedNames) {
            // The inverse reads keys that the forward direction wrote.
            let written = plan.isInverse ? keys.forwardResolution(of: name, object.state, false).output ?? name : name
            if !known.contains(written) { found.append((which, member(written, of: object))) }
        }
        return found
    }

    /// Whether all keys of an object stay as they are, whatever they are.
    package mutating func keepsKeys(of object: Path) -> Bool {
        let state = keys.paths[object.state]
        if state.isOpaque || state.isInert { return state.trails.isEmpty }
        let isRecased = plan.isInverse ? plan.sourceCaseRule != nil : plan.caseRule != nil
        return !isRecased && !plan.selectors.hasRenames && plan.selectors.moves.isEmpty
    }

    /// The decisions on the elements of an array: first for those whose index no selector names, then for each such index.
    package mutating func elements(of array: Path) -> (others: Member, named: [(index: Int, element: Member)]) {
        let elements = keys.paths.elements(of: array.state)
        let indices = elements.namingIndices.reduce(into: Set<Int>()) {
            $0.formUnion(plan.selectors.indicesBehind[$1] ?? [])
        }
        let named = indices.sorted().compactMap { index in
            keys.paths.namedElement(index, of: array.state).map { (index: index, element: Self.element($0)) }
        }
        return (Self.element(elements.match), named)
    }

    private static func element(_ match: PathAutomaton.Match) -> Member {
        Member(path: Path(match), name: [], isDropped: match.isDropped, move: -1, isLossy: false)
    }

    /// The members that `defaults` adds to an object: each output key, and the text of a JSON object with the member.
    package mutating func additions(to object: Path) -> [(name: [UInt8], member: [UInt8])] {
        guard !keys.paths[object.state].defaultItems.isEmpty else { return [] }
        return keys.paths.contract(of: object.state).additions.map { addition in
            let text = keys.paths.spelledAdditions([addition.name], of: object.state)?.first?.text ?? []
            return (addition.name, [ASCII.openBrace] + text.dropFirst() + [ASCII.closeBrace])
        }
    }

    /// Converts a value that is at a path; without the objects that `wrap` puts around the document. The value itself stays, as a
    /// document does, also if `keep` finds nothing in it.
    ///
    /// - Throws: the first error.
    package mutating func convert(_ value: [UInt8], at path: Path) throws(ConversionError) -> [UInt8] {
        if values.value.keys.paths.isFull { values = UniqueBox(Engine(plan, documentDepth: 0)) }
        values.value.reset()
        // An object around it is not there, so it is not flattened either.
        var own = keys.paths[path.state]
        if own.flattenings != nil { own.flattenings = [] }
        let state = values.value.keys.paths.identifier(of: PathAutomaton.HashedState(own))
        values.value.containers.top = Container(kind: .payload, state: state)
        (values.value.valueState, values.value.valueRule, values.value.valueTraits) = (
            state, Int32(path.rule), path.traits.subtracting([.searched, .passed, .trail, .moved])
        )
        var written = ByteBuffer(capacity: value.count + 64)
        try values.value.finish(value.span, into: &written)
        let start = plan.wrapText.beginning.count
        var formatter = OutputFormatter(OutputOptions(escapes: plan.output.escapes))
        formatter.text.append(written.bytes.extracting(start..<(written.count - plan.wrapText.end.count)))
        var output = ByteBuffer(capacity: written.count)
        formatter.write(into: &output)
        return Array(output)
    }
}

/// A move of a plan, from one path below an object to another one.
package struct PlannedMove: Sendable {
    /// The keys of the payload that lead from the object to the value, and the output keys to its new path.
    package let source, target: [[UInt8]]
    /// JSON Pointer into the profile, to the rule.
    package let rule: String
}

/// A `flatten` of a plan, for a member with its index.
package struct PlannedFlattening: Sendable {
    /// In the forward direction, the prefix of the new keys.
    package let prefix: [UInt8]
    /// In the inverse direction, the output keys of the objects into which the member goes back, outermost first.
    package let objects: [[UInt8]]
    /// JSON Pointer into the profile, to the rule.
    package let rule: String
}

extension PlanPaths {
    /// The number of moves and flattened objects.
    package var moveCount: Int { plan.selectors.moves.count }

    /// The move at this index; nil if it is a `flatten`.
    package func move(_ index: Int) -> PlannedMove? {
        let move = plan.selectors.moves[index]
        guard move.flattening == nil else { return nil }
        return plan.isInverse
            ? PlannedMove(source: move.targetNames, target: move.sourceNames, rule: move.pointer)
            : PlannedMove(source: move.sourceNames, target: move.targetNames, rule: move.pointer)
    }

    /// The `flatten` at this index; nil if it is a move.
    package func flattening(_ index: Int) -> PlannedFlattening? {
        let move = plan.selectors.moves[index]
        guard let flattening = move.flattening else { return nil }
        return PlannedFlattening(
            prefix: plan.isInverse ? [] : flattening.prefix, objects: move.sourceNames, rule: move.pointer)
    }
}

extension Plan {
    /// The keys that lead to the document in the payload, which `unwrap` takes out of them; and the rule.
    package var documentPath: (names: [[UInt8]], rule: String) {
        (selectors.document.payloadNames, selectors.document.rule)
    }

    /// Whether members may be removed, or added, beside those that a move takes to another path.
    package var removesMembers: Bool { selectors.drops || selectors.removesUnkept || prune.isActive || sparesRecords }
    package var addsMembers: Bool { !selectors.defaults.rules.isEmpty }
}
