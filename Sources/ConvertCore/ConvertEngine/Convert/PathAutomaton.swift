/// The automaton of path states: which selectors are still on their way to a match, and how far.
///
/// A state is a set of positions in the tree of all pointers, few even of many rules. States are made when a payload first reaches them and are kept in a
/// bounded table; the converter empties it together with its key cache.
package struct PathAutomaton: Sendable {
    static let maxStates = 4096
    /// Positions in patterns that the states hold together.
    static let maxItems = 262_144
    /// Bytes of memory that they may take beside those that a plan begins with.
    static let maxBytes = 16 * 1024 * 1024
    /// What a state takes beside its positions, in all tables, and what is known there of one name or obligation.
    private static let stateBytes = 512
    private static let nameBytes = 192
    /// Where nothing acts any more: below a place whose output is thrown away.
    static let inert: Int32 = 0

    package struct State: Hashable, Sendable {
        /// Nodes of the tree of pointers, in ascending order.
        var items: [Int32] = []
        /// Nodes of the tree of defaults, which follow output names.
        var defaultItems: [Int32] = []
        var trails: [Trail] = []
        /// Whether names in a container of this state stay as they are.
        var isOpaque = false
        /// Whether everything here stays, as far as `keep` is concerned.
        var isKept = true
        /// Whether the output of this place is thrown away; only what judges the input counts here.
        package var isInert = false
        /// For a container around the document, how many are around it; else -1.
        var wrapperDepth: Int32 = -1
    }

    /// A state with its hash, which is worked out once: of many positions, that takes a while.
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

    /// What is special about the value at a place.
    package struct Traits: OptionSet, BitwiseCopyable, Hashable, Sendable {
        package var rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `keep` names something that may be further down: only a container stays, and only with something in it.
        package static let searched = Traits(rawValue: 1)
        /// `keep` passes by on its way down: only a container stays.
        package static let passed = Traits(rawValue: 2)
        package static let record = Traits(rawValue: 4)
        /// Something is moved within the value.
        static let anchor = Traits(rawValue: 8)
        /// The container must hold something, or is given what it lacks.
        static let hasContract = Traits(rawValue: 16)
        /// The value is moved.
        static let moved = Traits(rawValue: 32)
        /// `keep` names the place, though another rule leaves it out: what is around it is not empty for `keep`.
        package static let found = Traits(rawValue: 64)
        /// The inverse may empty the container, and then it goes: a move may have made it.
        static let trail = Traits(rawValue: 128)
    }

    /// What acts on one place.
    package struct Match: Sendable {
        package var state: Int32
        package var rename: Int?
        package var isExcept = false
        /// Whether the place is left out; then only what judges the input acts on it.
        package var isDropped = false
        /// The rule for the value, or -1.
        package var rule: Int32 = -1
        package var traits: Traits = []
        /// The move that takes the value away, or -1.
        package var move: Int32 = -1
        /// The container's requirement that the place meets, or -1.
        var requirement: Int32 = -1
        /// The container's addition that the place makes needless, or -1.
        var addition: Int32 = -1
    }

    let table: SelectorTable
    let output: OutputOptions
    private var states = [HashedState(State(isOpaque: true, isInert: true))]
    private var identifiers: [HashedState: Int32] = [:]
    var elements: [Elements?] = [nil]
    /// Beside `elements`, for arrays in which one element is like another.
    var plainElements = [PlainElements()]
    /// For objects, where one member is like another unless a selector names it.
    var plainMembers = [PlainMembers()]
    var unnamed: [Match?] = [nil]
    /// For states with trails, these by the names that they go on with.
    var trailsByName: [[[UInt8]: [Trail]]?] = [nil]
    private var contract: [ObjectContract?] = [nil]
    /// The same for all states at whose positions the same is required and added.
    private var sharedContracts: [ContractPositions: ObjectContract] = [:]
    private var itemCount = 0
    /// Bytes of memory that were taken since the plan was compiled, approximately.
    private(set) var storedBytes = 0
    private var fullStates = maxStates
    private var fullItems = maxItems
    private var fullBytes = maxBytes

    /// The match of the document, which always stays, and that of the payload's root, mostly the same.
    private(set) var documentMatch = Match(state: PathAutomaton.inert)
    package private(set) var rootMatch = Match(state: PathAutomaton.inert)
    /// This table as it was made.
    private var beginning: [PathAutomaton] = []

    /// `output` says how added members are written.
    init(_ table: SelectorTable, output: OutputOptions = OutputOptions()) {
        self.table = table
        self.output = output
        documentMatch = foundDocument()
        rootMatch = payloadMatch(of: documentMatch)
        foreseeContracts()
        settle()
        storedBytes = 0
        beginning = [self]
    }

    var isFull: Bool { states.count >= fullStates || itemCount >= fullItems || storedBytes >= fullBytes }

    /// Takes the states made so far for those that open containers need; the table is full when it has doubled since.
    mutating func settle() {
        fullStates = max(Self.maxStates, 2 * states.count)
        fullItems = max(Self.maxItems, 2 * itemCount)
        fullBytes = max(Self.maxBytes, 2 * storedBytes)
    }

    package subscript(identifier: Int32) -> State { states[Int(identifier)].state }

    /// Forgets all states but those that were foreseen and those of these identifiers, which get others.
    mutating func removeAll(keeping kept: inout [Int32]) {
        let open = kept.map { (states[Int($0)], contract[Int($0)]) }
        let beginning = beginning
        self = beginning[0]
        self.beginning = beginning
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

    /// Counts memory that was taken for what is known of a state, and of names in it.
    mutating func noteStored(_ bytes: Int, names: Int = 0) { storedBytes += bytes + names * Self.nameBytes }

    private mutating func foundDocument() -> Match {
        var items: [Int32] = []
        var accepted: [Int] = []
        for purpose in SelectorTable.Purpose.allCases {
            table.tree.arrive(at: purpose.rawValue) { arrive(at: $0, &items, &accepted) }
        }
        var around = State(isKept: !table.keeps)
        var name: [UInt8]?
        for next in table.document.names {
            // Around the document a rule counts only for what it says of all below.
            let reaching = accepted.filter { table.pointers[$0].action.reachesBelow }
            let container = match(
                items: items, accepted: reaching, name: nil, below: around, identifier(of: around), stays: true)
            around = self[container.state]
            (items, accepted, name) = ([], [], next)
            table.tree.step(from: around.items, by: next) { arrive(at: $0, &items, &accepted) }
        }
        var root = match(
            items: items, accepted: accepted, name: name, below: around, identifier(of: around), stays: true)
        root.traits.subtract([.searched, .passed])
        guard !table.defaults.rules.isEmpty else { return root }
        var state = self[root.state]
        state.defaultItems = table.defaults.root
        root.state = identifier(of: state)
        root.traits.formUnion(contractTrait(of: root.state))
        return root
    }

    /// The match of a member, by its unescaped input name.
    mutating func member(_ name: [UInt8], of container: Int32) -> Match {
        step(container, segment: name, name: name)
    }

    /// The input names that a rename of a literal name could have turned into `output` in this container: those of places there, and the
    /// bare ones. Some may be in several sets.
    func literalNames(renamedTo output: [UInt8], in container: Int32) -> [Set<[UInt8]>] {
        let ofPlaces = self[container].items.compactMap { table.names(renamedTo: output, behind: $0) }
        return ofPlaces + [table.namesRenamed[output]].compactMap { $0 }
    }

    /// Goes on along the patterns of defaults, to a member of this output name or to any element.
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

    /// Positions at which something is required, and those where something is added or may be to that.
    private struct ContractPositions: Hashable, Sendable {
        var requiring: [Int32] = []
        var adding: [Int32] = []
    }

    /// What a container is given and must hold at a position is worked out beforehand where it is so much or more: with tens of
    /// thousands of rules that takes a large part of a second, in the middle of a payload.
    private static let minForeseenParts = 1024

    private mutating func foreseeContracts() {
        for (node, requirements) in table.requirementsBehind where requirements.count >= Self.minForeseenParts {
            _ = contract(at: ContractPositions(requiring: [node]))
        }
        for node in table.defaults.nodesAdding(atLeast: Self.minForeseenParts) {
            _ = contract(at: ContractPositions(adding: [node]))
        }
    }

    /// What a container of this state must hold or is given, worked out once per state.
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
            let place = names.map(PayloadPointer.step).joined()
            requirements.append(.init(name: name, place: place, rule: table.requirements[requirement]))
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
