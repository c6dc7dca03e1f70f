/// All selectors of a profile, with the action of each.
package struct SelectorTable: Sendable {
    /// The action of a selector on a member, element or document that it matches.
    package enum Action: Sendable, Hashable {
        /// The rename at this index gives the output key.
        case rename(Int)
        /// The case rule does not change the key.
        case except
        /// Keys below this path stay unchanged.
        case opaque
        /// The value stays with everything in it, if `keep` removes others.
        case keep
        /// The value is removed with everything in it.
        case drop
        /// The requirement at this index must be met.
        case require(Int)
        /// The value is a record, which is removed if there is an error in it.
        case record
        /// The rule at this index acts on the value.
        case rule(Int)
        /// The move at this index starts and ends below this path.
        case anchor(Int)
        /// Only the members that the scope at this index keeps stay in the object.
        case scope(Int)
        /// The move at this index takes the value, or its members, to another path.
        case moveSource(Int)

        var rename: Int? { if case .rename(let index) = self { index } else { nil } }

        fileprivate var isMoveSource: Bool { if case .moveSource = self { true } else { false } }

        /// The move that starts, or starts and ends, below this path.
        fileprivate var move: Int? {
            switch self {
            case .anchor(let move), .moveSource(let move): move
            default: nil
            }
        }

        /// Actions that check the input also count in values that are removed.
        fileprivate var purpose: Purpose {
            switch self {
            case .require, .record: .input
            case .keep: .keep
            default: .output
            }
        }
    }

    struct PointerPattern: Sendable {
        var segments: [Selector.Segment]
        var rank: Int
        var action: Action
    }

    /// The purpose of a pointer, which decides where it is followed. Each has a tree, whose root is the case's number.
    enum Purpose: Int32, CaseIterable {
        case output, input, keep
    }

    struct NamePattern: Sendable {
        var selector: Selector
        var rank: Int
        var action: Action
    }

    package struct Rename: Sendable {
        package var target: NewKey
        /// JSON Pointer into the profile, to the rule.
        package var pointer: String
    }

    package struct Move: Sendable {
        var sourceNames: [[UInt8]]
        var targetNames: [[UInt8]]
        /// JSON Pointer into the profile, to the rule.
        package var pointer: String
        /// If set, the members of the value move instead of the value itself: into the object that contains it.
        package var flattening: Flattening?

        package init(sourceNames: [[UInt8]], targetNames: [[UInt8]], pointer: String, flattening: Flattening? = nil) {
            self.sourceNames = sourceNames
            self.targetNames = targetNames
            self.pointer = pointer
            self.flattening = flattening
        }

        /// Whether an object is replaced by its members. To undo that, its key is known.
        var flattens: Bool { flattening != nil && sourceNames.isEmpty }

        /// The keys from the anchor to the target; if `undone`, to the source.
        func names(undone: Bool) -> [[UInt8]] { undone ? sourceNames : targetNames }
    }

    /// How the members of a flattened object replace it, and which ones the inverse puts back.
    package struct Flattening: Sendable {
        /// The prefix of their output keys.
        package var prefix: [UInt8]
        /// The output keys of those that the inverse puts back, if there is no prefix.
        var names: Set<[UInt8]>

        package init(prefix: [UInt8], names: Set<[UInt8]>) {
            self.prefix = prefix
            self.names = names
        }

        /// The output key without the prefix, for a member that the inverse puts back; nil for any other.
        func rest(of name: [UInt8]) -> [UInt8]? {
            guard prefix.isEmpty else { return name.starts(with: prefix) ? Array(name[prefix.count...]) : nil }
            return names.contains(name) ? name : nil
        }
    }

    private(set) var pointers: [PointerPattern] = []
    /// The pointers by their segments.
    private(set) var tree = PointerTree()
    /// The pointers that end at a node, in their order.
    private(set) var ends: [Int32: [Int]] = [:]
    /// For a node: the requirements that have only keys after it, in their order; the array indices that can come after it; a filter of the
    /// keys after it; the keys after it that are renamed, by their new key.
    private(set) var requirementsBehind: [Int32: [Int]] = [:]
    private(set) var indicesBehind: [Int32: Set<Int>] = [:]
    private(set) var namesBehind: [Int32: NameFilter] = [:]
    private var renamesBehind: [Int32: [[UInt8]: Set<[UInt8]>]] = [:]
    /// The nodes through which the paths of moves lead, except to an object that is flattened.
    private(set) var routes: Set<Int32> = []
    /// The nodes of the objects in which moves take place.
    private(set) var anchors: Set<Int32> = []
    /// Bare keys without wildcards, by the key.
    private(set) var names: [[UInt8]: [NamePattern]] = [:]
    private(set) var nameFilter = NameFilter()
    /// Bare keys with wildcards.
    private(set) var wildNames: [NamePattern] = []
    /// The bare keys without wildcards that are renamed, by their new key.
    private(set) var namesRenamed: [[UInt8]: Set<[UInt8]>] = [:]
    package private(set) var renames: [Rename] = []
    package private(set) var moves: [Move] = []
    package private(set) var defaults = DefaultTree()
    /// The output keys of the paths to which moves take values, or to which undoing them takes values back.
    private(set) var movedNames = MemberNames()
    /// The least number of containers around the object in which a move takes place.
    private(set) var leastAnchorDepth = Int.max
    /// JSON Pointers into the profile, to each requirement.
    private(set) var requirements: [String] = []
    /// The rules that replace objects and arrays. No other rule acts inside these.
    private(set) var replacingRules: Set<Int32> = []
    package var document = PathAutomaton.DocumentPath()
    /// Whether only the values that `keep` names stay.
    private(set) var keeps = false
    /// The roots of the trees with the pointers of each scope of `keep`.
    private(set) var scopeRoots: [Int32] = []
    /// Whether `keep` names bare keys, which match at any depth.
    private(set) var keepsNames = false

    /// Whether the elements of an array have the array's own path, so that no segment names or skips them.
    package var passesArrays = false
    /// Whether targets of moves must be followed: to undo moves, or to refuse keys that look like moved ones.
    private(set) var followsTrails = false

    /// How many parts of selectors are tried on each new key of a payload; see `Selector.triedParts`.
    private(set) var triedParts = 0

    var hasRenames: Bool { !renames.isEmpty }
    /// Whether rules depend on more than the key.
    var changesOnTheWay: Bool { !pointers.isEmpty || !defaults.rules.isEmpty || removesUnkept || unwraps }
    /// Whether `keep` removes something.
    package var removesUnkept: Bool { keeps || !scopeRoots.isEmpty }
    /// Whether all moves flatten objects, each of which a pointer names by its own key. Then no two flattened objects in one object have
    /// the same path.
    var onlyFlattens: Bool {
        !moves.isEmpty && moves.allSatisfy { $0.flattening != nil }
            && !pointers.contains { $0.action.isMoveSource && $0.segments.last == .anyOne }
    }
    /// The input key of the object that a move flattens, in a plan with `onlyFlattens`.
    func flattenedKey(by move: Int) -> [UInt8] {
        pointers.first { $0.action == .moveSource(move) }?.segments.last?.name ?? []
    }
    /// Whether a move or `defaults` may put a member with this output key into an object.
    func placesMember(named name: [UInt8]) -> Bool { movedNames[name] != nil || defaults.addedNames.contains(name) }
    /// Whether `defaults` may look for a member by `*` inside a value that a move takes along.
    var defaultsSearchMovedValues: Bool { defaults.mostFollowed > leastAnchorDepth }
    /// Whether values are removed by their paths.
    private(set) var drops = false
    /// Whether a value inside the payload becomes the document.
    package var unwraps: Bool { !document.payloadNames.isEmpty }
    /// Whether containers must be checked for absent members.
    var hasContracts: Bool { !requirements.isEmpty || !defaults.rules.isEmpty }

    /// The selectors that match members with this key wherever they are.
    func patterns(of name: [UInt8]) -> [NamePattern] {
        let named = names[name] ?? []
        return wildNames.isEmpty ? named : named + wildNames.filter { $0.selector.matchesName(name) }
    }

    /// Whether there is such a selector.
    func matches(_ name: [UInt8]) -> Bool {
        names[name] != nil || wildNames.contains { $0.selector.matchesName(name) }
    }

    package init() {
        for _ in Purpose.allCases { _ = tree.addRoot() }
    }

    /// The trees after those of the purposes belong to the scopes of `keep`.
    func purpose(of node: Int32) -> Purpose { Purpose(rawValue: tree.nodes[Int(node)].root) ?? .keep }

    /// The keys that pointers rename to `target`, in a container at this node.
    package func names(renamedTo target: [UInt8], behind node: Int32) -> Set<[UInt8]>? { renamesBehind[node]?[target] }

    package mutating func add(_ selector: Selector, _ action: Action) {
        switch selector.form {
        case .pointer(let segments): add(segments, rank: selector.rank, action, at: action.purpose.rawValue)
        case .name:
            let pattern = NamePattern(selector: selector, rank: selector.rank, action: action)
            if let name = selector.literalName {
                names[name, default: []].append(pattern)
                nameFilter.insert(name)
            } else {
                wildNames.append(pattern)
            }
            if action == .keep { keepsNames = true }
        }
        if action == .keep { keeps = true }
        if action == .drop { drops = true }
        triedParts += selector.triedParts
    }

    /// Keeps only these members of the objects that `selector` matches. Each member is a path of keys from the object.
    package mutating func add(scope selector: Selector, keeping members: [[Selector.Segment]]) {
        let root = tree.addRoot()
        scopeRoots.append(root)
        for member in members { add(member, rank: 0, .keep, at: root) }
        add(selector, .scope(scopeRoots.count - 1))
    }

    private mutating func add(_ segments: [Selector.Segment], rank: Int, _ action: Action, at root: Int32) {
        let pattern = pointers.count
        pointers.append(PointerPattern(segments: segments, rank: rank, action: action))
        let firstNamed = (segments.lastIndex(of: .anyOne) ?? -1) + 1
        let isRoute = action.move.map { !moves[$0].flattens } ?? false
        var node = root
        for (index, segment) in segments.enumerated() {
            if isRoute { routes.insert(node) }
            let (before, count) = (node, tree.nodes.count)
            node = tree.extend(before, by: segment)
            guard case .literal(let name) = segment else { continue }
            if node == count { noteName(name, behind: before) }
            if case .require = action, index >= firstNamed { requirementsBehind[before, default: []].append(pattern) }
            if case .rename(let rename) = action, index == segments.count - 1,
                let key = renames[rename].target.literal
            {
                renamesBehind[before, default: [:]][key, default: []].insert(name)
            }
        }
        if case .anchor = action { anchors.insert(node) }
        // A repeated selector with the same action changes nothing.
        if let last = ends[node]?.last, pointers[last].action == action { return }
        ends[node, default: []].append(pattern)
    }

    private mutating func noteName(_ name: [UInt8], behind node: Int32) {
        namesBehind[node, default: NameFilter()].insert(name)
        if Selector.isIndex(name), let index = Int(String(decoding: name, as: UTF8.self)) {
            indicesBehind[node, default: []].insert(index)
        }
    }

    /// Notes that the rule at this index replaces the value, so that only `keep` looks into it.
    package mutating func noteReplacing(rule: Int) { replacingRules.insert(Int32(rule)) }

    /// Renames the keys that `selector` matches to `target`; `pointer` leads to the rule in the profile.
    package mutating func add(rename selector: Selector, to target: NewKey, pointer: String) {
        renames.append(Rename(target: target, pointer: pointer))
        if let name = selector.literalName, let key = target.literal { namesRenamed[key, default: []].insert(name) }
        add(selector, .rename(renames.count - 1))
    }

    package mutating func add(requirement selector: Selector, pointer: String) {
        requirements.append(pointer)
        add(selector, .require(requirements.count - 1))
    }

    /// Adds a move. If `guardsTargets`, the targets of moves are followed, too.
    package mutating func add(
        _ move: Move, from source: Selector, below anchor: [Selector.Segment], guardsTargets: Bool
    ) {
        add(move, below: anchor, names: move.targetNames)
        add(source, .moveSource(moves.count - 1))
        followsTrails = guardsTargets
    }

    /// Adds the undoing of a move, from its target back to its source.
    package mutating func add(undoing move: Move, below anchor: [Selector.Segment]) {
        add(move, below: anchor, names: move.sourceNames)
        followsTrails = true
    }

    /// Replaces the object at `object` by its members.
    package mutating func add(_ flattening: Flattening, of object: Selector, pointer: String) {
        let segments = object.pointerSegments
        let move = Move(sourceNames: [], targetNames: [], pointer: pointer, flattening: flattening)
        add(move, below: segments.dropLast(), names: [])
        add(object, .moveSource(moves.count - 1))
    }

    /// Puts members back into the object with the last of these keys. The object of each key is in that of the key before.
    ///
    /// Members that were flattened twice go back twice: after the entry for the object alone, there is one for each object around it.
    package mutating func add(
        undoing flattening: Flattening, of names: [[UInt8]], below anchor: [Selector.Segment], pointer: String
    ) {
        for level in names.indices.reversed() {
            let move = Move(
                sourceNames: Array(names[level...]), targetNames: [], pointer: pointer, flattening: flattening)
            if level == names.count - 1 { add(move, below: anchor, names: names) } else { moves.append(move) }
        }
        followsTrails = true
    }

    private mutating func add(_ move: Move, below anchor: [Selector.Segment], names: [[UInt8]]) {
        moves.append(move)
        leastAnchorDepth = min(leastAnchorDepth, anchor.count)
        for name in names { movedNames.insert(name) }
        add(anchor, rank: 0, .anchor(moves.count - 1), at: Purpose.output.rawValue)
    }

    package mutating func add(default segments: [Selector.Segment], value: JSONDocument) {
        defaults.add(DefaultTree.Rule(segments: segments, value: value))
    }
}
