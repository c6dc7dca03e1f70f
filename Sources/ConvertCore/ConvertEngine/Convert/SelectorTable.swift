/// All selectors of a profile with what each does to the place it matches.
package struct SelectorTable: Sendable {
    /// What a selector does to the place it matches.
    package enum Action: Sendable, Hashable {
        /// The rename at this index gives the name.
        case rename(Int)
        /// The case rule leaves the name.
        case except
        /// Below the place no name is touched.
        case opaque
        /// The place and all below it stay, where something is kept at all.
        case keep
        /// The place and all below it are left out.
        case drop
        /// The requirement at this index must be met.
        case require(Int)
        /// The place is a record, which a fault inside leaves out.
        case record
        /// The rule at this index acts on the value.
        case rule(Int)
        /// The moves at this index start and end below the place.
        case anchor(Int)
        /// Only what the scope at this index keeps stays of the object.
        case scope(Int)
        /// The value goes where the move at this index says, or what is in it does.
        case moveSource(Int)

        /// Whether it says something of all that is below the place.
        var reachesBelow: Bool {
            switch self {
            case .opaque, .keep: true
            default: false
            }
        }

        /// What is for the input as it is counts in places that are left out, too.
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

    /// What a pointer is for, as far as that decides where it is followed: each kind has a tree, whose root is the case's number.
    enum Purpose: Int32, CaseIterable {
        case output, input, keep
    }

    struct NamePattern: Sendable {
        var selector: Selector
        var rank: Int
        var action: Action
    }

    package struct Rename: Sendable {
        /// UTF-8, unescaped.
        var target: [UInt8]
        /// JSON Pointer into the profile.
        package var pointer: String
    }

    package struct Move: Sendable {
        var sourceNames: [[UInt8]]
        var targetNames: [[UInt8]]
        /// JSON Pointer into the profile.
        package var pointer: String
        /// Has not the value move but the members of it: to where it is itself.
        package var flattening: Flattening?

        package init(sourceNames: [[UInt8]], targetNames: [[UInt8]], pointer: String, flattening: Flattening? = nil) {
            self.sourceNames = sourceNames
            self.targetNames = targetNames
            self.pointer = pointer
            self.flattening = flattening
        }
    }

    /// How the members of an object take its place, and which ones come back.
    package struct Flattening: Sendable {
        /// What their output names begin with.
        package var prefix: [UInt8]
        /// The output names of those that come back, where no prefix tells.
        var names: Set<[UInt8]>

        package init(prefix: [UInt8], names: Set<[UInt8]>) {
            self.prefix = prefix
            self.names = names
        }

        /// What is left of the output name of a member that comes back; nil for any other.
        func rest(of name: [UInt8]) -> [UInt8]? {
            guard prefix.isEmpty else { return name.starts(with: prefix) ? Array(name[prefix.count...]) : nil }
            return names.contains(name) ? name : nil
        }
    }

    /// A member that is added where it is absent, by output names.
    package struct Default: Sendable {
        var segments: [Selector.Segment]
        var value: JSONDocument

        /// How long the value is where the profile writes it.
        var sourceBytes: Int { value[JSONDocument.root].end - value[JSONDocument.root].start }
    }

    private(set) var pointers: [PointerPattern] = []
    /// The pointers by their segments.
    private(set) var tree = PointerTree()
    /// The pointers that end at a node, in their order.
    private(set) var ends: [Int32: [Int]] = [:]
    /// By the node that leads on: the requirements from which only names lead on, in their order; the indices that may be names, and
    /// of which names something is known; what names are renamed to.
    private(set) var requirementsBehind: [Int32: [Int]] = [:]
    private(set) var indicesBehind: [Int32: Set<Int>] = [:]
    private(set) var namesBehind: [Int32: NameFilter] = [:]
    private var renamesBehind: [Int32: [[UInt8]: Set<[UInt8]>]] = [:]
    /// Bare names without wildcards, by the name.
    private(set) var names: [[UInt8]: [NamePattern]] = [:]
    private(set) var nameFilter = NameFilter()
    /// Bare names with wildcards.
    private(set) var wildNames: [NamePattern] = []
    /// The bare names without wildcards that are renamed, by what they become.
    private(set) var namesRenamed: [[UInt8]: Set<[UInt8]>] = [:]
    package private(set) var renames: [Rename] = []
    package private(set) var moves: [Move] = []
    package private(set) var defaults = DefaultTree()
    /// The output names that lead to where moves put something, or undoing them puts it back.
    private(set) var movedNames = MemberNames()
    /// JSON Pointers into the profile, to each requirement.
    private(set) var requirements: [String] = []
    /// The rules that put something in the place of objects and arrays, in which no other rule acts then.
    private(set) var replacingRules: Set<Int32> = []
    /// Where the document is.
    package var document = PathAutomaton.DocumentPlace()
    /// Whether only named places stay.
    private(set) var keeps = false
    /// Where the pointers of each scope of `keep` begin.
    private(set) var scopeRoots: [Int32] = []
    /// Whether some of these are named at any depth.
    private(set) var keepsNames = false

    /// Whether it counts where moves put things: for undoing them, or for refusing what could not be told from them.
    private(set) var followsTrails = false

    /// How many parts of selectors are tried on each name that a payload shows first; see `Selector.triedParts`.
    private(set) var triedParts = 0

    /// Whether what acts on a place may depend on its name alone.
    var matchesNames: Bool { !names.isEmpty || !wildNames.isEmpty }
    var hasRenames: Bool { !renames.isEmpty }
    /// Whether what acts on a place depends on more than its name.
    var changesOnTheWay: Bool { !pointers.isEmpty || !defaults.rules.isEmpty || removesUnkept || unwraps }
    /// Whether `keep` leaves something out.
    package var removesUnkept: Bool { keeps || !scopeRoots.isEmpty }
    /// Whether something in the payload becomes the document.
    package var unwraps: Bool { !document.payloadNames.isEmpty }
    /// Whether containers must be looked at for members that are missing.
    var hasContracts: Bool { !requirements.isEmpty || !defaults.rules.isEmpty }

    /// Whether something acts on members of this name wherever they are.
    func matches(_ name: [UInt8]) -> Bool {
        names[name] != nil || wildNames.contains { $0.selector.matchesName(name) }
    }

    package init() {
        for _ in Purpose.allCases { _ = tree.addRoot() }
    }

    /// The trees behind the first ones are those of the scopes.
    func purpose(of node: Int32) -> Purpose { Purpose(rawValue: tree.nodes[Int(node)].root) ?? .keep }

    /// The names that a pointer renames to another one, at the node that leads to them.
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
        triedParts += selector.triedParts
    }

    /// Has only these members of what `selector` names stay, each by the names that lead to it.
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
        var node = root
        for (index, segment) in segments.enumerated() {
            let (before, count) = (node, tree.nodes.count)
            node = tree.extend(before, by: segment)
            guard case .literal(let name) = segment else { continue }
            if node == count { noteName(name, behind: before) }
            if case .require = action, index >= firstNamed { requirementsBehind[before, default: []].append(pattern) }
            if case .rename(let rename) = action, index == segments.count - 1 {
                renamesBehind[before, default: [:]][renames[rename].target, default: []].insert(name)
            }
        }
        // The same again changes nothing.
        if let last = ends[node]?.last, pointers[last].action == action { return }
        ends[node, default: []].append(pattern)
    }

    private mutating func noteName(_ name: [UInt8], behind node: Int32) {
        namesBehind[node, default: NameFilter()].insert(name)
        if Selector.isIndex(name), let index = Int(String(decoding: name, as: UTF8.self)) {
            indicesBehind[node, default: []].insert(index)
        }
    }

    /// Has nothing but `keep` look into what the rule at this index acts on.
    package mutating func noteReplacing(rule: Int) { replacingRules.insert(Int32(rule)) }

    /// Renames what `selector` names to `target`; `pointer` leads to the rule in the profile.
    package mutating func add(rename selector: Selector, to target: [UInt8], pointer: String) {
        renames.append(Rename(target: target, pointer: pointer))
        if let name = selector.literalName { namesRenamed[target, default: []].insert(name) }
        add(selector, .rename(renames.count - 1))
    }

    package mutating func add(requirement selector: Selector, pointer: String) {
        requirements.append(pointer)
        add(selector, .require(requirements.count - 1))
    }

    /// Adds a move; `guardsTargets` follows where moves put things, too.
    package mutating func add(
        _ move: Move, from source: Selector, below anchor: [Selector.Segment], guardsTargets: Bool
    ) {
        add(move, below: anchor, names: move.targetNames)
        add(source, .moveSource(moves.count - 1))
        followsTrails = guardsTargets
    }

    /// Adds the way back from where a move puts things.
    package mutating func add(undoing move: Move, below anchor: [Selector.Segment]) {
        add(move, below: anchor, names: move.sourceNames)
        followsTrails = true
    }

    /// Has the members of the object at `place` take its place.
    package mutating func add(_ flattening: Flattening, of place: Selector, pointer: String) {
        let segments = place.pointerSegments
        let move = Move(sourceNames: [], targetNames: [], pointer: pointer, flattening: flattening)
        add(move, below: segments.dropLast(), names: [])
        add(place, .moveSource(moves.count - 1))
    }

    /// Has members go back into the object at the last of these places, each of which is in the one before.
    ///
    /// What was flattened twice goes back twice: behind the entry for the object alone comes one for each object around it.
    package mutating func add(
        undoing flattening: Flattening, of names: [[UInt8]], below anchor: [Selector.Segment], pointer: String
    ) {
        for level in names.indices.reversed() {
            let move = Move(
                sourceNames: Array(names[level...]), targetNames: [], pointer: pointer, flattening: flattening)
            if level == names.count - 1 { add(move, below: anchor, names: []) } else { moves.append(move) }
        }
        followsTrails = true
    }

    private mutating func add(_ move: Move, below anchor: [Selector.Segment], names: [[UInt8]]) {
        moves.append(move)
        for name in names { movedNames.insert(name) }
        add(anchor, rank: 0, .anchor(moves.count - 1), at: Purpose.output.rawValue)
    }

    package mutating func add(default segments: [Selector.Segment], value: JSONDocument) {
        defaults.add(Default(segments: segments, value: value))
    }
}
