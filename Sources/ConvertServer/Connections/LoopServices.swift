import ContentCodings
import ConvertCore
import HTTPSemantics
import HTTPWire
import Sockets
import Telemetry

/// What the connections of one loop share; no other loop sees it.
final class LoopServices {
    let wireLimits: WireLimits
    var times: DeadlineKeeper.Times
    let commitBytes: Int
    let highWaterBytes: Int
    let uploadHighWaterBytes: Int
    let maxProfileBytes: Int
    /// What all requests together may keep.
    let maxBufferedBytes: Int
    /// What one of them may keep.
    let maxMessageBytes: Int
    /// What a body with a content coding may decode to; nil for any number.
    let maxDecodedBytes: Int?
    let maxDecodedRatio: Int
    /// What one payload may become, and what of a processor its conversion may take.
    let maxResponseBytes: Int
    let maxRequestNanoseconds: Int64
    /// 0 means no limit.
    let maxRequestsPerConnection: Int
    let writesAccessLog: Bool

    let router: Router
    /// The routes that public listeners serve; nil when there are none.
    var gateway: Gateway?
    /// Who speaks for clients of its own.
    var trustedProxies: TrustedProxies
    /// What the process knows of its upstreams.
    let directory: UpstreamDirectory
    /// What the process keeps of messages.
    let heldBytes: HeldBytes
    /// The loop's connections to upstreams that wait for a request.
    let upstreams = UpstreamPool()
    /// Sends a long profile to the workshop, for the request of this number on a connection. Nil if there is no loop
    /// for the result.
    var workshop: ((ProfileWorkshop.Order, PollToken, Int) -> ProfileWorkshop.Ticket)?
    /// Has what a held object needs done beside the loop, for a connection; nil where there is no loop to answer to.
    var heldWork: ((HeldObjectWork, PollToken) -> Void)?
    /// Connections that something has happened to outside of their own events.
    private var touched: [PollToken] = []
    /// The last of them.
    private var lastTouched: PollToken?
    /// New connections to upstreams, which the loop does not know yet.
    private var opened: [UpstreamConnection] = []
    let metrics: LoopMetrics
    /// Read for durations only; deadlines use the moments that are passed in.
    let clock: () -> MonotonicTime
    let converters: ConverterPool
    let encoders: EncoderPool
    var identifiers = RequestIdentifiers()
    private var usualFields = UsualFields()
    /// Where bodies are decoded to, portion by portion; empty between two calls.
    var decoded = ByteBuffer(capacity: 0)
    /// Lines of the access log that this turn of the loop has brought.
    var logLines: [UInt8] = []
    /// Requests that ended in this event and are not counted and logged yet.
    private(set) var endedRecords: [AccessRecord] = []

    /// The loop's moment, read once a turn.
    private(set) var wallNanoseconds: Int64 = 0
    private(set) var date: [UInt8] = []
    private var dateSeconds: Int64 = -1
    /// The moment as the access log writes it, and its milliseconds since 1970.
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
        converters = ConverterPool(maxBytes: configuration.memory.maxPooledBytes)
        encoders = EncoderPool(heldBytes, maxHeldBytes: maxBufferedBytes)
        writesAccessLog = configuration.writesAccessLog
        router = Router(configuration)
    }

    /// How long one connection may keep the loop: what others wait for each that has much to do.
    private static let turnNanoseconds: Int64 = 1_000_000

    /// Whether what an event, handled from `start` on, has brought to do has taken long enough, so that others come first.
    func isTurnOver(_ start: MonotonicTime) -> Bool {
        clock().nanoseconds - start.nanoseconds > Self.turnNanoseconds
    }

    /// Seconds since 1970.
    var wallSeconds: Int64 { wallNanoseconds / 1_000_000_000 }

    /// Has the loop look at a connection after the event that it handles.
    func touch(_ token: PollToken) {
        guard lastTouched != token else { return }
        lastTouched = token
        touched.append(token)
    }

    /// Has the loop take up a connection that has begun to connect.
    func open(_ connection: UpstreamConnection) { opened.append(connection) }

    /// Whether there is any connection to look at or to take up.
    var hasOthers: Bool { lastTouched != nil || !opened.isEmpty }

    /// Puts the connections that need a look into `tokens`, which is empty. None is returned a second time.
    func takeTouched(into tokens: inout [PollToken]) {
        swap(&touched, &tokens)
        lastTouched = nil
    }

    func takeOpened() -> [UpstreamConnection] {
        if opened.isEmpty { return [] }
        defer { opened = [] }
        return opened
    }

    /// What a request's body with a content coding may decode to.
    var decodingLimits: Inflater.Limits {
        var limits = Inflater.Limits(maxDecodedBytes: maxDecodedBytes)
        limits.maxRatio = maxDecodedRatio
        return limits
    }

    /// What an upstream's answer with a content coding may decode to, of whatever length it is.
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

    /// Notes a request that has ended.
    func note(_ record: AccessRecord) { endedRecords.append(record) }

    /// The fields that are the same in all answers of a type and coding.
    func answerFields(
        _ contentType: String?, _ coding: ContentCoding, isNegotiated: Bool, variesByType: Bool
    ) -> Fields {
        usualFields.fields(contentType, coding, isNegotiated: isNegotiated, variesByType: variesByType)
    }

    /// Counts the requests that ended in the event that is over now, and writes their lines.
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

    /// The document of `/metrics` at this moment.
    func exposition() -> [UInt8] {
        registry.exposition(
            MetricsRegistry.Readings(
                monotonicNanoseconds: clock().nanoseconds, process: .current(), droppedLines: log.drops,
                heldBytes: heldBytes.count, servers: directory.health))
    }
}
