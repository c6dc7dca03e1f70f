/// What the access log says of one request: never its query, its other fields or its payload.
///
/// An object, since it is filled bit by bit and holds so many texts that copying it would cost more than all of that.
final class AccessRecord {
    let requestID: String
    /// Nil when the head could not be read.
    var method: String?
    var path: [UInt8] = []
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
    /// The client's own address, as far as trusted peers tell it.
    var client: IPAddress?
    /// Records that the profile left out or replaced by null; nil where it does no such thing.
    var skippedRecords: Int?
    /// Whether the answer was cut off, or the client was gone before the system had taken all of it.
    var isAborted = false
    /// Where the answer ends in all that the connection sends.
    var endOfAnswer = 0

    init(requestID: String, started: MonotonicTime) {
        self.requestID = requestID
        self.started = started
    }

    /// Bytes of memory, approximately, that do not change once the request has ended.
    var storedBytes: Int { Self.usualBytes + path.count + requestID.utf8.count }

    private static let usualBytes = 400

    /// The status of requests whose client went away first.
    static let clientGone = 499

    /// Notes what is known of a request that goes on to an upstream.
    func note(_ request: ForwardedRequest) {
        route = request.route.label
        routeName = request.route.configuration.name
        client = request.clientAddress
        profile = request.route.request?.recipe.profileName
        profileLabel = request.route.request?.recipe.label ?? .none
    }

    /// The line with its line feed; `wallNanoseconds` since 1970.
    func line(durationMicroseconds: Int64, wallNanoseconds: Int64) -> [UInt8] {
        var writer = JSONWriter(reserving: 320)
        writer.openObject()
        writer.member("time", HTTPDate.rfc3339(nanoseconds: wallNanoseconds))
        writer.member("requestId", requestID)
        writer.member("method", method)
        if method != nil {
            writer.name("path")
            writer.string(bytes: path)
        }
        writer.member("status", status)
        writer.member("code", code)
        writer.member("bytesIn", bytesIn)
        writer.member("bytesOut", bytesOut)
        writer.name("durationMicros")
        writer.number(durationMicroseconds)
        writer.member("profile", profile)
        writer.member("route", routeName)
        writer.member("upstream", upstream)
        writer.member("server", server?.description)
        writer.member("client", client?.description)
        if let skippedRecords { writer.member("skippedRecords", skippedRecords) }
        if isAborted { writer.member("outcome", "aborted") }
        writer.closeObject()
        return writer.bytes + [ASCII.lineFeed]
    }
}
