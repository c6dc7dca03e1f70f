/// The automaton of path states: which selectors are still on their way to a match, and how far.
///
/// A state is a set of positions in pointer patterns. States are made when a payload first reaches them and are kept in a
/// bounded table; the converter empties it together with its key keyCache.
struct PathAutomaton: Sendable {
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

    /// A position in a pointer pattern: the index of the next segment to match.
    struct Item: BitwiseCopyable, Hashable, Comparable, Sendable {
        /// From the highest bit on: the pattern, the segment and whether it is loose, so that items are ordered and hashed as one number.
        private var bits: UInt64

        private static let patternShift: UInt64 = 32

        init(pattern: Int, segment: Int) {
            bits = UInt64(pattern) << Self.patternShift
            self.segment = segment
        }

        var pattern: Int { Int(bits >> Self.patternShift) }

        var segment: Int {
            get { Int(UInt32(truncatingIfNeeded: bits) >> 1) }
            set { bits = UInt64(pattern) << Self.patternShift | UInt64(newValue) << 1 | bits & 1 }
        }

        /// Whether `**` matched a level on the way here; only noted for `keep`, for which it matters.
        var isLoose: Bool {
            get { bits & 1 != 0 }
            set { bits = bits & ~1 | (newValue ? 1 : 0) }
        }

        static func < (left: Item, right: Item) -> Bool { left.bits < right.bits }
    }

    struct State: Hashable, Sendable {
        var items: [Item] = []
        /// Positions in the patterns of defaults, which follow output names.
        var defaultItems: [Item] = []
        var trails: [Trail] = []
        /// Whether names in a container of this state stay as they are.
        var isOpaque = false
        /// Whether everything here stays, as far as `keep` is concerned.
        var isKept = true
        /// Whether the output of this place is thrown away; only what judges the input counts here.
        var isInert = false
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
    struct Traits: OptionSet, BitwiseCopyable, Hashable, Sendable {
        var rawValue: UInt8

        /// `keep` names something that may be further down: only a container stays, and only with something in it.
        static let searched = Traits(rawValue: 1)
        /// `keep` passes by on its way down: only a container stays.
        static let passed = Traits(rawValue: 2)
        static let record = Traits(rawValue: 4)
        /// Something is moved within the value.
        static let anchor = Traits(rawValue: 8)
        /// The container must hold something, or is given what it lacks.
        static let hasContract = Traits(rawValue: 16)
        /// The value is moved.
        static let moved = Traits(rawValue: 32)
        /// `keep` names the place, though another rule leaves it out: what is around it is not empty for `keep`.
        static let found = Traits(rawValue: 64)
        /// The inverse may empty the container, and then it goes: a move may have made it.
        static let trail = Traits(rawValue: 128)
    }

    /// What acts on one place.
    struct Match: Sendable {
        var state: Int32
        var rename: Int?
        var isExcept = false
        /// Whether the place is left out; then only what judges the input acts on it.
        var isDropped = false
        /// The rule for the value, or -1.
        var rule: Int32 = -1
        var traits: Traits = []
        /// The move that takes the value away, or -1.
        var move: Int32 = -1
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
    /// Beside the states too, for those of many positions that were asked for before.
    var steps: [Steps?] = [nil]
    var wasAsked = [false]
    var defaultSteps: [Steps?] = [nil]
    var unnamed: [Match?] = [nil]
    var originals: [[[UInt8]: Set<[UInt8]>]?] = [nil]
    /// For states with trails, these by the names that they go on with.
    var trailsByName: [[[UInt8]: [Trail]]?] = [nil]
    private var contract: [ObjectContract?] = [nil]
    private var itemCount = 0
    /// Bytes of memory that were taken since the plan was compiled, approximately.
    private(set) var storedBytes = 0
    private var fullStates = maxStates
    private var fullItems = maxItems
    private var fullBytes = maxBytes

    /// The match of the payload's root, which always stays.
    private(set) var rootMatch = Match(state: PathAutomaton.inert)
    /// This table as it was made.
    private var beginning: [PathAutomaton] = []

