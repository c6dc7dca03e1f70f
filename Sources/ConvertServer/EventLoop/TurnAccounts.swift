import Sockets

/// The time of the loop that each client has used lately.
///
/// A turn of any channel of a client is charged to the client's account. A quarter of the elapsed time is paid back.
/// So a client has a large debt only while it takes more than a quarter of the loop. Then it waits for those that take
/// less (`DeferredEvents`).
///
/// There is a fixed number of accounts. Clients that share one are found by a hash whose key is secret and new in each
/// process, so nobody can choose whose account to share.
struct TurnAccounts {
    private struct Account {
        var debt: Int64 = 0
        var time: Int64 = 0

        func debt(at now: MonotonicTime) -> Int64 { max(0, debt - max(0, now.nanoseconds - time) / 4) }
    }

    private static let count = 1024
    /// A client with a larger debt comes after the others: about thirty usual requests.
    static let maxPromptDebt: Int64 = 1_000_000
    /// The largest debt. So a client that takes less again is served promptly within half a second.
    private static let maxDebt: Int64 = 100_000_000

    private var accounts = Array(repeating: Account(), count: count)

    /// The account of a client, or of a channel if many clients may be behind one address.
    static func account(of client: some Hashable) -> Int { client.hashValue & (count - 1) }

    /// Nanoseconds that an account owes.
    func debt(of account: Int, at now: MonotonicTime) -> Int64 { accounts[account].debt(at: now) }

    mutating func charge(_ account: Int, from start: MonotonicTime, to end: MonotonicTime) {
        let debt = accounts[account].debt(at: start) + end.nanoseconds - start.nanoseconds
        accounts[account] = Account(debt: min(debt, Self.maxDebt), time: end.nanoseconds)
    }
}
