/// What the converter knows of one payload, beside the containers that are open and what is held of them.
///
/// The next payload begins with a new one, so that nothing of this can be left behind. What a converter has learned of keys and places is
/// not in here, nor is storage that is worth keeping.
struct PayloadState: BitwiseCopyable, Sendable {
    /// Bytes taken before this chunk, line feeds among them, and the offset at which the last of those lines begins.
    var chunkOffset = 0
    var linesBefore = 0
    var lineOffset = 0
    /// Where the held token began, in bytes from the start of the payload.
    var heldOffset = 0
    /// Whether the fast lane noted where members have their names, instead of which entries these are.
    var hasPlaces = false

    /// While a member is left out: how many containers are around it; otherwise -1.
    var mutedDepth = -1
    /// Where the output stood when the member that is left out began.
    var mutedMark = 0
    /// The depth of the outermost container whose member may still go, or `settled`.
    var uncommittedDepth = Converter.settled
    /// The depth of the container whose member falls to a collision, though rules still look into it, or -1.
    var fallenDepth = -1

    /// The depth of the container whose member is the current record, or -1, and whether that is left out.
    var recordDepth = -1
    var recordIsBad = false
    /// The depth of the outermost container whose member may still go with the current record.
    var recordOuterDepth = Converter.settled
    /// Whether `keep` names it, or something in it, that another rule takes out.
    var recordIsFoundPlace = false
    var recordHoldsFoundPlace = false
    var isLineLeftOut = false
    /// Bad records, which were left out or replaced by null.
    var skippedRecords = 0

    /// The depth of the container whose member is written as text, or -1.
    var quoteDepth = -1
    /// Whether the beginning of that value was handed on.
    var isQuoteOpen = false
    /// The depth of the container whose member is the outermost object that is sorted in the text, or -1.
    var sortedDepth = -1

    /// The depth of the container whose member is the scope, or -1.
    var scopeDepth = -1
    /// Text of the scope that went to its nodes.
    var scopeBytes = 0
    /// The nodes of the scope whose line is known, and its deferred faults, as far as that can be.
    var placedNodes = 0
    var placedFaults = 0
    /// Whether the lines of the last of `openFaultLines` are to be found.
    var hasOpenFaults = false
}
