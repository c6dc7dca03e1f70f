/// Divides the memory of the process. So the largest allowed request gets a response or is refused, and the system
/// never has to kill the process.
///
/// In the worst case, besides the program and its loops:
///
/// - an eighth for converters that wait for their next payload;
/// - a quarter for all buffered messages (`maxBufferedBytes`), and half as much again for bytes that clients have not
///   accepted yet; a larger message counts for a third of it;
/// - a quarter for that larger one.
///
/// The rest is for arrays that are copied as they grow, and for connections with little data. Together with the share
/// of all messages, it is enough for `connectionBytes` of each.
package struct MemoryShares: Sendable, Hashable {
    /// The memory limit of the process; nil if it is not known.
    package let limitBytes: Int?
    package let loops: Int

    private static let mebibyte = 1024 * 1024
    /// Resident bytes of the idle program, and room for profiles.
    private static let programBytes = 24 * mebibyte
    private static let loopBytes = mebibyte
    /// The memory of a connection with a request that buffers less than `Reservation.smallBytes`: its buffers, its
    /// converters and its decompressors. It is an average: with rules and gzip in both directions, one can take 320 KiB.
    private static let connectionBytes = 128 * 1024
    /// The least memory that is useful.
    private static let leastBytes = 16 * mebibyte

    /// The memory that the limit leaves besides the program and its loops.
    private var availableBytes: Int? {
        limitBytes.map { max(Self.leastBytes, $0 - Self.programBytes - loops * Self.loopBytes) }
    }

    /// The most bytes that one message may buffer; `.max` without a limit.
    package func maxMessageBytes(buffered: Int) -> Int { availableBytes.map { max($0 / 4, buffered) } ?? .max }

    /// The default of the bytes that all messages may buffer together, but at most `standard`.
    package func maxBufferedBytes(standard: Int) -> Int { min(standard, availableBytes.map { $0 / 4 } ?? .max) }

    /// The default limit of open connections, but at most `standard`.
    package func maxConnections(standard: Int) -> Int {
        min(standard, availableBytes.map { $0 / 2 / Self.connectionBytes } ?? .max)
    }

    /// The most memory for a loop's converters between payloads.
    var maxPooledBytes: Int { availableBytes.map { $0 / 8 / loops } ?? .max }

    /// Warnings about options that exceed the limit, one sentence each.
    package func warnings(buffered: Int) -> [String] {
        guard let limitBytes, let availableBytes else { return [] }
        let neededBytes = Self.programBytes + loops * Self.loopBytes + Self.leastBytes
        guard limitBytes >= neededBytes else {
            return ["the memory limit is \(limitBytes) bytes, and \(loops) event loops need \(neededBytes)"]
        }
        // With more, the share of one message and the share of all would together exceed the memory.
        let mostBytes = availableBytes / 5 * 2
        guard buffered > mostBytes else { return [] }
        return ["`maxBufferedBytes` is \(buffered), and the memory limit of \(limitBytes) bytes allows \(mostBytes)"]
    }

    package init(limitBytes: Int?, loops: Int) {
        self.limitBytes = limitBytes
        self.loops = loops
    }
}
