/// What the converter knows of one payload, beside the containers that are open and what is held of them.
///
/// The next payload begins with a new one, so that nothing of this can be left behind. What a converter has learned of keys and places is
/// not in here, nor is storage that is worth keeping.
struct PayloadState: BitwiseCopyable, Sendable {
    var discard = Discard()
    /// The depth of the outermost container whose member may still go, or `settled`.
    var uncommittedDepth = Engine.settled
    /// The depth of the container whose member falls to a collision, though rules still look into it, or -1.
    var fallenDepth = -1

    var records = Records()
    var stringify = Stringify()

    /// Whether equal names count: not in what is hidden or goes with its record.
    @inline(__always)
    var judgesNames: Bool { !records.isBad && !discard.isHidden }
}
