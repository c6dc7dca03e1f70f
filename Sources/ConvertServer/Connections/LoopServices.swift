import ContentCodings
import ConvertCore
import HTTPSemantics
import HTTPWire
import Sockets
import Telemetry

/// The objects that the connections of one loop share. No other loop uses them.
final class LoopServices {
    let wireLimits: WireLimits
    var times: DeadlineKeeper.Times
    let commitBytes: Int
    let highWaterBytes: Int
    let uploadHighWaterBytes: Int
    let maxProfileBytes: Int
    /// The most bytes that all requests together may buffer.
    let maxBufferedBytes: Int
    /// The most bytes that one request may buffer.
    let maxMessageBytes: Int
    /// The most bytes of one event, or of one text of a JSON sequence.
    let maxStreamUnitBytes: Int
    /// The most bytes that a compressed body may decode to; nil for no limit.
    let maxDecodedBytes: Int?
    let maxDecodedRatio: Int
    /// The limits of one payload: the length of its output, and the processor time of its conversion.
    let maxResponseBytes: Int
    let maxRequestNanoseconds: Int64
    /// 0 means no limit.
    let maxRequestsPerConnection: Int
    let writesAccessLog: Bool

    let router: Router
    /// The routes of the public listeners; nil if there are none.
    var gateway: Gateway?
    /// The proxies that may name their clients.
    var trustedProxies: TrustedProxies
    /// The upstreams of the process.
    let directory: UpstreamDirectory
    /// The buffered bytes of the process.
    let heldBytes: HeldBytes
    /// The loop's idle connections to upstreams.
    let upstreams = UpstreamPool()
    /// Sends a long profile to the workshop, for the request with this number on a connection. Nil if there is no loop
    /// for the result.
    var workshop: ((ProfileWorkshop.Order, PollToken, Int) -> ProfileWorkshop.Ticket)?
    /// Starts the work for a buffered object outside the loop, for a connection. Nil if there is no loop for the
    /// result.
    var heldWork: ((HeldObjectWork, PollToken) -> Void)?
    /// Connections that must be settled although they had no event of their own.
    private var touched: [PollToken] = []
    /// New connections to upstreams that the loop does not watch yet.
    private var opened: [UpstreamConnection] = []
    let metrics: LoopMetrics
    /// Read for durations only; deadlines use the moments that are passed in.
    let clock: () -> MonotonicTime
    let converters: ConverterPool
    let encoders: EncoderPool
    var identifiers = RequestIdentifiers()
    private var usualFields = UsualFields()
    /// The buffer for decoded bodies, portion by portion; empty between two calls.
    var decoded = ByteBuffer(capacity: 0)
    /// Lines of the access log from this turn of the loop.
    var logLines: [UInt8] = []
    /// Requests that ended in this event and are not counted and logged yet.
    private(set) var endedRecords: [AccessRecord] = []

    /// The time, read once in each turn.
    private(set) var wallNanoseconds: Int64 = 0
    private(set) var date: [UInt8] = []
    private var dateSeconds: Int64 = -1
    /// The time in the form of the access log, and its milliseconds since 1970.
    private var logTime: (milliseconds: Int64, text: String) = (-1, "")

    private let registry: MetricsRegistry
    private let log: LogSink

    /// Called by the loop itself, whose counters are made here.
    init(
        _ configuration: ServerConfiguration, _ registry: MetricsRegistry, _ log: LogSink,
        directory: UpstreamDirectory = UpstreamDirectory(), heldBytes: HeldBytes = HeldBytes(),
        clock: @escaping () -> MonotonicTime
    ) {
        self.directory = directory
        self.heldBytes = heldBytes
        self.registry = registry
        self.log = log
        self.clock = clock
        metrics = registry.makeLoopMetrics()
        maxDecodedBytes = configuration.maxBodyBytes == 0 ? nil : configuration.maxBodyBytes
        maxDecodedRatio = configuration.maxDecodedRatio
        maxResponseBytes = configuration.maxResponseBytes == 0 ? .max : configuration.maxResponseBytes
        let seconds = Int64(configuration.maxRequestCPUSeconds)
        maxRequestNanoseconds = seconds == 0 ? .max : seconds * 1_000_000_000
        trustedProxies = configuration.gateway.trustedProxies
        maxRequestsPerConnection = configuration.maxRequestsPerConnection
        wireLimits = configuration.wireLimits
        times = DeadlineKeeper.Times(configuration)
        commitBytes = configuration.commitBytes
        highWaterBytes = configuration.highWaterBytes
        uploadHighWaterBytes = configuration.uploadHighWaterBytes
        maxProfileBytes = configuration.maxProfileBytes
        maxBufferedBytes = configuration.gateway.maxBufferedBytes
        maxMessageBytes = configuration.maxMessageBytes
        maxStreamUnitBytes = configuration.maxBodyBytes == 0 ? .max : configuration.maxBodyBytes
        converters = ConverterPool(maxBytes: configuration.memory.maxPooledBytes)
        encoders = EncoderPool(heldBytes, maxHeldBytes: maxBufferedBytes)
        writesAccessLog = configuration.writesAccessLog
        router = Router(configuration)
    }

