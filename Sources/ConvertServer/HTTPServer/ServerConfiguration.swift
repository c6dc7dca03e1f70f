import ContentCodings
package import ConvertEngine
package import Gateway
import HTTPWire
package import Service
package import Sockets

/// All settings of a server. Every limit has a default.
package struct ServerConfiguration: Sendable {
    package var listen: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 8080)]
    /// The directory of the named profiles; nil for no profiles.
    package var profilesDirectory: String?
    /// Event loops; 0 means one for each processor that the process may use.
    package var loops = 0
    package var memory = MemoryShares(limitBytes: nil, loops: 1)
    /// Whether requests may contain profiles of their own.
    package var inlineProfiles = InlineProfiles.auto
    /// Whether each request is written to stdout as one line of JSON.
    package var writesAccessLog = true
    /// The content of `/openapi.yaml`. If it is empty, the path does not exist.
    package var openAPIDocument: [UInt8] = []
    /// The content of `/v1/profile.schema.json`. If it is empty, the path does not exist.
    package var profileSchema: [UInt8] = []
    /// The page at `/`; nil if there is none.
    package var playground: PlaygroundPage?

    /// Trusted proxies, backends and routes.
    package var gateway = GatewayConfiguration()

    // MARK: Sizes

    package var maxRequestLineBytes = 8 * 1024
    package var maxHeadBytes = 32 * 1024
    /// 0 means as many as the head may have.
    package var maxFieldBytes = 0
    package var maxFields = 100
    /// 0 means no limit.
    package var maxBodyBytes = 64 * 1024 * 1024
    /// Decompressed bytes per compressed byte of a body.
    package var maxDecodedRatio = 100
    package var maxDepth = 512
    package var maxKeyBytes = 64 * 1024
    package var maxProfileBytes = 1024 * 1024
    package var maxConnections = 10_000
    /// Connections of one client's address; 0 means no limit.
    package var maxConnectionsPerClient = 7500
    /// 0 means no limit.
    package var maxRequestsPerConnection = 0
    /// Bytes of the output of one payload, uncompressed; 0 means no limit.
    package var maxResponseBytes = 1024 * 1024 * 1024
    /// Bytes of output that are buffered before the status line is sent and the body is streamed.
    package var commitBytes = 1024 * 1024
    /// Unsent output beyond which a connection's input is not read.
    package var highWaterBytes = 256 * 1024
    /// The same limit while the request's body is still arriving, if larger.
    package var uploadHighWaterBytes = 32 * 1024 * 1024

    // MARK: Times

    /// Processor time for the conversion of one payload; 0 means no limit.
    package var maxRequestCPUSeconds = 30
    package var times = ConnectionTimes()
    /// From the first signal to the end of listening, while `/readyz` already returns 503.
    package var drainDelaySeconds = 0
    /// From the end of listening to the end of the requests that are still in flight.
    package var drainSeconds = 30

    package init() {}
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

    /// For a decompressed request body.
    var decodingLimits: Inflater.Limits {
        Inflater.Limits(maxDecodedBytes: maxBodyBytes == 0 ? nil : maxBodyBytes, maxRatio: maxDecodedRatio)
    }

    /// Whether a connection ends with this request; its first one has the number 1.
    func isLastRequest(number: Int) -> Bool {
        maxRequestsPerConnection > 0 && number >= maxRequestsPerConnection
    }

    package var loopCount: Int { loops > 0 ? loops : SystemProcessors.count }

    package var maxMessageBytes: Int { memory.maxMessageBytes(buffered: gateway.maxBufferedBytes) }

    package var payloadLimits: Limits {
        // A buffered object may grow, but not without limit. If a body has no limit, the object has none.
        let (held, isBeyond) = maxBodyBytes.multipliedReportingOverflow(by: Self.maxHeldGrowth)
        return Limits(
            maxDepth: maxDepth, maxKeyBytes: maxKeyBytes, maxHeldBytes: maxBodyBytes == 0 || isBeyond ? .max : held)
    }

    /// The number of bodies of the maximum length that fit into the default buffers.
    package static let bufferedBodies = 4

    /// The ratio of buffered output to the maximum length of a body.
    private static let maxHeldGrowth = 4

    /// The default ratio of the response limit to the body limit.
    package static let maxResponseGrowth = 16

    /// The default share of the connections for one client, which is never all of them.
    package static func connectionsPerClient(of maxConnections: Int) -> Int { maxConnections - maxConnections / 4 }
}

extension Router {
    package convenience init(_ configuration: ServerConfiguration) {
        self.init(
            openAPIDocument: configuration.openAPIDocument, profileSchema: configuration.profileSchema,
            playground: configuration.playground, payloadLimits: configuration.payloadLimits,
            maxProfileBytes: configuration.maxProfileBytes,
            acceptsInlineProfiles: configuration.acceptsInlineProfiles, hasAdmin: !configuration.gateway.admin.isEmpty)
    }
}
