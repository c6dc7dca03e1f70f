import HTTPSemantics
import HTTPWire
import Sockets
import Text

/// What the access log says of one request: never its query, its other fields or its payload.
///
/// What it says of the head is written when that has come, so that nothing else of the head need be kept until the end. An object, since it
/// is filled bit by bit and holds so much that copying it would cost more than all of that.
final class AccessRecord {
    let requestID: String
    /// Members of the line; none where nothing is logged.
    private var origin: [UInt8] = []
    /// Nil without a trace that the client began.
    let trace: TraceContext.Continued?
    var route = RouteLabel.unmatched
    /// What was sent; 499 where nothing could be.
    var status = 0
    /// The problem's code, where one was the answer.
    var code: String?
    /// Bytes of the bodies as they were on the wire, content coding included, without framing.
    var bytesIn = 0
    var bytesOut = 0
    /// When the first byte of the head came.
    let started: MonotonicTime
    /// The named profile that was used.
    var profile: String?
    var profileLabel = ProfileLabel.none
    /// The name of the gateway's route, and where the request went last.
    var routeName: String?
    var upstream: String?
    var server: UpstreamServer?
    /// Connections to the upstream that were asked for the request.
    var attempts = 0
    /// From the first attempt until the answer's head had come, or it was given up.
    var upstreamNanoseconds: Int64?
    /// Records that the profile left out or replaced by null; nil where it does no such thing.
    var skippedRecords: Int?
    /// Whether the answer was cut off, or the client was gone before the system had taken all of it.
    var isAborted = false
    /// Where the answer ends in all that the connection sends.
    var endOfAnswer = 0

    init(requestID: String, started: MonotonicTime, trace: TraceContext.Continued? = nil) {
        self.requestID = requestID
        self.started = started
        self.trace = trace
    }

    /// Bytes of memory, approximately, that do not change once the request has ended.
    var storedBytes: Int { Self.usualBytes + origin.count + requestID.utf8.count }

    private static let usualBytes = 400

    /// The status of requests whose client went away first.
    static let clientGone = 499

    private static let maxMethodBytes = 32
    private static let maxPathBytes = 2048
    private static let maxHostBytes = 256
    private static let maxUserAgentBytes = 256

    /// Writes down who asks, and what, as far as the head could be read; only where there will be a line.
    func write(client: String, _ head: RequestHead? = nil) {
        var writer = JSONWriter(reserving: Self.usualBytes)
        writer.member("client", client)
        if let head { Self.write(head, to: &writer) }
        trace?.write(to: &writer)
        origin = writer.bytes
    }

    private static func write(_ head: RequestHead, to writer: inout JSONWriter) {
        writer.member("protocol", head.minorVersion == 0 ? "HTTP/1.0" : "HTTP/1.1")
        writer.member("method", untrusted: head.method.name, maxBytes: maxMethodBytes)
        if !head.authority.isEmpty { writer.member("host", untrusted: head.authority, maxBytes: maxHostBytes) }
        let target = head.target
        // A target with an invalid byte matches no route, so it has no path.
        let path = target.form == .asterisk ? target.bytes[...] : target.path.prefix { $0 != ASCII.numberSign }
        writer.member("path", untrusted: path, maxBytes: maxPathBytes)
        if let agent = head.fields.bytes(for: "user-agent") {
            writer.member("userAgent", untrusted: agent, maxBytes: maxUserAgentBytes)
        }
    }

    /// Notes the gateway's route for the request, also if the request is refused later.
    func note(_ route: GatewayRoute) {
        self.route = route.label
        routeName = route.configuration.name
        profile = route.request?.recipe.profileName
        profileLabel = route.request?.recipe.label ?? .none
    }

    /// Writes the line with its line feed behind `lines`; `time` is when the request ended, as RFC 3339 writes it.
    func write(to lines: inout [UInt8], time: String, durationMicroseconds: Int) {
        var writer = JSONWriter(continuing: lines)
        // The writer's alone, so that it appends in place.
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
