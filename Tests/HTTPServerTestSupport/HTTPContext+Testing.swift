@testable import EventLoop
@testable package import HTTPServer
@testable import Observability
@testable package import Sockets
@testable import Telemetry

extension HTTPContext {
    /// Services with their own counters, and a clock that does not advance unless another is given.
    package convenience init(
        _ configuration: ServerConfiguration,
        clock: @escaping () -> MonotonicTime = { MonotonicTime(nanoseconds: 0) }
    ) {
        self.init(
            configuration, MetricsRegistry(startedWall: 0, startedMonotonic: 0, version: "0"), LogSink(),
            LoopContext(clock: clock))
    }
}
