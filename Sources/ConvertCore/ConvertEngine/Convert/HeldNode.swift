extension HeldTree {
    /// One member or element, or the held object's root: small, since there may be millions.
    ///
    /// What only a container has and what only a scalar has share their places, and so do a member's name and an element's index.
    package struct Node: BitwiseCopyable, Sendable {
        package enum Kind: UInt8, BitwiseCopyable, Sendable { case scalar, array, object }

        struct Flags: OptionSet, BitwiseCopyable, Sendable {
            var rawValue: UInt16

            static let isElement = Flags(rawValue: 1 << 0)
            static let nameHasEscape = Flags(rawValue: 1 << 1)
            static let isOfInput = Flags(rawValue: 1 << 2)
            static let isRecord = Flags(rawValue: 1 << 3)
            static let isStringified = Flags(rawValue: 1 << 4)
            static let mustHold = Flags(rawValue: 1 << 5)
            static let isSearched = Flags(rawValue: 1 << 6)
            static let isLeftOut = Flags(rawValue: 1 << 7)
            static let isFoundPlace = Flags(rawValue: 1 << 8)
            static let isGone = Flags(rawValue: 1 << 9)
            static let isRenamed = Flags(rawValue: 1 << 10)
            static let isLinked = Flags(rawValue: 1 << 11)
            static let holdsRepetition = Flags(rawValue: 1 << 12)
            static let isThinned = Flags(rawValue: 1 << 13)
        }

        private var flags: Flags = []
        private var storedKind = Kind.scalar
        /// The container the node is in now, and the one it had in the input; -1 for the root.
        package var parent: Int32
        package var inputParent: Int32
        /// The neighbours in the parent, or -1.
        var previous: Int32 = -1
        var next: Int32 = -1
        /// Where a scalar's text is, or a container's first and last child.
        private var content: (UInt32, UInt32) = (0, 0)
        /// Where a member's name is, or an element's index.
        private var label: (UInt32, UInt32) = (0, 0)
        private var inputName: (UInt32, UInt32) = (0, 0)
        /// What `HeldTree.notes` says of the node, or -1.
        var note: Int32 = -1
        /// Where the member's name or the element begins in the payload.
        var offset = 0

        init(parent: Int32) {
            self.parent = parent
            inputParent = parent
        }

        private subscript(flag: Flags) -> Bool {
            get { flags.contains(flag) }
            set { if newValue { flags.insert(flag) } else { flags.remove(flag) } }
        }

        // MARK: What it is

        /// A node that becomes a container is an empty one.
        package var kind: Kind {
            get { storedKind }
            set {
                if (newValue == .scalar) != (storedKind == .scalar) {
                    content = newValue == .scalar ? (0, 0) : (UInt32.max, UInt32.max)
                }
                storedKind = newValue
            }
        }

        /// Children, or -1.
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

        /// Scalar: the value's text, in the tree's `text`.
        var valueStart: Int { Int(content.0) }
        package var valueCount: Int { Int(content.1) }

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

        /// Member: the output name as spelled between its quotes, in `text`.
        var nameStart: Int { self[.isElement] ? 0 : Int(label.0) }
        var nameCount: Int { Int(label.1) }
        /// Whether the spelling holds an escape.
        var nameHasEscape: Bool { self[.nameHasEscape] }

        mutating func setName(start: Int, count: Int, hasEscape: Bool) {
            self[.isElement] = false
            self[.nameHasEscape] = hasEscape
            label = (UInt32(start), UInt32(count))
        }

        /// Member of the input: the name there, unescaped, in `text`, too.
        var inputStart: Int { Int(inputName.0) }
        var inputCount: Int { Int(inputName.1) }
        package var isOfInput: Bool { self[.isOfInput] }

        package mutating func setInputName(start: Int, count: Int) {
            self[.isOfInput] = true
            inputName = (UInt32(start), UInt32(count))
        }

        /// Whether it is sure to have the name, and to be in the object, that it has in the input.
        var isUnchanged: Bool {
            flags.isSuperset(of: .isOfInput) && label == inputName && !self[.nameHasEscape] && parent == inputParent
        }

        // MARK: What is to become of it

        var isRecord: Bool {
            get { self[.isRecord] }
            set { self[.isRecord] = newValue }
        }
        /// Whether the text of the container becomes the content of a string.
        var isStringified: Bool {
            get { self[.isStringified] }
            set { self[.isStringified] = newValue }
        }
        /// Whether a scalar does not stay here.
        var mustHold: Bool {
            get { self[.mustHold] }
            set { self[.mustHold] = newValue }
        }
        /// Whether the container goes when `keep` leaves nothing in it.
        package var isSearched: Bool {
            get { self[.isSearched] }
            set { self[.isSearched] = newValue }
        }
        /// Whether another rule left it out; it counts as a duplicate all the same.
        package var isLeftOut: Bool {
            get { self[.isLeftOut] }
            set { self[.isLeftOut] = newValue }
        }
        /// Whether `keep` names it, though it is left out, or something around it: what is around that stays.
        var isFoundPlace: Bool {
            get { self[.isFoundPlace] }
            set { self[.isFoundPlace] = newValue }
        }
        /// Whether it is no member or element of anything any more.
        package var isGone: Bool {
            get { self[.isGone] }
            set { self[.isGone] = newValue }
        }
        /// Whether it is gone for nothing but that `keep` found nothing in it.
        var isThinned: Bool {
            get { self[.isThinned] }
            set { self[.isThinned] = newValue }
        }
        /// Whether a rule changed the name.
        package var isRenamed: Bool {
            get { self[.isRenamed] }
            set { self[.isRenamed] = newValue }
        }
        /// Whether it is among its parent's children.
        var isLinked: Bool {
            get { self[.isLinked] }
            set { self[.isLinked] = newValue }
        }
        /// Whether the object holds two members of one input name.
        var holdsRepetition: Bool {
            get { self[.holdsRepetition] }
            set { self[.holdsRepetition] = newValue }
        }
    }

    /// What is to be known of few nodes.
    package struct Note: BitwiseCopyable, Sendable {
        var node: Int32
        /// The move that takes the value away, or -1.
        package var move: Int32 = -1
        /// What is wrong with the value, an index into the converter's deferred faults, or -1.
        var fault: Int32 = -1
        /// Whether that is a fault of the input as it is, whatever `keep` leaves of it.
        var faultIsOfInput = false
        /// What is wrong with name or value, if the member stays once moves are undone, as `fault`.
        var faultAfterMoves: Int32 = -1
        /// What the payload requires here, an index into the converter's met requirements, or -1.
        var requirement: Int32 = -1
        /// The places that `keep` names in what is left out here, or in a record in such a part.
        var foundPlaces: Int32 = 0
    }
}
