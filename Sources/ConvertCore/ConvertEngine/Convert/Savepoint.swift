/// The member being read in one open container, for plans that may take members back.
///
/// There is one for each open container, by depth. Marks are positions in `staged`, where output waits while it may be taken back.
struct Savepoint: BitwiseCopyable, Sendable {
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
    /// Where the member's name or the element begins, in bytes from the start of the payload.
    var offset = 0
}
