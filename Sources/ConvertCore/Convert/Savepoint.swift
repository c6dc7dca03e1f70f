/// What a plan that may take members back again must know of one open container, and of the member being read in it.
///
/// Savepoints are kept beside the containers, by depth, and are kept only for plans with such rules. Their offsets are places in
/// `staged`, where output waits as long as it may be taken back.
struct Savepoint: BitwiseCopyable, Sendable {
    /// The container's node in the held object, or -1.
    var node: Int32 = -1

    /// Where the member begins, its comma included, and where its value does.
    var mark = 0
    var valueMark = 0
    /// Whether the container was empty before the member.
    var wasEmpty = true
    /// Whether the member's value is a container that goes when nothing is left in it.
    var isTentative = false
    /// Whether a rule leaves the member out, whatever it holds.
    var isLeftOut = false
    /// Whether a scalar does not stay here.
    var mustHold = false
    /// Whether it also goes as long as `keep` found nothing in it.
    var isSearched = false
    /// Whether the member goes when its value ends.
    var isRemoved = false
    /// Whether the member is the first of its input name.
    var isFirst = false
    /// Whether the member will collide with another if it stays.
    var collides = false
    /// The rule that cannot take the member's value, a container that may still go, or -1; and where that begins.
    var badRule: Int32 = -1
    var badOffset = 0
    /// Where the member's name or the element begins, in bytes from the start of the payload.
    var offset = 0
    /// The container's addition that the member makes needless, and the requirement that it meets, or -1.
    var addition: Int32 = -1
    var requirement: Int32 = -1
    /// The member's node in the held object, or -1.
    var memberNode: Int32 = -1
}
