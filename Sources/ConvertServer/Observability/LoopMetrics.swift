package import Telemetry

/// The counts of one event loop. They belong to that loop and cannot be sent to another. No call takes a lock or
/// allocates.
package final class LoopMetrics {
    /// What is counted for all routes together.
    ///
    /// A scrape reads the counts in this order. Closed connections come before accepted ones, so that for each closing that
    /// is seen, the opening is seen too.
    package enum Count: Int, Sendable, CaseIterable {
        /// Bad records that a profile skipped or replaced by null.
        case skippedRecords
        /// Connections that were accepted and have ended.
        case closedConnections
        /// Idle connections that were closed for a new one.
        case displacedConnections
        case acceptedConnections
        /// Connections that were refused because the limit was reached.
        case refusedAtLimit
        /// The same because the system had no descriptor or no memory left.
        case refusedExhausted
        /// The same because the client had reached its limit.
        case refusedForClient
    }

    private let cells: LoopCells

    /// `cells` must have no other writer.
    package init(writing cells: LoopCells) { self.cells = cells }

    /// Counts a finished request.
    ///
    /// - Parameters:
    ///   - status: the sent status; 499 if nothing could be sent.
    ///   - bytesIn: bytes of the request's body as they were on the wire, without framing.
    ///   - bytesOut: the same of the response's body.
    ///   - nanoseconds: from the first byte of the head until the system had accepted the last byte of the response.
    package func requestEnded(
        route: RouteLabel = .unmatched, profile: ProfileLabel = .none, status: Int, bytesIn: Int = 0,
        bytesOut: Int = 0, nanoseconds: Int64 = 0
    ) {
        cells.requests.add(route, StatusLabel(status), profile)
        let index = Int(route.index)
        cells.routes[index].durations.observe(nanoseconds: UInt64(max(0, nanoseconds)))
        cells.routes[index].requestBytes.add(UInt64(max(0, bytesIn)))
        cells.routes[index].responseBytes.add(UInt64(max(0, bytesOut)))
    }

    package func conversionEnded(_ result: ConversionResult) { cells.conversions[result.index].add() }

    package func count(_ what: Count, _ amount: Int = 1) { cells.counts[what.rawValue].add(UInt64(clamping: amount)) }

    package func payloadEnded(_ outcome: StreamOutcome, _ route: RouteLabel) {
        cells.routes[Int(route.index)].payloads[outcome.rawValue].add()
    }

    /// Counts the result of one request at a server.
    package func forwarded(_ route: RouteLabel, _ outcome: ForwardingOutcome, _ backend: BackendLabel) {
        cells.forwarded.add(route, outcome, backend)
    }

    /// Counts the time of a server for one attempt.
    package func upstreamTook(_ nanoseconds: Int64, _ backend: BackendLabel) {
        let label = Int(backend.index) < LoopCells.maxTimedBackends ? backend : .other
        cells.upstreams[Int(label.index)].observe(nanoseconds: UInt64(max(0, nanoseconds)))
    }
}

/// The counters of one loop. Its `LoopMetrics` writes them, and a scrape reads them.
package final class LoopCells: Sendable {
    package struct Route: ~Copyable, Sendable {
        let durations = DurationHistogram()
        let requestBytes = Counter()
        package let responseBytes = Counter()
        /// Payloads of streams by `StreamOutcome`.
        let payloads = InlineArray<3, Counter> { _ in Counter() }
    }

    /// Routes that are counted separately, 113 of them of a gateway. The table of their labels has no more.
    static let maxRoutes = 130

    /// Servers of upstreams whose durations are counted separately.
    package static let maxTimedBackends = 128

    package let requests = SeriesTable()
    /// By route, outcome and server.
    package let forwarded = SeriesTable()
    package let routes = InlineArray<130, Route> { _ in Route() }
    /// By `BackendLabel`.
    package let upstreams = InlineArray<128, DurationHistogram> { _ in DurationHistogram() }
    /// By `ConversionResult.index`.
    package let conversions = InlineArray<16, Counter> { _ in Counter() }
    /// By `LoopMetrics.Count`.
    let counts = InlineArray<16, Counter> { _ in Counter() }
}

/// The counts of all loops at one time.
struct LoopTotals {
    struct Route {
        var durations = DurationHistogram.Total()
        var requestBytes: UInt64 = 0
        var responseBytes: UInt64 = 0
        var payloads = [UInt64](repeating: 0, count: StreamOutcome.allCases.count)
    }

    private(set) var requests: [SeriesKey: UInt64] = [:]
    private(set) var forwarded: [SeriesKey: UInt64] = [:]
    private(set) var routes = [Route](repeating: Route(), count: LoopCells.maxRoutes)
    private(set) var upstreams = [DurationHistogram.Total](
        repeating: DurationHistogram.Total(), count: LoopCells.maxTimedBackends)
    private(set) var conversions = [UInt64](repeating: 0, count: ConversionResult.all.count)
    private var counts = [UInt64](repeating: 0, count: LoopMetrics.Count.allCases.count)

    subscript(what: LoopMetrics.Count) -> UInt64 { counts[what.rawValue] }

    mutating func add(_ cells: borrowing LoopCells) {
        cells.requests.add(to: &requests)
        cells.forwarded.add(to: &forwarded)
        for index in routes.indices {
            cells.routes[index].durations.add(to: &routes[index].durations)
            routes[index].requestBytes &+= cells.routes[index].requestBytes.current
            routes[index].responseBytes &+= cells.routes[index].responseBytes.current
            for outcome in routes[index].payloads.indices {
                routes[index].payloads[outcome] &+= cells.routes[index].payloads[outcome].current
            }
        }
        for index in upstreams.indices { cells.upstreams[index].add(to: &upstreams[index]) }
        for index in conversions.indices { conversions[index] &+= cells.conversions[index].current }
        for index in counts.indices { counts[index] &+= cells.counts[index].current }
    }
}
