@testable import ConvertServer
@testable import Sockets
@testable import Telemetry

extension LoopServices {
    /// Services with counters of their own and a clock that stands still.
    convenience init(_ configuration: ServerConfiguration) {
        self.init(
            configuration, MetricsRegistry(startedWall: 0, startedMonotonic: 0), LogSink(),
            clock: { MonotonicTime(nanoseconds: 0) })
    }
}
