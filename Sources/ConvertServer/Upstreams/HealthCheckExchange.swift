import HTTPWire
import Observability
import Sockets

/// One health check of a server: a GET on a connection of its own.
///
/// The verdict is given once: by the header of the response, or by whatever ends the check before that. After the
/// header, the rest of the response is read, so that the server gets no reset for it.
final class HealthCheckExchange: UpstreamExchange {
    enum Verdict: Equatable {
        /// The status of the response.
        case status(Int)
        /// There is no response, for this reason.
        case failed(String)
    }

    /// The most bytes of a response's body that are read.
    private static let maxBodyBytes = 64 * 1024

    /// The time at which the check ends in any case.
    let deadline: MonotonicTime
    private let request: OutgoingRequest
    private let report: (Verdict) -> Void
    private var connection: UpstreamConnection?
    private var hasReported = false
    private var bodyBytes = 0

    /// - Parameter report: called once.
    init(
        _ check: HealthCheck, of server: ServerAddress, host: HostPolicy, at now: MonotonicTime,
        _ report: @escaping (Verdict) -> Void
    ) {
        deadline = now + check.timeout
        self.report = report
        var fields = Fields()
        fields.append("User-Agent", "convert-server")
        fields.append("Accept", "*/*")
        var authority = server.server.authority
        if case .literal(let name) = host { authority = name }
        request = OutgoingRequest(method: .get, target: Array(check.path.utf8), host: authority, fields: fields)
    }

    /// Whether the check has ended.
    var isOver: Bool { hasReported && connection == nil }

    /// Begins to connect.
    ///
    /// - Throws: the reason if the connection is impossible, for example a Unix socket without a listener.
    func begin(
        to server: ServerAddress, of upstream: Upstream, _ pool: UpstreamPool, at now: MonotonicTime
    ) throws(SystemCallError) -> UpstreamConnection {
        let connection = try UpstreamConnection(to: server, of: upstream, for: self, pool, at: now)
        self.connection = connection
        return connection
    }

    /// Ends the check, which is too late.
    func end() {
        decide(.failed("no response in time"))
        connection?.letGo()
        connection = nil
    }

    private func decide(_ verdict: Verdict) {
        guard !hasReported else { return }
        hasReported = true
        report(verdict)
    }

    func upstreamConnected(at now: MonotonicTime) {
        connection?.start(request, body: .none)
        connection?.endRequest()
    }

    func upstreamResponded(_ response: ReceivedResponseHead, at now: MonotonicTime) {
        decide(.status(response.status))
    }

    func upstreamSent(_ bytes: Span<UInt8>, isLast: Bool, at now: MonotonicTime) {
        bodyBytes += bytes.count
        if bodyBytes > Self.maxBodyBytes { end() }
    }

    func upstreamEnded(at now: MonotonicTime) {
        connection?.close()
        connection = nil
    }

    func upstreamFailed(_ failure: AttemptFailure, _ detail: String, at now: MonotonicTime) {
        connection = nil
        decide(.failed(detail))
    }
}
