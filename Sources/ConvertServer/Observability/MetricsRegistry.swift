import Synchronization
import Telemetry

/// The data of `/metrics`: the counters of the loops, their labels, and the reports of the control queue.
///
/// Loops use it only at their start. See `LoopMetrics` for the work for each request.
package final class MetricsRegistry: Sendable {
    /// Names of profiles that are counted separately, over the life of the process.
    static let maxProfiles = 1000

    /// Servers of upstreams that are counted separately, over the life of the process.
    static let maxBackends = 1000

    /// The results of loading the configuration and the profiles.
    struct Reloads: Sendable, Hashable {
        var successes: UInt64 = 0
        var failures: UInt64 = 0
        /// Whether the last load had no error; nil before the first one.
        var isLastSuccessful: Bool?
        /// Nanoseconds since 1970.
        var lastNanoseconds: Int64?
        var lastSuccessNanoseconds: Int64?
        /// Profiles that can be used.
        var loadedProfiles = 0
    }

    /// The start of the process, in nanoseconds since 1970 and on the monotonic clock.
    package let startedWall: Int64
    package let startedMonotonic: Int64

    let routes = LabelTable(fixed: RouteLabel.fixed, maxValues: LoopCells.maxRoutes)
    let profiles = LabelTable(fixed: ProfileLabel.fixed, maxValues: maxProfiles + ProfileLabel.fixed.count)
    let backends = LabelTable(fixed: BackendLabel.fixed, maxValues: maxBackends)
    private let loops = Mutex<[LoopCells]>([])
    let reloads = Mutex(Reloads())
    /// By route. They are few, so all threads share them.
    let shadows = Mutex<[RouteLabel: [UInt64]]>([:])
    let streams = Mutex<Set<RouteLabel>>([])

    /// The program's version, for `convert_build_info`.
    package let version: String

    package init(startedWall: Int64, startedMonotonic: Int64, version: String) {
        self.version = version
        self.startedWall = startedWall
        self.startedMonotonic = startedMonotonic
    }

    /// The counters for one more loop, which calls this once. They stay when the loop ends.
    package func makeLoopMetrics() -> LoopMetrics {
        let cells = LoopCells()
        loops.withLock { $0.append(cells) }
        return LoopMetrics(writing: cells)
    }

    // MARK: Configuration

    /// The label of a loaded profile. The control queue calls it, not each request.
    package func label(ofProfile name: String) -> ProfileLabel { ProfileLabel(index: profiles.intern(name)) }

    /// The label of a route in the configuration. It is called when the configuration is read.
    package func label(ofRoute name: String) -> RouteLabel { RouteLabel(index: routes.intern(name)) }

    /// Reports the payloads of a route's streams also while there are none.
    package func convertsStreams(_ route: RouteLabel) { streams.withLock { _ = $0.insert(route) } }

    /// The label of a server in the configuration. It is called when the configuration is read.
    package func label(ofServer server: String, of upstream: String) -> BackendLabel {
        BackendLabel(index: backends.intern(BackendLabel.text(upstream: upstream, server: server)))
    }

    /// Records that configuration and profiles were loaded. `isComplete` means that neither they nor the directory had
    /// an error.
    package func loaded(profiles count: Int, isComplete: Bool, wallNanoseconds: Int64) {
        reloads.withLock { reloads in
            if isComplete {
                reloads.successes += 1
                reloads.lastSuccessNanoseconds = wallNanoseconds
            } else {
                reloads.failures += 1
            }
            reloads.isLastSuccessful = isComplete
            reloads.lastNanoseconds = wallNanoseconds
            reloads.loadedProfiles = count
        }
    }

    /// Counts the result of a response that a route's `shadow` has chosen.
    package func shadowEnded(_ outcome: ShadowOutcome, _ route: RouteLabel) {
        shadows.withLock { shadows in
            shadows[route, default: Array(repeating: 0, count: ShadowOutcome.allCases.count)][outcome.rawValue] += 1
        }
    }

    // MARK: Reading

    var totals: LoopTotals {
        var totals = LoopTotals()
        for cells in loops.withLock({ $0 }) { totals.add(cells) }
        return totals
    }
}
