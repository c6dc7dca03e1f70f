/// The converter's state for one payload, beside the open containers and what is buffered of them.
///
/// Each payload begins with a new one, so nothing is left from the last. Learned keys and paths are not in here, nor is storage that is
/// worth keeping.
struct PayloadState: BitwiseCopyable, Sendable {
    var discard = Discard()
    /// The depth of the outermost container whose current member may still be removed, or `allCommitted`.
    var uncommittedDepth = Engine.allCommitted
    /// The depth of the container whose member loses to a collision although rules still look into it, or -1.
    var collidedDepth = -1

    var records = Records()
    var stringify = Stringify()

    /// Whether duplicate keys count. They do not in hidden values, nor in bad records.
    @inline(__always)
    var checksKeys: Bool { !records.isBad && !discard.isHidden }
}
