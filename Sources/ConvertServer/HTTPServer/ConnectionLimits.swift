import ContentCodings
import Gateway
import HTTPWire

/// The limits of one connection and of one request.
struct ConnectionLimits: Sendable {
    let wire: WireLimits
    /// Bytes of output that are buffered before the status line is sent and the body is streamed.
    let commitBytes: Int
    /// Unsent output beyond which a connection's input is not read, and the same while a request's body still arrives.
    let highWaterBytes: Int
    let uploadHighWaterBytes: Int
    /// The most bytes that all requests together may buffer.
    let maxBufferedBytes: Int
    /// The most bytes that one request may buffer.
    let maxMessageBytes: Int
    /// For a decompressed request body.
    let decoding: Inflater.Limits
    /// The length of the output of one payload, and the processor time of its conversion.
    let maxResponseBytes: Int
    let maxRequestNanoseconds: Int64
    /// 0 means no limit.
    private let maxRequestsPerConnection: Int

    init(_ configuration: ServerConfiguration) {
        wire = configuration.wireLimits
        commitBytes = configuration.commitBytes
        highWaterBytes = configuration.highWaterBytes
        uploadHighWaterBytes = configuration.uploadHighWaterBytes
        maxBufferedBytes = configuration.gateway.maxBufferedBytes
        maxMessageBytes = configuration.maxMessageBytes
        decoding = Inflater.Limits(
            maxDecodedBytes: configuration.maxBodyBytes == 0 ? nil : configuration.maxBodyBytes,
            maxRatio: configuration.maxDecodedRatio)
        maxResponseBytes = configuration.maxResponseBytes == 0 ? .max : configuration.maxResponseBytes
        let seconds = Int64(configuration.maxRequestCPUSeconds)
        maxRequestNanoseconds = seconds == 0 ? .max : seconds * 1_000_000_000
        maxRequestsPerConnection = configuration.maxRequestsPerConnection
    }

    /// Whether a connection ends with this request; its first one has the number 1.
    func isLastRequest(number: Int) -> Bool {
        maxRequestsPerConnection > 0 && number >= maxRequestsPerConnection
    }
}
