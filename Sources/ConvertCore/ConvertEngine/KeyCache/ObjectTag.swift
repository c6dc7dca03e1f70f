/// Identifies one object of a payload by its serial number and depth, and says whether a key's member stays in it.
struct ObjectTag: BitwiseCopyable, Sendable, Equatable {
    static let none = ObjectTag(bits: 0)
    static let maxDepth = Limits.depths.upperBound

    /// From the highest bit down: 16 bits for the depth, 46 for the serial number, and two marks.
    private var bits: UInt64
    private static let depthShift: UInt64 = 48

    private init(bits: UInt64) { self.bits = bits }

    /// `serial` counts objects from 1; `depth` is the number of containers around the object. With `isRemoved`, it marks keys whose members
    /// do not stay.
    init(serial: UInt64, depth: Int, isRemoved: Bool = false) {
        bits = UInt64(truncatingIfNeeded: depth) &<< Self.depthShift | (serial &<< 18) &>> 16 | (isRemoved ? 2 : 0)
    }

    @inline(__always)
    var depth: Int { Int(truncatingIfNeeded: bits &>> Self.depthShift) }

    @inline(__always)
    var isNone: Bool { bits == 0 }

    /// Whether a collision removed the key's member from this object.
    @inline(__always)
    var hasCollided: Bool { bits & 1 != 0 }

    /// Whether the key was seen, but its member was removed again.
    @inline(__always)
    var isRemoved: Bool { bits & 2 != 0 }

    /// Whether the key has a member that stays.
    @inline(__always)
    var isPresent: Bool { bits & 3 == 0 }

    /// The marks that `SeenKeys` uses for the key's member.
    var marks: SeenKeys.Marks { [.seen, hasCollided ? .collided : [], isRemoved ? .removed : []] }

    /// A number that differs for every object, to choose slots in a table.
    var spread: UInt64 { bits &* 0x9E37_79B9_7F4A_7C15 }

    var collided: ObjectTag { ObjectTag(bits: bits | 1) }

    var removed: ObjectTag { ObjectTag(bits: bits | 2) }

    var present: ObjectTag { ObjectTag(bits: bits & ~3) }

    /// Whether its depth is less than that of an open object. If not, and it is another object, it has ended.
    @inline(__always)
    func isOutside(of open: ObjectTag) -> Bool { depth < open.depth }

    @inline(__always)
    func isSameObject(as other: ObjectTag) -> Bool { bits ^ other.bits < 4 }
}

/// The tag of a key, to be restored when the object that overwrote it ends.
struct TagUndo: BitwiseCopyable, Sendable {
    var entry: Int32
    var tag: ObjectTag
}
