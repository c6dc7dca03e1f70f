import Sockets

/// What clients have lately had of their loop's time.
///
/// A turn is charged to its client's account, whichever of the client's connections has it. The account is paid off with
/// a quarter of the time that passes. So a client owes much only while it takes more than a quarter of the loop, and
/// then it waits for those that take less (`DeferredEvents`).
///
/// There is a fixed number of accounts. Clients that share one are found by a hash whose key is secret and new in each
/// process, so nobody can choose with whom.
struct TurnAccounts {
    private struct Account {
        var debt: Int64 = 0
        var time: Int64 = 0

        func debt(at now: MonotonicTime) -> Int64 { max(0, debt - max(0, now.nanoseconds - time) / 4) }
    }

    private static let count = 1024
    /// A client that owes more comes after the others: some thirty usual requests.
    static let maxPromptDebt: Int64 = 1_000_000
    /// More is forgiven, so that a client that stops taking much is prompt again within half a second.
    private static let maxDebt: Int64 = 100_000_000

    private var accounts = Array(repeating: Account(), count: count)

    /// The account of a client, or of a connection where many clients may be behind one address.
    static func account(of client: some Hashable) -> Int { client.hashValue & (count - 1) }

    /// Nanoseconds that an account owes.
    func debt(of account: Int, at now: MonotonicTime) -> Int64 { accounts[account].debt(at: now) }

    mutating func charge(_ account: Int, from start: MonotonicTime, to end: MonotonicTime) {
        let debt = accounts[account].debt(at: start) + end.nanoseconds - start.nanoseconds
        accounts[account] = Account(debt: min(debt, Self.maxDebt), time: end.nanoseconds)
    }
}
