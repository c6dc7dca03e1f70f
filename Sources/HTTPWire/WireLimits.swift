/// The limits of one connection. Each loop and buffer of this target has one of them.
public struct WireLimits: Sendable, Equatable {
    /// The request or status line without its CRLF; beyond it 414. Targets of 8,000 bytes must work (RFC 9112 §3).
    public var maxRequestLineBytes = 8 * 1024
    /// The method; beyond it 501.
    public var maxMethodBytes = 64
    /// Empty lines before the request line, for old clients that send one too many (RFC 9112 §2.2).
    public var maxLeadingEmptyLines = 4
    /// The request or status line and all fields with their CRLFs; beyond it 431, or 414 if the request line is too
    /// long.
    public var maxHeadBytes = 32 * 1024
    /// One field line without its CRLF; beyond it 431.
    public var maxFieldBytes = 16 * 1024
    /// Fields in one head; beyond it 431. The trailers have the same limit, counted separately.
    public var maxFields = 100
    /// The decoded body; beyond it 413. `Int.max` means no limit.
    public var maxBodyBytes = 64 * 1024 * 1024
    /// All chunk extensions of one body together; beyond it 400.
    public var maxChunkExtensionBytes = 4 * 1024
    /// The trailers of one body with their CRLFs; beyond it 431.
    public var maxTrailerBytes = 8 * 1024
    /// The bytes of a body that are read and discarded after the response; beyond it the connection closes.
    public var maxDrainBytes = 256 * 1024

    /// Informational responses before the final one (RFC 9110 §15.2); beyond it the response is refused.
    public var maxInformationalResponses = 10

    public init() {}

    /// The limits of an upstream: heads of 64 KiB with 200 fields, bodies of any length.
    public static let upstream: WireLimits = {
        var limits = WireLimits()
        limits.maxHeadBytes = 64 * 1024
        limits.maxFieldBytes = 64 * 1024
        limits.maxFields = 200
        limits.maxBodyBytes = Int.max
        return limits
    }()
}
