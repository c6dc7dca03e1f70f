extension HeldTree {
    /// One member or element, or the held object's root. Small, because there may be millions.
    ///
    /// The fields of containers and of scalars share their storage, and so do a member's key and an element's index.
    package struct Node: BitwiseCopyable, Sendable {
        package enum Kind: UInt8, BitwiseCopyable, Sendable { case scalar, array, object }

        package struct Flags: OptionSet, BitwiseCopyable, Sendable {
            package var rawValue: UInt16

            package init(rawValue: UInt16) { self.rawValue = rawValue }

            fileprivate static let isElement = Flags(rawValue: 1 << 0)
            fileprivate static let nameHasEscape = Flags(rawValue: 1 << 1)
            fileprivate static let isOfInput = Flags(rawValue: 1 << 2)
            static let isRecord = Flags(rawValue: 1 << 3)
            /// The text of the container becomes the content of a string.
            package static let isStringified = Flags(rawValue: 1 << 4)
            /// `keep` needs something inside the value, so that a scalar does not stay.
            static let mustHold = Flags(rawValue: 1 << 5)
            /// The container is removed if `keep` leaves nothing in it.
            static let isSearched = Flags(rawValue: 1 << 6)
            /// A rule discarded the node. It still counts as a duplicate.
            package static let isDiscarded = Flags(rawValue: 1 << 7)
            /// `keep` lists it, although it or something around it is discarded. The containers around the discarded node stay.
            static let isListed = Flags(rawValue: 1 << 8)
            /// The node was removed from the tree.
            static let isRemoved = Flags(rawValue: 1 << 9)
            /// It is among its parent's children.
            static let isLinked = Flags(rawValue: 1 << 10)
            /// The object has two members with the same input key.
            static let holdsRepetition = Flags(rawValue: 1 << 11)
            /// `sortKeys` changed the order of the object's members.
            package static let isReordered = Flags(rawValue: 1 << 12)
            /// Its text is that of several members that no rule looks at, with their keys, and with commas between them.
            static let isText = Flags(rawValue: 1 << 13)
        }

        /// What last took a node out of the tree. A discarded node has it before it is removed.
        package enum Removal: UInt8, BitwiseCopyable, Sendable {
            case none, discarded, repetition, keep, record, move, flatten, prune, collision
        }

        private var flags: Flags = []
        private var storedKind = Kind.scalar
        package internal(set) var removal = Removal.none
        /// The node's container now, and its container in the input; -1 for the root.
        package var parent: Int32
        package var inputParent: Int32
        /// The neighbours in the parent, or -1.
        var previous: Int32 = -1
        var next: Int32 = -1
        /// Scalar: start and length of its text. Container: its first and last child.
        private var content: (UInt32, UInt32) = (0, 0)
        /// Member: start and length of its output key. Element: its index.
        private var label: (UInt32, UInt32) = (0, 0)
        private var inputName: (UInt32, UInt32) = (0, 0)
        /// The index of the node's note in `HeldTree.notes`, or -1.
        var note: Int32 = -1
        /// The offset in the payload of the member's key or of the element.
        var offset = 0

        init(parent: Int32) {
            self.parent = parent
            inputParent = parent
        }

        package internal(set) subscript(flag: Flags) -> Bool {
            get { flags.contains(flag) }
            set { if newValue { flags.insert(flag) } else { flags.remove(flag) } }
        }

        // MARK: Kind, keys and values

        /// The kind. A scalar that becomes a container has no children at first.
        package var kind: Kind {
            get { storedKind }
            set {
                if (newValue == .scalar) != (storedKind == .scalar) {
                    content = newValue == .scalar ? (0, 0) : (UInt32.max, UInt32.max)
                }
                storedKind = newValue
            }
        }

        /// The first child, or -1; always -1 for a scalar.
        var firstChild: Int32 {
            get { storedKind == .scalar ? -1 : Int32(bitPattern: content.0) }
            set {
                precondition(storedKind != .scalar)
                content.0 = UInt32(bitPattern: newValue)
            }
        }
        var lastChild: Int32 {
            get { storedKind == .scalar ? -1 : Int32(bitPattern: content.1) }
            set {
                precondition(storedKind != .scalar)
                content.1 = UInt32(bitPattern: newValue)
            }
        }

        /// Scalar: the range of the value in the tree's `text`.
        var valueStart: Int { Int(content.0) }
        package var valueCount: Int { Int(content.1) }
        var valueRange: Range<Int> { valueStart..<(valueStart + valueCount) }

        mutating func setValue(start: Int, count: Int) {
            precondition(storedKind == .scalar)
            content = (UInt32(start), UInt32(count))
        }

        /// Element: the index in the input. Otherwise -1.
        package var index: Int {
            get { self[.isElement] ? Int(label.0) : -1 }
            set {
                self[.isElement] = true
                label.0 = UInt32(clamping: newValue)
            }
        }

        /// Member: the output key as it is spelled between its quotes, a range in `text`.
        var nameStart: Int { self[.isElement] ? 0 : Int(label.0) }
        var nameCount: Int { Int(label.1) }
        var nameRange: Range<Int> { nameStart..<(nameStart + nameCount) }
        /// Whether the spelling contains an escape.
        var nameHasEscape: Bool { self[.nameHasEscape] }

        mutating func setName(start: Int, count: Int, hasEscape: Bool) {
            self[.isElement] = false
            self[.nameHasEscape] = hasEscape
            label = (UInt32(start), UInt32(count))
        }

        /// Member of the input: the unescaped input key, also a range in `text`.
        var inputStart: Int { Int(inputName.0) }
        var inputCount: Int { Int(inputName.1) }
        package var isOfInput: Bool { self[.isOfInput] }

        mutating func setInputName(start: Int, count: Int) {
            self[.isOfInput] = true
            inputName = (UInt32(start), UInt32(count))
        }

        /// Member that `defaults` added: the index of the rule. Otherwise -1.
        package internal(set) var addition: Int {
            get { self[.isOfInput] ? -1 : Int(inputName.1) - 1 }
            set { inputName.1 = UInt32(newValue + 1) }
        }

        /// Whether the node certainly has the same key and the same object as in the input.
        var isUnchanged: Bool {
            flags.isSuperset(of: .isOfInput) && label == inputName && !self[.nameHasEscape] && parent == inputParent
        }
    }

    /// Facts that only few nodes have.
    struct Note: BitwiseCopyable, Sendable {
        var node: Int32
        /// The move that takes the value away, or -1.
        var move: Int32 = -1
        /// The error at the node, an index into `HeldObject.errors`, or -1.
        var error: Int32 = -1
        /// Whether that is an error of the input itself, which counts whatever `keep` removes.
        var errorIsOfInput = false
        /// The error for which the record was skipped.
        var skipped: ConversionError.Code?
        /// The error that counts only if the node stays when moves are undone, an index like `error`.
        var errorAfterMoves: Int32 = -1
        /// The requirement that the node meets, an index into `HeldObject.requirements`, or -1.
        var requirement: Int32 = -1
        /// How many nodes with `isListed` are at or below this discarded node, or at or below this record in a discarded node.
        var listedValues: Int32 = 0
    }
}
