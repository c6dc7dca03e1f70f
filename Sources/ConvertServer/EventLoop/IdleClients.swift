import Sockets

/// Connections that may be closed for new ones when all are taken, the one that has been idle longest first.
///
/// One look at all connections finds many, so a flood of new clients does not cause a look at all of them each time. A
/// connection must be checked again before it is closed: it may have sent a request since.
struct IdleClients {
    /// A connection and since when it is idle.
    typealias Found = (token: PollToken, since: MonotonicTime)

    /// What one look may find.
    static let maxFound = 256
    /// How long after a look there is no other, for each connection that was looked at: thirty times as long as the look.
    private static let pauseNanoseconds: Int64 = 1000

    /// The longest idle comes last.
    private var found: [Found] = []
    private var nextSearch = MonotonicTime(nanoseconds: .min)

    /// Takes the one that has been idle longest of those that are known.
    mutating func next() -> Found? { found.popLast() }

    /// Notes what a look at `count` connections finds, unless the last one was just now; false if there is none.
    mutating func search(among count: Int, at now: MonotonicTime, _ all: () -> [Found]) -> Bool {
        guard now >= nextSearch else { return false }
        nextSearch = MonotonicTime(nanoseconds: now.nanoseconds + Int64(count) * Self.pauseNanoseconds)
        found = all().sorted { $0.since < $1.since }.prefix(Self.maxFound).reversed()
        return !found.isEmpty
    }
}
