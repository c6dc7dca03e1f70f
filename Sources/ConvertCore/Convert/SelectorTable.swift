/// All selectors of a profile with what each does to the place it matches.
struct SelectorTable: Sendable {
    /// What a selector does to the place it matches.
    enum Action: Sendable, Hashable {
        /// The name becomes the target at this index.
        case rename(Int)
        /// The case rule leaves the name.
        case except
        /// Below the place no name is touched.
        case opaque
        /// The rule at this index acts on the value.
        case rule(Int)
    }

    struct PointerPattern: Sendable {
        var segments: [Selector.Segment]
        var rank: Int
        var action: Action
    }

    struct NamePattern: Sendable {
        var selector: Selector
        var rank: Int
        var action: Action
    }

    private(set) var pointers: [PointerPattern] = []
    private(set) var names: [NamePattern] = []
    private(set) var targets: [[UInt8]] = []

    var hasRenames: Bool { !targets.isEmpty }

    mutating func add(_ selector: Selector, _ action: Action) {
        switch selector.form {
        case .pointer(let segments):
            pointers.append(PointerPattern(segments: segments, rank: selector.rank, action: action))
        case .name:
            names.append(NamePattern(selector: selector, rank: selector.rank, action: action))
        }
    }

    mutating func addRename(_ selector: Selector, to target: [UInt8]) {
        targets.append(target)
        add(selector, .rename(targets.count - 1))
    }
}
