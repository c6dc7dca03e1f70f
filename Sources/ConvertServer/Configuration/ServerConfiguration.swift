import ConvertCore
import HTTPWire
import Sockets

/// All settings of a server; every limit has a default.
struct ServerConfiguration: Sendable {
    var listen: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 8080)]
    /// The directory of the named profiles; none are served when nil.
    var profilesDirectory: String?
    /// Event loops; 0 means one for each processor that the process may use.
    var loops = 0
    /// What of memory is for what.
    var memory = MemoryShares(limitBytes: nil, loops: 1)
    var poller = Poller.Kind.platformDefault
    /// Whether requests may bring profiles of their own.
    var inlineProfiles = InlineProfiles.auto
    /// Whether each request is written to stdout as one line of JSON.
    var writesAccessLog = true
    /// What `/openapi.yaml` answers; the path does not exist while this is empty.
    var openAPIDocument: [UInt8] = []
    /// What `/v1/profile.schema.json` answers; the path does not exist while this is empty.
    var profileSchema: [UInt8] = []

    /// Who is trusted, which backends there are, what goes where.
    var gateway = GatewayConfiguration()

    // MARK: Sizes

    var maxRequestLineBytes = 8 * 1024
    var maxHeadBytes = 32 * 1024
    /// 0 means as many as the head may have.
    var maxFieldBytes = 0
    var maxFields = 100
    /// 0 means no limit.
    var maxBodyBytes = 64 * 1024 * 1024
    /// Decoded bytes per coded byte of a body with a content coding.
    var maxDecodedRatio = 100
    var maxDepth = 512
    var maxKeyBytes = 64 * 1024
    var maxProfileBytes = 1024 * 1024
    var maxConnections = 10_000
    /// Connections of one client's address; 0 means no limit.
    var maxConnectionsPerClient = 7500
    /// 0 means no limit.
    var maxRequestsPerConnection = 0
    /// Bytes that one payload may become, before a content coding; 0 means no limit.
    var maxResponseBytes = 1024 * 1024 * 1024
    /// Output that waits before the status line goes out and the body is streamed.
    var commitBytes = 1024 * 1024
    /// Unsent output beyond which a connection's input is not read.
    var highWaterBytes = 256 * 1024
    /// The same limit while the request's body is still arriving, if larger.
    var uploadHighWaterBytes = 32 * 1024 * 1024

    // MARK: Times

    /// Of a processor, for the conversion of one payload; 0 means no limit.
    var maxRequestCPUSeconds = 30
    /// From the first byte of a head to its end, and until the first byte of a connection.
    var headSeconds = 10
    /// Without progress.
    var bodySeconds = 30
    /// Without progress.
    var writeSeconds = 30
    var keepAliveSeconds = 75
    /// What a client has to send of a body or take of an answer, over a minute; 0 means no limit.
    var minBytesPerSecond = 256
    /// From the first signal to the end of listening, while `/readyz` already says no.
    var drainDelaySeconds = 0
    /// From the end of listening to the end of what is still in flight.
    var drainSeconds = 30
}

extension ServerConfiguration {
    var wireLimits: WireLimits {
        var limits = WireLimits()
        limits.maxRequestLineBytes = maxRequestLineBytes
        limits.maxHeadBytes = maxHeadBytes
        limits.maxFieldBytes = maxFieldBytes == 0 ? maxHeadBytes : min(maxFieldBytes, maxHeadBytes)
        limits.maxFields = maxFields
        limits.maxBodyBytes = maxBodyBytes == 0 ? .max : maxBodyBytes
        return limits
    }

    var loopCount: Int { loops > 0 ? loops : SystemProcessors.count }

    /// Bytes that one message may keep.
    var maxMessageBytes: Int { memory.maxMessageBytes(buffered: gateway.maxBufferedBytes) }

    var payloadLimits: Limits {
        // An object that is held whole may grow, but not without end. Where a body may be of any length, so may it be.
        let (held, isBeyond) = maxBodyBytes.multipliedReportingOverflow(by: Self.maxHeldGrowth)
        return Limits(
            maxDepth: maxDepth, maxKeyBytes: maxKeyBytes, maxHeldBytes: maxBodyBytes == 0 || isBeyond ? .max : held)
    }

    /// What has changed and is used from the next start on, a sentence each.
    func changesForRestart(since known: ServerConfiguration) -> [String] {
        var notices: [String] = []
        if listen != known.listen || gateway.admin != known.gateway.admin {
            notices.append("a change of `listen` or `admin` needs a restart")
        }
        let limits = known.limitsChanged(in: self).map { "`\($0)`" }
        if !limits.isEmpty { notices.append("a change of \(limits.joined(separator: ", ")) needs a restart") }
        return notices
    }

    /// Bodies of the longest kind for which there is room at one time where nothing else is said.
    static let bufferedBodies = 4

    /// Bytes of output that may be held for each that a body may have.
    private static let maxHeldGrowth = 4

    /// Bytes of a response for each that a body may have where nothing else is said.
    static let maxResponseGrowth = 16

    /// What of so many connections one client may have where nothing else is said: never all.
    static func connectionsPerClient(of maxConnections: Int) -> Int { maxConnections - maxConnections / 4 }
}