    /// The longest turn of one connection. Others wait this long for each busy connection.
    private static let turnNanoseconds: Int64 = 1_000_000

    /// Whether the work of an event since `start` has used up a turn, so that others come first.
    func isTurnOver(_ start: MonotonicTime) -> Bool {
        clock().nanoseconds - start.nanoseconds > Self.turnNanoseconds
    }

    /// Seconds since 1970.
    var wallSeconds: Int64 { wallNanoseconds / 1_000_000_000 }

    /// Makes the loop settle a connection after the current event.
    func touch(_ token: PollToken) {
        // One event touches few connections, often one of them several times.
        if !touched.contains(token) { touched.append(token) }
    }

    /// Makes the loop watch a connection that has begun to connect.
    func open(_ connection: UpstreamConnection) { opened.append(connection) }

    /// Whether there is a connection to settle or to watch.
    var hasOthers: Bool { !touched.isEmpty || !opened.isEmpty }

    /// Moves the connections that must be settled into `tokens`, which is empty.
    func takeTouched(into tokens: inout [PollToken]) { swap(&touched, &tokens) }

    func takeOpened() -> [UpstreamConnection] {
        if opened.isEmpty { return [] }
        defer { opened = [] }
        return opened
    }

    /// The limits for a decompressed request body.
    var decodingLimits: Inflater.Limits {
        var limits = Inflater.Limits(maxDecodedBytes: maxDecodedBytes)
        limits.maxRatio = maxDecodedRatio
        return limits
    }

    /// The limits for an upstream's decompressed response, which has no maximum length.
    var answerDecodingLimits: Inflater.Limits {
        var limits = decodingLimits
        limits.maxDecodedBytes = nil
        return limits
    }

    /// Whether a connection ends with this request; its first one has the number 1.
    func isLastRequest(number: Int) -> Bool {
        maxRequestsPerConnection > 0 && number >= maxRequestsPerConnection
    }

    /// Begins a turn of the loop.
    func setWallTime(nanoseconds: Int64) {
        wallNanoseconds = nanoseconds
        let milliseconds = nanoseconds / 1_000_000
        if writesAccessLog, milliseconds != logTime.milliseconds {
            logTime = (milliseconds, HTTPDate.rfc3339(nanoseconds: nanoseconds))
        }
        let seconds = nanoseconds / 1_000_000_000
        guard seconds != dateSeconds else { return }
        dateSeconds = seconds
        date = HTTPDate.imfFixdate(seconds)
    }

    /// Adds a request that has ended.
    func note(_ record: AccessRecord) { endedRecords.append(record) }

    /// The fields that are the same in all responses of a type and coding.
    func answerFields(
        _ contentType: String?, _ coding: ContentCoding, isNegotiated: Bool, variesByType: Bool
    ) -> Fields {
        usualFields.fields(contentType, coding, isNegotiated: isNegotiated, variesByType: variesByType)
    }

    /// Counts the requests that ended in the last event, and writes their lines.
    func recordEnds(at now: MonotonicTime) {
        for record in endedRecords {
            metrics.requestEnded(
                LoopMetrics.Request(
                    route: record.route, profile: record.profileLabel, status: record.status,
                    bytesIn: record.bytesIn, bytesOut: record.bytesOut,
                    nanoseconds: now.nanoseconds - record.started.nanoseconds))
            guard writesAccessLog else { continue }
            record.write(
                to: &logLines, time: logTime.text, durationMicroseconds: Int(now.microseconds(since: record.started)))
        }
        endedRecords.removeAll(keepingCapacity: true)
    }

    /// The current document of `/metrics`.
    func exposition() -> [UInt8] {
        registry.exposition(
            MetricsRegistry.Readings(
                monotonicNanoseconds: clock().nanoseconds, process: .current(), droppedLines: log.drops,
                heldBytes: heldBytes.count, servers: directory.health))
    }
}
