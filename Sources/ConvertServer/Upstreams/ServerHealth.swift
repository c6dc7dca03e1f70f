package import Sockets

/// The health of one server: the results of the health checks, and of its last connections.
///
///     healthy ⇄ unhealthy        by so many good or bad responses to the health check in a row
///     tried → ejected → tried    by five failures to connect in a row; for ten seconds
///
/// The two are separate: a server may be healthy and ejected at the same time. Statuses of responses say nothing about
/// a server's health. Neither does a failure after a request was sent, because the request may have caused it. Only the
/// health check can detect these cases.
package struct ServerHealth: Sendable, Hashable {
    /// A change that is reported to the operator.
    package enum Change: Sendable, Hashable {
        /// The prober found it healthy again, or unhealthy.
        case healthy, unhealthy
        /// Its connections fail, so that others are preferred for a while.
        case ejected
        /// It responds again after that.
        case recovered
    }

    /// Failed connections in a row that eject a server.
    static let maxFailures = 5
    static let ejectionSeconds = 10

    /// The result of the prober. Servers start healthy.
    package private(set) var isHealthy = true
    /// Results of the prober in a row that contradict `isHealthy`.
    private var contraryResponses = 0
    /// Failed connections in a row.
    private var failures = 0
    /// The server stays ejected until it responds, even after this time.
    private var ejectedUntil: MonotonicTime?
    /// Whether it has ever sent bytes that belong to no response. It is still used, but nothing waits for bytes that it
    /// may send after a response.
    var hasSpokenUnasked = false

    /// Records a response to the prober, or a missing one.
    @discardableResult
    mutating func probed(isGood: Bool, _ check: HealthCheck) -> Change? {
        guard isGood != isHealthy else {
            contraryResponses = 0
            return nil
        }
        contraryResponses += 1
        guard contraryResponses >= (isGood ? check.healthyAfter : check.unhealthyAfter) else { return nil }
        isHealthy = isGood
        contraryResponses = 0
        return isGood ? .healthy : .unhealthy
    }

    /// Records a connect error, a connect timeout, or a close before any byte of a request was sent.
    @discardableResult
    package mutating func connectionFailed(at now: MonotonicTime) -> Change? {
        failures += 1
        guard failures >= Self.maxFailures else { return nil }
        failures = 0
        defer { ejectedUntil = now + Self.ejectionSeconds }
        return ejectedUntil == nil ? .ejected : nil
    }

    /// Records a response with any status.
    @discardableResult
    package mutating func responded(at now: MonotonicTime) -> Change? {
        failures = 0
        return ejectionEnds(at: now)
    }

    /// Records a response, to a request or a health check, that ends an ejection whose time is over.
    mutating func ejectionEnds(at now: MonotonicTime) -> Change? {
        // A response to a request from before the ejection does not prove a recovery.
        guard ejectedUntil != nil, !isEjected(at: now) else { return nil }
        ejectedUntil = nil
        return .recovered
    }

    /// Whether requests prefer this server.
    var isInUse: Bool { isHealthy && ejectedUntil == nil }

    func isEjected(at now: MonotonicTime) -> Bool { ejectedUntil.map { now < $0 } ?? false }
}

/// Chooses the server of a request.
enum ServerSelection {
    /// The next server round robin; nil if none is healthy.
    ///
    /// Ejected servers are skipped, unless all are ejected. Then all are tried.
    ///
    /// - Parameters:
    ///   - turn: the number of requests of an upstream, counted from a random number.
    ///   - avoided: the server that has just failed. It is chosen only if there is no other.
    static func choose<Servers: RandomAccessCollection<ServerHealth>>(
        among servers: Servers, turn: UInt64, avoiding avoided: Int? = nil, at now: MonotonicTime
    ) -> Int? where Servers.Index == Int {
        // Two walks over the servers need no list of those that a request may go to.
        var best = Int.max
        var count = 0
        for index in servers.indices {
            guard let rank = servers[index].rank(isAvoided: index == avoided, at: now), rank <= best else { continue }
            count = rank < best ? 1 : count + 1
            best = rank
        }
        guard count > 0 else { return nil }
        var left = Int(turn % UInt64(count))
        for index in servers.indices where servers[index].rank(isAvoided: index == avoided, at: now) == best {
            if left == 0 { return index }
            left -= 1
        }
        return nil
    }
}

extension ServerHealth {
    /// The order in which servers are preferred, the lowest first; nil for one that gets no requests.
    fileprivate func rank(isAvoided: Bool, at now: MonotonicTime) -> Int? {
        isHealthy ? (isEjected(at: now) ? 2 : 0) + (isAvoided ? 1 : 0) : nil
    }
}
