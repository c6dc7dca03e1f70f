import ConvertText

/// One open container, or the payload around all of them. It fills one cache line, 64 bytes.
struct Container: BitwiseCopyable, Sendable {
    enum Kind: UInt8, BitwiseCopyable, Sendable { case payload, object, array }

    var kind: Kind
    /// Whether nothing was written into the container yet.
    var isEmpty = true
    /// Object: whether it is flattened, so that its members are written into the object around it.
    var isFlattened = false
    /// Array: whether patterns list some of its indices.
    var namesIndices = false
    /// Array: whether elements are discarded whose index no pattern lists.
    var dropsElements = false
    /// Array: whether only a rule for values can act on elements, so that all elements are handled alike.
    var isPlainArray = false
    /// Whether the fast path must leave the container's end to the resumable lexer.
    var endsSlowly = false
    /// Whether `keep` looks for something in each member or element, and nothing else acts on them.
    var isSearched = false
    /// The path state of the container. In an object that the fast path searches, it is subtracted from -2: see `beginSearch`.
    var state: Int32
    /// Array: the path state of elements whose index no pattern lists.
    var elementState: Int32 = 0
    /// Object: the key cache entry of the member being read, or -1.
    var entry: Int32 = -1
    /// Array: the rule of elements whose index no pattern lists, or -1. It is not stored beside `elementState`: the
    /// processor would stall if it loaded both at once soon after it stored them one by one.
    var elementRule: Int32 = -1
    /// Object: the position in the chunk of a quoted key that the fast path let pass or did not look up. Otherwise it
    /// is -1 or has no meaning.
    var keyPosition: Int = -1
    /// Object: key cache entries from this index on may have keys that `SeenKeys` knows of this object; `.max` if it knows none.
    var firstSeenEntry = Int32.max
    /// Object: the start of its part of `KeyMapper.passed`.
    var passedStart: Int32 = 0
    /// Object: the start of its part of the undo log.
    var undoStart: Int32 = 0
    /// Array: the traits of elements whose index no pattern lists.
    var elementTraits = PathAutomaton.Traits()
    /// Array: the index of the element being read.
    var index: Int = 0
    /// Object: the tag that marks keys as seen in this object.
    var tag = ObjectTag.none

    /// Object: whether `SeenKeys` has some of its keys.
    @inline(__always)
    var hasSeenKeys: Bool { firstSeenEntry != .max }

    /// The path state, also while the fast path searches the object.
    @inline(__always)
    var pathState: Int32 { max(state, -2 &- state) }

    /// Object: marks it as one that the fast path searches, in which keys are noted as those of members that do not stay. Objects that begin in
    /// a search are marked by `KeyMapper.object`.
    mutating func beginSearch() {
        state = -2 &- state
        tag = tag.removed
    }

    /// Makes it a container again whose members are decided one by one.
    mutating func endSearch() {
        isPlainArray = false
        state = pathState
        tag = tag.present
    }

    /// The byte that ends the container. For the payload it is NUL, which ends nothing.
    @inline(__always)
    var closingBracket: UInt8 {
        switch kind {
        case .object: ASCII.closeBrace
        case .array: ASCII.closeBracket
        case .payload: ASCII.null
        }
    }
}
