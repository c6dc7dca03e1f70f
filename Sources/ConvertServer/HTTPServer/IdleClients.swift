import Sockets

/// Connections that may be closed for new ones if all are in use, the one that has been idle longest first.
///
/// One search through all connections finds many, so a flood of new clients does not cause a search each time. A
/// connection must be checked again before it is closed, because it may have sent a request since.
struct IdleClients {
    /// A connection, and the time since which it is idle.
    typealias Found = (token: PollToken, since: MonotonicTime)

    /// The most connections that one search finds.
    static let maxFound = 256
    /// The pause after a search, for each connection that was checked: thirty times as long as the search.
    private static let pauseNanoseconds: Int64 = 1000

    /// The one with the longest idle time comes last.
    private var found: [Found] = []
    private var nextSearch = MonotonicTime(nanoseconds: .min)

    /// Takes the found connection that has been idle longest.
    mutating func next() -> Found? { found.popLast() }

    /// Searches `count` connections, unless the last search was just now. False if there is none.
    mutating func search(among count: Int, at now: MonotonicTime, _ all: () -> [Found]) -> Bool {
        guard now >= nextSearch else { return false }
        nextSearch = MonotonicTime(nanoseconds: now.nanoseconds + Int64(count) * Self.pauseNanoseconds)
        found = all().sorted { $0.since < $1.since }.prefix(Self.maxFound).reversed()
        return !found.isEmpty
    }
}
