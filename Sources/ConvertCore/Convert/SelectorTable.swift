/// All selectors of a profile with what each does to the place it matches.
struct SelectorTable: Sendable {
    /// What a selector does to the place it matches.
    enum Action: Sendable, Hashable {
        /// The rename at this index gives the name.
        case rename(Int)
        /// The case rule leaves the name.
        case except
        /// Below the place no name is touched.
        case opaque
        /// The place and all below it are left out.
        case drop
        /// The rule at this index acts on the value.
        case rule(Int)
    }

    struct PointerPattern: Sendable {
        var segments: [Selector.Segment]
        var rank: Int
        var action: Action
    }

    struct Rename: Sendable {
        /// UTF-8, unescaped.
        var target: [UInt8]
        /// JSON Pointer into the profile.
        var pointer: String
    }

    struct NamePattern: Sendable {
        var selector: Selector
        var rank: Int
        var action: Action
    }

    private(set) var pointers: [PointerPattern] = []
    private(set) var names: [NamePattern] = []
    private(set) var renames: [Rename] = []

    var hasRenames: Bool { !renames.isEmpty }

    mutating func add(_ selector: Selector, _ action: Action) {
        switch selector.form {
        case .pointer(let segments):
            pointers.append(PointerPattern(segments: segments, rank: selector.rank, action: action))
        case .name:
            names.append(NamePattern(selector: selector, rank: selector.rank, action: action))
        }
    }

    mutating func add(_ rule: RenameRule) {
        renames.append(Rename(target: rule.target, pointer: rule.place.pointer))
        add(rule.selector, .rename(renames.count - 1))
    }
}