    /// `output` says how added members are written.
    init(_ table: SelectorTable, output: OutputOptions = OutputOptions()) {
        self.table = table
        self.output = output
        rootMatch = root()
        foresee()
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

    subscript(identifier: Int32) -> State { states[Int(identifier)].state }

    /// Forgets all states but those that were foreseen and those of these identifiers, which get others.
    mutating func removeAll(keeping kept: inout [Int32]) {
        let open = kept.map { (states[Int($0)], contract[Int($0)]) }
        let beginning = beginning
        self = beginning[0]
        self.beginning = beginning
        for (index, (state, known)) in open.enumerated() where kept[index] != Self.inert {
            kept[index] = identifier(of: state)
            if let known { note(known, of: kept[index]) }
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
        steps.append(nil)
        wasAsked.append(false)
        defaultSteps.append(nil)
        unnamed.append(nil)
        originals.append(nil)
        trailsByName.append(nil)
        contract.append(nil)
        let count = state.items.count + state.defaultItems.count
        itemCount += count
        storedBytes += Self.stateBytes + count * MemoryLayout<Item>.stride
        identifiers[hashed] = fresh
        return fresh
    }

    /// Counts memory that was taken for what is known of a state, and of names in it.
    mutating func noteStored(_ bytes: Int, names: Int = 0) { storedBytes += bytes + names * Self.nameBytes }

    private mutating func root() -> Match {
        var items: [Item] = []
        var accepted: [Int] = []
        for pattern in table.pointers.indices { close(Item(pattern: pattern, segment: 0), &items, &accepted) }
        let standing = accepted.filter { table.pointers[$0].action != .drop }
        let outside = State(isKept: !table.keeps)
        var root = match(items: items, accepted: standing, name: nil, below: outside, identifier(of: outside))
        root.traits.subtract([.searched, .passed])
        guard !table.defaults.isEmpty else { return root }
        var state = self[root.state]
        state.defaultItems = table.defaults.indices.map { Item(pattern: $0, segment: 0) }
        root.state = identifier(of: state)
        root.traits.formUnion(obligationTrait(of: root.state))
        return root
    }

    /// The match of a member, by its unescaped input name.
    mutating func member(_ name: [UInt8], of container: Int32) -> Match {
        step(container, segment: name, name: name)
    }

    /// The input names that a rename of a literal name could have turned into `output` in this container: those of places there, which
    /// are worked out once per state, and the bare ones. Some may be in both.
    mutating func literalNames(renamedTo output: [UInt8], in container: Int32) -> [Set<[UInt8]>] {
        let ofPlaces = originals[Int(container)] ?? names(ofPlacesRenamedIn: container)
        if originals[Int(container)] == nil {
            originals[Int(container)] = ofPlaces
            noteStored(0, names: ofPlaces.count)
        }
        return [ofPlaces[output], table.namesRenamed[output]].compactMap(\.self)
    }

    private func names(ofPlacesRenamedIn container: Int32) -> [[UInt8]: Set<[UInt8]>] {
        var names: [[UInt8]: Set<[UInt8]>] = [:]
        for item in self[container].items {
            let pattern = table.pointers[item.pattern]
            guard case .rename(let rename) = pattern.action, item.segment == pattern.segments.count - 1,
                case .literal(let name) = pattern.segments[item.segment]
            else { continue }
            names[table.renames[rename].target, default: []].insert(name)
        }
        return names
    }

    /// Goes on along the patterns of defaults, to a member of this output name or to any element.
    mutating func followDefaults(from container: Int32, name: [UInt8]?, in match: inout Match) {
        let items = self[container].defaultItems
        guard !items.isEmpty, !match.isDropped else { return }
        if let name, let addition = contract(of: container).addition(named: name) {
            match.addition = Int32(addition)
        }
        let following = defaultItemsThatMatch(name, of: container).compactMap { item -> Item? in
            let segments = table.defaults[item.pattern].segments
            guard item.segment + 1 < segments.count else { return nil }
            switch segments[item.segment] {
            case .literal(let text) where text == name: break
            case .anyOne: break
            default: return nil
            }
            return Item(pattern: item.pattern, segment: item.segment + 1)
        }
        guard self[match.state].defaultItems != following else { return }
        var state = self[match.state]
        state.defaultItems = following
        match.state = identifier(of: state)
        match.traits.formUnion(obligationTrait(of: match.state))
    }

    /// What a container of this state must hold or is given, worked out once per state.
    mutating func contract(of container: Int32) -> ObjectContract {
        if let known = contract[Int(container)] { return known }
        let state = self[container]
        var requirements: [ObjectContract.Requirement] = []
        var required: Set<[UInt8]> = []
        for item in state.items {
            let pattern = table.pointers[item.pattern]
            guard case .require(let index) = pattern.action, item.segment > pattern.lastAnyOne,
                case .literal(let name) = pattern.segments[item.segment], required.insert(name).inserted
            else { continue }
            let names = Selector.names(pattern.segments[item.segment...]) ?? []
            let place = names.map(PayloadPointer.step).joined()
            requirements.append(.init(name: name, place: place, rule: table.requirements[index]))
        }
        let fresh = ObjectContract(requirements: requirements, additions: additions(by: state.defaultItems))
        note(fresh, of: container)
        return fresh
    }

    private mutating func note(_ fresh: ObjectContract, of container: Int32) {
        contract[Int(container)] = fresh
        let texts = fresh.additions.reduce(0) { $0 + ($1.text?.count ?? 0) }
        noteStored(texts, names: fresh.requirements.count + fresh.additions.count)
    }

    mutating func obligationTrait(of state: Int32) -> Traits {
        guard table.hasContracts, !contract(of: state).isEmpty else { return [] }
        return .hasContract
    }
}
