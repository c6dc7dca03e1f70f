import ConvertText

/// One open container, or the payload around all of them.
struct Container: BitwiseCopyable, Sendable {
    enum Kind: UInt8, BitwiseCopyable, Sendable { case payload, object, array }

    var kind: Kind
    /// Whether nothing was written into the container yet.
    var isEmpty = true
    /// Array: whether a pattern names some of its indices.
    var namesIndices = false
    /// Array: whether elements that no pattern names are left out.
    var dropsElements = false
    /// Array: whether nothing but a rule for the value can act on an element, so that one is like another.
    var isPlainArray = false
    /// Whether the fast path must leave the container's end to the resumable lexer.
    var endsSlowly = false
    /// Array: what is special about elements that no pattern names.
    var elementTraits = PathAutomaton.Traits()
    /// The path state of the container.
    var state: Int32
    /// Array: the path state of elements that no pattern names.
    var elementState: Int32 = 0
    /// Object: the key cache entry of the member being read, or -1.
    var entry: Int32 = -1
    /// Array: the rule of elements that no pattern names, or -1. Apart from their state: if both were read at once after they were
    /// written one by one, the processor would have to wait.
    var elementRule: Int32 = -1
    /// Object: where in the chunk the quoted name of the member being read begins if the fast path did not look it up or let it pass; else
    /// it does not count, or is -1.
    var place: Int = -1
    /// Object: the key cache's entries from this one on may be of names that `SeenKeys` has of it.
    var firstDoubtful = Int32.max
    /// Object: where its part begins of the names that passed.
    var passedStart: Int32 = 0
    /// Object: where its part of the undo log begins.
    var undoStart: Int32 = 0
    /// Array: the index of the element being read.
    var index: Int = 0
    /// Object: what marks a name as seen here.
    var tag = ObjectTag.none

    /// Object: whether `SeenKeys` has some of its names.
    @inline(__always)
    var hasSeenKeys: Bool { firstDoubtful != .max }

    /// The byte that ends the container; one that ends nothing for the payload.
    @inline(__always)
    var closingBracket: UInt8 {
        switch kind {
        case .object: ASCII.closeBrace
        case .array: ASCII.closeBracket
        case .payload: ASCII.null
        }
    }
}

/// What the converter expects next, which is all the state it needs beside the open containers.
enum LexerState: UInt8, BitwiseCopyable, Sendable {
    /// The first byte, or one of a byte order mark.
    case start, secondMarkByte, thirdMarkByte
    /// A record of NDJSON, or a blank line.
    case lineStart
    case value, firstElement, firstKey, key, colon
    /// Inside a token.
    case keyText, string, number, literal
    /// Inside a token that is held because a rule may rewrite it.
    case heldValue
    /// A value ended: a comma or the container's end.
    case afterValue
    /// As before, once what was held of the value is written: the object that it is, which is settled first, or its members, which are put
    /// in order first.
    case settlingObject, writingObject, sortingMembers, writingMembers
    /// The payload's value ended.
    case end
    /// In a line of NDJSON that is no JSON and is left out.
    case abandonedLine
    /// A fault was reported; nothing is taken any more.
    case failed
}
