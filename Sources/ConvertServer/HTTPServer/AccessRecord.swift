import Conversions
import Gateway
import HTTPSemantics
import HTTPWire
import Observability
import Sockets
import Text
import Upstreams

/// The access log's line for one request. It never contains the query, other fields or the payload.
///
/// The keys about the head are written when the head has arrived, so that the head need not be kept until the end. It
/// is an object, because it is filled step by step and is too large to copy each time.
final class AccessRecord {
    let requestID: String
    /// The written keys of the line; empty if nothing is logged.
    private var origin: [UInt8] = []
    /// Nil if the client did not begin a trace.
    let trace: TraceContext.Continued?
    var route = RouteLabel.unmatched
    /// The sent status; 499 if nothing could be sent.
    var status = 0
    /// The code of the problem, if the response was one.
    var code: String?
    /// Bytes of the bodies as on the wire: compressed, without framing.
    var bytesIn = 0
    var bytesOut = 0
    /// The time of the first byte of the head.
    let started: MonotonicTime
    /// The named profile that was used.
    var profile: String?
    var profileLabel = ProfileLabel.none
    /// The name of the gateway's route, and the last upstream and server of the request.
    var routeName: String?
    var upstream: String?
    var server: UpstreamServer?
    /// The number of attempts to send the request to the upstream.
    var attempts = 0
    /// The time of all attempts, until the head of the response or the last failure.
    var upstreamNanoseconds: Int64?
    /// The number of records that the profile skipped or replaced by null; nil if it never does.
    var skippedRecords: Int?
    /// Whether the response was cut off, or the client left before the system had accepted all of it.
    var isAborted = false
    /// The position of the end of the response in all bytes that the connection sends.
    var endOfResponse = 0

    init(requestID: String, started: MonotonicTime, trace: TraceContext.Continued? = nil) {
        self.requestID = requestID
        self.started = started
        self.trace = trace
    }

    /// Bytes of memory, approximately, that do not change once the request has ended.
    var storedBytes: Int { Self.usualBytes + origin.count + requestID.utf8.count }

    private static let usualBytes = 400

    /// The status of requests whose client left before the response.
    static let clientGone = 499

    private static let maxMethodBytes = 32
    private static let maxPathBytes = 2048
    private static let maxHostBytes = 256
    private static let maxUserAgentBytes = 256

    /// Writes the client and the request, as far as the head could be read, if there will be a line.
    ///
    /// - Parameter hasVersion: whether the version was read.
    func write(client: String, _ head: RequestHead? = nil, hasVersion: Bool = true) {
        var writer = JSONWriter(reserving: Self.usualBytes)
        writer.member("client", client)
        if let head {
            if hasVersion { writer.member("protocol", head.minorVersion == 0 ? "HTTP/1.0" : "HTTP/1.1") }
            Self.write(head, to: &writer)
        }
        trace?.write(to: &writer)
        origin = writer.bytes
    }

    private static func write(_ head: RequestHead, to writer: inout JSONWriter) {
        writer.member("method", untrusted: head.method.name, maxBytes: maxMethodBytes)
        if !head.authority.isEmpty { writer.member("host", untrusted: head.authority, maxBytes: maxHostBytes) }
        let target = head.target
        // A target with an invalid byte matches no route, so it has no path.
        let path = target.form == .asterisk ? target.bytes[...] : target.path.prefix { $0 != ASCII.numberSign }
        if !path.isEmpty { writer.member("path", untrusted: path, maxBytes: maxPathBytes) }
        if let agent = head.fields.bytes(for: "user-agent") {
            writer.member("userAgent", untrusted: agent, maxBytes: maxUserAgentBytes)
        }
    }

    /// Records the gateway's route for the request, also if the request is refused later.
    func note(_ route: GatewayRoute) {
        self.route = route.label
        routeName = route.configuration.name
        profile = route.request?.recipe.profileName
        profileLabel = route.request?.recipe.label ?? .none
    }

    /// Appends the line with its line feed to `lines`. `time` is the end of the request in RFC 3339.
    func write(to lines: inout [UInt8], time: String, durationMicroseconds: Int) {
        var writer = JSONWriter(continuing: lines)
        // The writer has the only reference, so that it appends in place.
        lines = []
        writer.openObject()
        writer.member("time", time)
        writer.member("requestId", requestID)
        writer.members(origin)
        writer.member("status", status)
        writer.member("code", code)
        writer.member("bytesIn", bytesIn)
        writer.member("bytesOut", bytesOut)
        writer.member("durationMicros", durationMicroseconds)
        writer.member("profile", profile)
        writer.member("route", routeName ?? route.text)
        if let upstream, let server {
            writer.member("upstream", upstream)
            writer.member("server", server.description)
            writer.member("attempts", attempts)
        }
        if let upstreamNanoseconds { writer.member("upstreamMicros", Int(upstreamNanoseconds / 1000)) }
        if let skippedRecords { writer.member("skippedRecords", skippedRecords) }
        if isAborted { writer.member("outcome", "aborted") }
        writer.closeObject()
        writer.endLine()
        lines = writer.bytes
    }
}
