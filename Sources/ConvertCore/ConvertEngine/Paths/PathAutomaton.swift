/// The automaton of path states. A state says which selectors may still match, and how far each of them has come.
///
/// A state is a set of positions in the tree of all pointers, which is small even with many rules. States are made when a payload first
/// reaches them, and kept in a bounded table. The converter empties the table together with its key cache.
package struct PathAutomaton: Sendable {
    static let maxStates = 4096
    /// The most positions that all states together may have before the automaton is full.
    static let maxItems = 262_144
    /// The most bytes of memory that states may take, beside those of the compiled plan, before the automaton is full.
    static let maxBytes = 16 * 1024 * 1024
    /// Estimated bytes of a state in all tables, without its positions, and of one key, requirement or addition that is known in it.
    private static let stateBytes = 512
    private static let nameBytes = 192
    /// The state below a value whose output is discarded: no selector acts there any more.
    static let inert: Int32 = 0

    package struct State: Hashable, Sendable {
        /// Nodes of the tree of pointers, in ascending order.
        var items: [Int32] = []
        /// Nodes of the tree of defaults, whose paths consist of output keys.
        var defaultItems: [Int32] = []
        var trails: [Trail] = []
        /// For a flattened object: the moves that flatten it and the objects around it, the outermost first. Empty for the object around
        /// them all, otherwise nil. All these objects write into one.
        var flattenings: [Int32]?
        /// Whether keys in a container of this state stay unchanged.
        var isOpaque = false
        /// Whether `keep` removes nothing here.
        var isKept = true
        /// Whether the output here is discarded. Then only `keep` and selectors that check the input (`require`, `records`) still count.
        package var isInert = false
        /// For a container around the document: the number of containers around it. Otherwise -1.
        var wrapperDepth: Int32 = -1
    }

    /// A state with its hash, which is computed once because a state with many positions takes long to hash.
    struct HashedState: Hashable, Sendable {
        fileprivate let state: State
        private let hash: Int

        init(_ state: State) {
            self.state = state
            hash = state.hashValue
        }

        static func == (left: HashedState, right: HashedState) -> Bool {
            left.hash == right.hash && left.state == right.state
        }

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }

    /// Special properties of the value at a path.
    package struct Traits: OptionSet, BitwiseCopyable, Hashable, Sendable {
        package var rawValue: UInt16

        package init(rawValue: UInt16) { self.rawValue = rawValue }

        /// `keep` may name something further down. Only a container stays, and only if something is left in it.
        package static let searched = Traits(rawValue: 1)
        /// A path of `keep` leads through the value, without `**` up to here. Only a container stays.
        package static let passed = Traits(rawValue: 2)
        package static let record = Traits(rawValue: 4)
        /// A move starts and ends inside the value.
        static let anchor = Traits(rawValue: 8)
        /// The container has requirements (`require`) or additions (`defaults`).
        static let hasContract = Traits(rawValue: 16)
        /// The value is moved.
        static let moved = Traits(rawValue: 32)
        /// `keep` names the value, but another rule removes it. The containers around it do not count as empty for `keep`.
        package static let found = Traits(rawValue: 64)
        /// The inverse may empty the container and then removes it, because a move may have created it.
        static let trail = Traits(rawValue: 128)
        /// On the route of a move: its path leads into the value, or the member has an output key from the path to its target.
        static let route = Traits(rawValue: 256)
    }

    /// The rules that act on one member, element or document.
    package struct Match: Sendable {
        package var state: Int32
        package var rename: Int?
        package var isExcept = false
        /// Whether the value is removed. Then only selectors that check the input act on it.
        package var isDropped = false
        /// The rule for the value, or -1.
        package var rule: Int32 = -1
        package var traits: Traits = []
        /// The move that takes the value to another path, or -1.
        package var move: Int32 = -1
        /// The index of the container's requirement that the value meets, or -1.
        var requirement: Int32 = -1
        /// The index of the container's addition that the value makes unnecessary, or -1.
        var addition: Int32 = -1

        /// Whether `keep` looks for something in the value, and no other rule acts on it.
        var isSearched: Bool { traits == .searched && rule < 0 && !isDropped }
    }

    let table: SelectorTable
    let sortsKeys: Bool
    private var states = [HashedState(State(isOpaque: true, isInert: true))]
    private var identifiers: [HashedState: Int32] = [:]
    var elements: [Elements?] = [nil]
    /// A short form of `elements`, for states in which all elements are alike.
    var plainElements = [PlainElements()]
    /// For each state: the rules for all members that no selector names.
    var plainMembers = [PlainMembers()]
    var unnamed: [Match?] = [nil]
    /// For each state with trails: its trails, by the key that continues them.
    var trailsByName: [[[UInt8]: [Trail]]?] = [nil]
    private var contract: [ObjectContract?] = [nil]
    /// Contracts by their positions, so that all states with the same requirements and additions share one.
    private var sharedContracts: [ContractPositions: ObjectContract] = [:]
    private var itemCount = 0
    /// Bytes of memory that were taken since the plan was compiled, approximately.
    private(set) var storedBytes = 0
    private var fullStates = maxStates
    private var fullItems = maxItems
    private var fullBytes = maxBytes

    /// The match of the document, which always stays, and that of the payload's root. They differ only if containers are around the
    /// document.
    package private(set) var documentMatch = Match(state: PathAutomaton.inert)
    package private(set) var rootMatch = Match(state: PathAutomaton.inert)

    /// `sortsKeys` says whether the members of added values are sorted.
    init(_ table: SelectorTable, sortsKeys: Bool) {
        self.table = table
        self.sortsKeys = sortsKeys
        documentMatch = foundDocument()
        rootMatch = table.unwraps ? wrapperMatch(depth: 0) : documentMatch
        foreseeContracts()
        // Nearly all payloads need these, and without a change a converter shares the plan's tables.
        _ = plainMembers(of: rootMatch.state)
        _ = elements(of: rootMatch.state)
        resetLimits()
        storedBytes = 0
    }

    var isFull: Bool { states.count >= fullStates || itemCount >= fullItems || storedBytes >= fullBytes }

    /// Sets the limits for the states that are stored now: those of the plan, or those that open containers need. The automaton is full at
    /// twice that, or at the usual limits if these are higher.
    mutating func resetLimits() {
        fullStates = max(Self.maxStates, 2 * states.count)
        fullItems = max(Self.maxItems, 2 * itemCount)
        fullBytes = max(Self.maxBytes, 2 * storedBytes)
    }

    package subscript(identifier: Int32) -> State {
        _read { yield states[Int(identifier)].state }
    }

    /// Returns to the automaton `compiled` with the plan, with the states in `kept`, whose identifiers it replaces by new ones.
    mutating func removeAll(keeping kept: inout [Int32], _ compiled: PathAutomaton) {
        let open = kept.map { (states[Int($0)], contract[Int($0)]) }
        self = compiled
        for (index, (state, known)) in open.enumerated() where kept[index] != Self.inert {
            kept[index] = identifier(of: state)
            if let known { contract[Int(kept[index])] = known }
        }
    }

    mutating func identifier(of state: State) -> Int32 {
        if state.isInert, state.items.isEmpty, state.isKept || !table.keepsNames { return Self.inert }
        return identifier(of: HashedState(state))
    }

    mutating func identifier(of hashed: HashedState) -> Int32 {
        if let known = identifiers[hashed] { return known }
        let state = hashed.state
        let fresh = Int32(states.count)
        states.append(hashed)
        elements.append(nil)
        plainElements.append(PlainElements())
        plainMembers.append(PlainMembers())
        unnamed.append(nil)
        trailsByName.append(nil)
        contract.append(nil)
        let count = state.items.count + state.defaultItems.count
        itemCount += count
        storedBytes +=
            Self.stateBytes + count * MemoryLayout<Int32>.stride + state.trails.count * MemoryLayout<Trail>.stride
        identifiers[hashed] = fresh
        return fresh
    }

    /// Counts memory that was taken for facts about a state, and for keys in it.
    mutating func noteStored(_ bytes: Int, names: Int) { storedBytes += bytes + names * Self.nameBytes }

    private mutating func foundDocument() -> Match {
        var items: [Int32] = []
        var accepted: [Int] = []
        for purpose in SelectorTable.Purpose.allCases {
            table.tree.arrive(at: purpose.rawValue) { arrive(at: $0, &items, &accepted) }
        }
        var around = State(isKept: !table.keeps)
        var name: [UInt8]?
        for next in table.document.names {
            // Around the document, only actions that also affect everything below count.
            let named = patterns(of: name)
            let actions = accepted.map { table.pointers[$0].action } + named.map { $0.action }
            around.items = items.sortedOnce()
            around.isOpaque = around.isOpaque || actions.contains(.opaque)
            around.isKept = around.isKept || actions.contains(.keep)
            (items, accepted, name) = ([], [], next)
            table.tree.step(from: around.items, by: next) { arrive(at: $0, &items, &accepted) }
        }
        var root = match(
            items: items, accepted: accepted, name: name, patterns(of: name), below: around, identifier(of: around),
            stays: true)
        root.traits.subtract([.searched, .passed])
        guard !table.defaults.rules.isEmpty else { return root }
        var state = self[root.state]
        state.defaultItems = table.defaults.root
        root.state = identifier(of: state)
        root.traits.formUnion(contractTrait(of: root.state))
        return root
    }

    /// The match of a member, by its unescaped input key.
    mutating func member(_ name: [UInt8], of container: Int32) -> Match {
        let members = plainMembers(of: container)
        guard members.arePlain, !members.named.mayHold(count: name.count, first: name.first ?? 0) else {
            return step(container, segment: name, name: name)
        }
        return Match(state: members.state, isExcept: !members.areRecased, rule: members.rule)
    }

    /// The input keys that a rename of a literal key could have turned into `output` in this container: keys in pointers, and bare keys. A
    /// key may be in several of the sets.
    func literalNames(renamedTo output: [UInt8], in container: Int32) -> [Set<[UInt8]>] {
        let byPointers = self[container].items.compactMap { table.names(renamedTo: output, behind: $0) }
        return byPointers + [table.namesRenamed[output]].compactMap { $0 }
    }

    /// Follows the paths of defaults to the member with this output key, or to any element if `name` is nil.
    mutating func followDefaults(from container: Int32, name: [UInt8]?, in match: inout Match) {
        let items = self[container].defaultItems
        guard !items.isEmpty, !match.isDropped else { return }
        if let name, let addition = contract(of: container).addition(named: name) {
            match.addition = Int32(addition)
        }
        var following = table.defaults.positions(behindAnyOneOf: items)
        if let number = name.flatMap({ table.defaults.pointers.names[$0] }) {
            following += table.defaults.positions(behind: number, of: items)
        }
        following.sort()
        guard self[match.state].defaultItems != following, !self[match.state].isInert else { return }
        var state = self[match.state]
        state.defaultItems = following
        match.state = identifier(of: state)
        match.traits.formUnion(contractTrait(of: match.state))
    }

    // MARK: Contracts

    /// The positions of a state that have requirements, and its positions in the tree of defaults if one of them adds members.
    private struct ContractPositions: Hashable, Sendable {
        var requiring: [Int32] = []
        var adding: [Int32] = []
    }

    /// A contract is computed with the plan if one position has at least this many requirements or additions. With tens of thousands of
    /// rules that takes a large part of a second, too long in the middle of a payload.
    private static let minForeseenParts = 1024

    private mutating func foreseeContracts() {
        for (node, requirements) in table.requirementsBehind where requirements.count >= Self.minForeseenParts {
            _ = contract(at: ContractPositions(requiring: [node]))
        }
        for node in table.defaults.nodesAdding(atLeast: Self.minForeseenParts) {
            _ = contract(at: ContractPositions(adding: [node]))
        }
    }

    /// The requirements and additions of a container of this state, computed once per state.
    package mutating func contract(of container: Int32) -> ObjectContract {
        if let known = contract[Int(container)] { return known }
        let state = self[container]
        if let contract = wrapperContract(of: container) {
            self.contract[Int(container)] = contract
            return contract
        }
        var positions = ContractPositions(requiring: state.items.filter { table.requirementsBehind[$0] != nil })
        if table.defaults.addsMembers(at: state.defaultItems) { positions.adding = state.defaultItems }
        let contract = contract(at: positions)
        self.contract[Int(container)] = contract
        return contract
    }

    private mutating func contract(at positions: ContractPositions) -> ObjectContract {
        if let known = sharedContracts[positions] { return known }
        var requirements: [ObjectContract.Requirement] = []
        var required: Set<[UInt8]> = []
        let waiting = positions.requiring.flatMap { node in
            (table.requirementsBehind[node] ?? []).map { (pattern: $0, depth: Int(table.tree.nodes[Int(node)].depth)) }
        }
        for (index, depth) in waiting.sorted(by: { $0.pattern < $1.pattern }) {
            let pattern = table.pointers[index]
            guard case .require(let requirement) = pattern.action, case .literal(let name) = pattern.segments[depth],
                required.insert(name).inserted
            else { continue }
            let names = Selector.names(pattern.segments[depth...]) ?? []
            let pointer = names.map(PayloadPointer.step).joined()
            requirements.append(.init(name: name, pointer: pointer, rule: table.requirements[requirement]))
        }
        let fresh = ObjectContract(requirements: requirements, additions: additions(at: positions.adding))
        sharedContracts[positions] = fresh
        let texts = fresh.additions.reduce(0) { $0 + ($1.text?.count ?? 0) }
        noteStored(texts, names: fresh.requirements.count + fresh.additions.count)
        return fresh
    }

    mutating func contractTrait(of state: Int32) -> Traits {
        guard table.hasContracts, !contract(of: state).isEmpty else { return [] }
        return .hasContract
    }
}
