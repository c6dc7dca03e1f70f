/// Identifies one object of a payload by its serial number and depth, and says whether a name stays there.
struct ObjectTag: BitwiseCopyable, Sendable, Equatable {
    static let none = ObjectTag(bits: 0)
    static let maxDepth = Limits.depths.upperBound

    /// From the top: the depth, the serial number, and two marks.
    private var bits: UInt64
    private static let depthShift: UInt64 = 48

    private init(bits: UInt64) { self.bits = bits }

    /// `serial` counts objects from 1; `depth` is the number of containers around the object.
    init(serial: UInt64, depth: Int) {
        bits = UInt64(truncatingIfNeeded: depth) &<< Self.depthShift | (serial &<< 18) &>> 16
    }

    @inline(__always)
    var depth: Int { Int(truncatingIfNeeded: bits &>> Self.depthShift) }

    @inline(__always)
    var isNone: Bool { bits == 0 }

    /// Whether a collision left the name out of this object.
    @inline(__always)
    var hasFallen: Bool { bits & 1 != 0 }

    /// Whether the name was seen, but its member was taken back.
    @inline(__always)
    var isGone: Bool { bits & 2 != 0 }

    /// Whether the name has a member that stays.
    @inline(__always)
    var stands: Bool { bits & 3 == 0 }

    /// What became of the name's member.
    var marks: SeenKeys.Marks { [.seen, hasFallen ? .fallen : [], isGone ? .gone : []] }

    /// The object alone.
    var object: ObjectTag { ObjectTag(bits: bits & ~3) }

    /// A number that is another for every object, for places in a table.
    var spread: UInt64 { bits &* 0x9E37_79B9_7F4A_7C15 }

    var fallen: ObjectTag { ObjectTag(bits: bits | 1) }

    var gone: ObjectTag { ObjectTag(bits: bits | 2) }

    /// Whether its object is outside of one that is open now. If not, and it is another, it is over.
    @inline(__always)
    func isOutside(of open: ObjectTag) -> Bool { depth < open.depth }

    @inline(__always)
    func isSameObject(as other: ObjectTag) -> Bool { bits ^ other.bits < 4 }
}

/// A name's tag to put back when the object that wrote over it ends.
struct TagUndo: BitwiseCopyable, Sendable {
    var entry: Int32
    var tag: ObjectTag
}
