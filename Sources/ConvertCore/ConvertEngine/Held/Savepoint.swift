/// The member being read in one open container, for plans that may remove members again.
///
/// There is one for each open container, by depth; in plans that only sort members, one for the payload. Marks are positions in `staged`,
/// where output waits while it may be removed.
struct Savepoint: BitwiseCopyable, Sendable {
    /// The positions where the member begins, with its comma, and where its value begins.
    var mark = 0
    var valueMark = 0
    /// Whether the container was empty before the member.
    var wasEmpty = true
    /// Whether the member's value is a container that is removed if nothing is left in it.
    var isTentative = false
    /// Whether the member's value is an object that is flattened.
    var isFlattened = false
    /// Whether a rule removes the member, whatever it contains.
    var isDiscarded = false
    /// Whether the value must be a container to stay here.
    var mustHold = false
    /// Whether a container is also removed if `keep` found nothing in it.
    var isSearched = false
    /// Whether the member is removed when its value ends.
    var isRemoved = false
    /// Whether the member is the first with its input key.
    var isFirst = false
    /// The offset in the payload, in bytes, at which the member's key or the element begins.
    var offset = 0
}
