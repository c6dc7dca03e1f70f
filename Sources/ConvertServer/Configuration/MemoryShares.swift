/// How the memory of the process is divided, so that the largest allowed request is answered or refused, and the system
/// never has to end the process.
///
/// In the worst case, besides the program and its loops:
///
/// - an eighth for converters that wait for their next payload;
/// - a quarter for everything that is kept of messages (`maxBufferedBytes`), of which a larger one counts for a third,
///   and half as much again for what clients have not accepted yet;
/// - a quarter for that larger one.
///
/// The rest is for arrays that are copied as they grow, and for connections with little: together with what all messages
/// may keep, it suffices for `connectionBytes` of each.
struct MemoryShares: Sendable, Hashable {
    /// The memory that the system lets the process take; nil if that is not known.
    let limitBytes: Int?
    let loops: Int

    private static let mebibyte = 1024 * 1024
    /// Resident bytes of the idle program, and room for profiles.
    private static let programBytes = 24 * mebibyte
    private static let loopBytes = mebibyte
    /// What a connection takes whose request is under way and which keeps less than `Reservation.smallBytes`: that, its converter
    /// and its decompressor.
    private static let connectionBytes = 64 * 1024
    /// Below this nothing useful can be done.
    private static let leastBytes = 16 * mebibyte

    /// What the limit leaves beside the program and its loops.
    private var availableBytes: Int? {
        limitBytes.map { max(Self.leastBytes, $0 - Self.programBytes - loops * Self.loopBytes) }
    }

    /// What one message may keep, whatever else there is room for: `.max` without a limit.
    func maxMessageBytes(buffered: Int) -> Int { availableBytes.map { max($0 / 4, buffered) } ?? .max }

    /// What all messages together may keep where nothing else is said, and `standard` where that is less.
    func maxBufferedBytes(standard: Int) -> Int { min(standard, availableBytes.map { $0 / 4 } ?? .max) }

    /// The connections that may be open where nothing else is said, and `standard` where that is less.
    func maxConnections(standard: Int) -> Int {
        min(standard, availableBytes.map { $0 / 2 / Self.connectionBytes } ?? .max)
    }

    /// What a loop may keep of converters between payloads.
    var maxPooledBytes: Int { availableBytes.map { $0 / 8 / loops } ?? .max }

    /// What does not fit the limit, a sentence each.
    func warnings(buffered: Int) -> [String] {
        guard let limitBytes, let availableBytes else { return [] }
        let neededBytes = Self.programBytes + loops * Self.loopBytes + Self.leastBytes
        guard limitBytes >= neededBytes else {
            return ["the memory limit is \(limitBytes) bytes, and \(loops) event loops need \(neededBytes)"]
        }
        // With more, what one message may keep and what all may are together more than there is.
        let mostBytes = availableBytes / 5 * 2
        guard buffered > mostBytes else { return [] }
        return ["`maxBufferedBytes` is \(buffered), and the memory limit of \(limitBytes) bytes allows \(mostBytes)"]
    }
}
