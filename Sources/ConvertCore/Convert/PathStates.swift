/// The automaton of path states: which selectors are still on their way to a match, and how far.
///
/// A state is a set of positions in pointer patterns. States are made when a payload first reaches them and are kept in a
/// bounded table; the converter empties it together with its key memo.
struct PathStates: Sendable {
    static let maxStates = 4096
    /// Where nothing acts any more: below a place whose output is thrown away.
    static let inert: Int32 = 0

    /// A position in a pointer pattern: the index of the next segment to match.
    struct Item: Hashable, Comparable, Sendable {
        var pattern: Int
        var segment: Int

        static func < (left: Item, right: Item) -> Bool {
            (left.pattern, left.segment) < (right.pattern, right.segment)
        }
    }

    struct State: Hashable, Sendable {
        var items: [Item] = []
        /// Whether names in a container of this state stay as they are.
        var isOpaque = false
        var isInert = false
    }

    /// What acts on one place.
    struct Match: Sendable {
        var state: Int32
        var rename: Int?
        var isExcept = false
        /// Whether the place is left out; then nothing else acts on it.
        var isDropped = false
        /// The rule for the value, or -1.
        var rule: Int32 = -1
    }

    /// What acts on the elements of an array.
    struct Elements: Sendable {
        var state: Int32
        var rule: Int32
        var isDropped: Bool
        /// Indices that a pattern names, which need a step of their own.
        var namedIndices: [[UInt8]]
    }

    let table: SelectorTable
    private var states: [State] = [State(isOpaque: true, isInert: true)]
    private var identifiers: [State: Int32] = [:]
    private var elements: [Elements?] = [nil]
    private var fullStates = maxStates

    init(_ table: SelectorTable) { self.table = table }

    var isFull: Bool { states.count >= fullStates }

    /// Takes the states made so far for those that open containers need; the table is full when it has doubled since.
    mutating func settle() { fullStates = max(Self.maxStates, 2 * states.count) }

    subscript(identifier: Int32) -> State { states[Int(identifier)] }

    mutating func removeAll() {
        states.removeSubrange(1...)
        elements.removeSubrange(1...)
        identifiers.removeAll(keepingCapacity: true)
    }

    mutating func identifier(of state: State) -> Int32 {
        if state.isInert { return Self.inert }
        if let known = identifiers[state] { return known }
        let fresh = Int32(states.count)
        states.append(state)
        elements.append(nil)
        identifiers[state] = fresh
        return fresh
    }

    /// The match of the payload's root.
    mutating func root() -> Match {
        var items: [Item] = []
        var accepted: [Int] = []
        for pattern in table.pointers.indices { close(Item(pattern: pattern, segment: 0), &items, &accepted) }
        // The root always stays.
        let standing = accepted.filter { table.pointers[$0].action != .drop }
        return match(items: items, accepted: standing, name: nil, below: State(), identifier(of: State()))
    }

    /// The match of a member, by its unescaped input name.
    mutating func member(_ name: [UInt8], of container: Int32) -> Match {
        step(container, segment: name, name: name)
    }

    /// The input names that a rename of a literal name could have turned into `output` in this container.
    func literalNames(renamedTo output: [UInt8], in container: Int32) -> Set<[UInt8]> {
        var names: Set<[UInt8]> = []
        for item in states[Int(container)].items {
            let pattern = table.pointers[item.pattern]
            guard case .rename(let rename) = pattern.action, table.renames[rename].target == output,
                item.segment == pattern.segments.count - 1, case .literal(let name) = pattern.segments[item.segment]
            else { continue }
            names.insert(name)
        }
        for pattern in table.names {
            guard case .rename(let rename) = pattern.action, table.renames[rename].target == output,
                let name = pattern.selector.literalName
            else { continue }
            names.insert(name)
        }
        return names
    }

    /// What acts on the elements of an array, worked out once per state.
    mutating func elements(of container: Int32) -> Elements {
        if let known = elements[Int(container)] { return known }
        let state = states[Int(container)]
        var named: [[UInt8]] = []
        for item in state.items {
            if case .literal(let text) = table.pointers[item.pattern].segments[item.segment], Self.isIndex(text) {
                named.append(text)
            }
        }
        // No name is spelled so, since this is not UTF-8; only the wildcards match it.
        let other = step(container, segment: [UInt8.max], name: nil)
        let fresh = Elements(
            state: other.state, rule: other.rule, isDropped: other.isDropped, namedIndices: named)
        elements[Int(container)] = fresh
        return fresh
    }

    /// The match of one element whose index is named by a pattern.
    mutating func element(_ index: [UInt8], of container: Int32) -> Match {
        step(container, segment: index, name: nil)
    }

    private static func isIndex(_ text: [UInt8]) -> Bool {
        !text.isEmpty && text.allSatisfy(ASCII.isDigit) && (text.count == 1 || text[0] != ASCII.zero)
    }

    private mutating func step(_ container: Int32, segment: [UInt8], name: [UInt8]?) -> Match {
        let state = states[Int(container)]
        if state.isInert { return Match(state: Self.inert) }
        // Nothing is on its way to a match here, and no bare name waits for a member.
        if state.items.isEmpty, name == nil || table.names.isEmpty { return Match(state: container) }
        var items: [Item] = []
        var accepted: [Int] = []
        for item in state.items {
            let next = Item(pattern: item.pattern, segment: item.segment + 1)
            switch table.pointers[item.pattern].segments[item.segment] {
            case .literal(let text): if text == segment { close(next, &items, &accepted) }
            case .anyOne: close(next, &items, &accepted)
            case .anyDepth: close(item, &items, &accepted)
            }
        }
        return match(items: items, accepted: accepted, name: name, below: state, container)
    }

    /// Adds an item and, where it stands before `**`, what follows when that stands for nothing.
    private func close(_ start: Item, _ items: inout [Item], _ accepted: inout [Int]) {
        var item = start
        while true {
            let segments = table.pointers[item.pattern].segments
            if item.segment == segments.count {
                accepted.append(item.pattern)
                return
            }
            items.append(item)
            guard segments[item.segment] == .anyDepth else { return }
            item.segment += 1
        }
    }

    private mutating func match(
        items: [Item], accepted: [Int], name: [UInt8]?, below state: State, _ container: Int32
    ) -> Match {
        var found = Match(state: 0)
        var isOpaque = state.isOpaque
        var renameRank = Int.min
        var ruleRank = Int.min
        func consider(_ action: SelectorTable.Action, _ rank: Int) {
            switch action {
            case .rename(let target):
                if rank > renameRank { (found.rename, renameRank) = (target, rank) }
            case .rule(let rule):
                if rank > ruleRank { (found.rule, ruleRank) = (Int32(rule), rank) }
            case .except: found.isExcept = true
            case .opaque: isOpaque = true
            case .drop: found.isDropped = true
            }
        }
        for pattern in accepted { consider(table.pointers[pattern].action, table.pointers[pattern].rank) }
        if let name {
            for pattern in table.names where pattern.selector.matchesName(name) {
                consider(pattern.action, pattern.rank)
            }
        }
        if found.isDropped { return Match(state: Self.inert, isDropped: true) }
        if state.isOpaque { found.rename = nil }
        if items.isEmpty, state.items.isEmpty, isOpaque == state.isOpaque {
            found.state = container
        } else {
            found.state = identifier(of: State(items: Set(items).sorted(), isOpaque: isOpaque))
        }
        return found
    }
}
