import Conversions
import ConvertEngine
import EventLoop
import Gateway
import HTTPSemantics
import HTTPWire
import Observability
import Service
import Sockets
import Telemetry
import Upstreams

/// The shared state of the HTTP connections of one loop. No other loop uses it.
final class HTTPContext {
    /// The settings at the start. Those that a reload changes are not read from here.
    let configuration: ServerConfiguration
    var times: ConnectionTimes
    let router: Router
    /// Handles the requests of public listeners, and of those of `admin`.
    private(set) var publicHandler: any RequestHandler
    let adminHandler: any RequestHandler
    /// The same as `publicHandler` if there are no routes.
    private let publicService: ServiceHandler
    /// The proxies that may name their clients.
    var trustedProxies: TrustedProxies

    /// The shared state of all channels of the loop.
    let loop: LoopContext
    let forwarding: GatewayContext
    let metrics: LoopMetrics
    let accessLog: AccessLog
    let fields = ResponseFields()
    var identifiers = RequestIdentifiers()
    let converters: ConverterPool
    let encoders: EncoderPool
    /// The buffered bytes of the process.
    let heldBytes: MemoryBudget
    /// The buffer for decoded bodies, portion by portion; empty between two calls.
    var decoded = ByteBuffer()
    /// Sends a long profile to the compile queue, for the request with this number on a connection. Nil if there is no loop
    /// for the result.
    var compileQueue: ((CompileQueue.Job, PollToken, Int) -> CompileQueue.Cancellation)?
    /// Starts the work for a buffered object outside the loop, for a connection. Nil if there is no loop for the
    /// result.
    var heldWork: ((HeldObjectWork, PollToken) -> Void)?

    init(
        _ configuration: ServerConfiguration, _ registry: MetricsRegistry, _ log: LogSink, _ loop: LoopContext,
        directory: UpstreamDirectory = UpstreamDirectory(), heldBytes: MemoryBudget = MemoryBudget()
    ) {
        self.loop = loop
        self.heldBytes = heldBytes
        times = configuration.times
        let router = Router(configuration)
        self.router = router
        trustedProxies = configuration.gateway.trustedProxies
        metrics = registry.makeLoopMetrics()
        self.configuration = configuration
        accessLog = AccessLog(metrics, log, isWritten: configuration.writesAccessLog)
        converters = ConverterPool(maxBytes: configuration.memory.maxPooledBytes)
        encoders = EncoderPool(heldBytes, maxHeldBytes: configuration.gateway.maxBufferedBytes)
        forwarding = GatewayContext(
            loop, directory, converters, encoders, metrics, maxDecodedRatio: configuration.maxDecodedRatio,
            maxStreamUnitBytes: configuration.wireLimits.maxBodyBytes)
        let exposition = {
            registry.exposition(
                monotonicNanoseconds: loop.clock().nanoseconds, process: .current(), droppedLines: log.drops,
                heldBytes: heldBytes.count, servers: directory.health)
        }
        publicService = ServiceHandler(router, isPublic: true, exposition: exposition)
        publicHandler = publicService
        adminHandler = ServiceHandler(router, isPublic: false, exposition: exposition)
    }

    /// Gives the requests of public listeners to the routes of a gateway, or to the service's own paths if there are none.
    func use(_ gateway: Gateway?) { publicHandler = gateway.map(GatewayHandler.init) ?? publicService }

    var clock: () -> MonotonicTime { loop.clock }
}
