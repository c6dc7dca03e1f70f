import HTTPSemantics
import HTTPWire
import Observability
import Service
import Sockets
import Telemetry

/// Responds to requests for the service's own paths.
final class ServiceHandler: RequestHandler {
    private let router: Router
    /// Whether its listeners are for clients. Then paths about the server itself may be left to `admin` listeners.
    private let isPublic: Bool
    /// The current document of `/metrics`.
    private let exposition: () -> [UInt8]

    init(_ router: Router, isPublic: Bool, exposition: @escaping () -> [UInt8]) {
        self.router = router
        self.isPublic = isPublic
        self.exposition = exposition
    }

    func begin(_ request: RequestHead, of session: Session, at now: MonotonicTime) {
        do throws(Problem) {
            let route = router.route(of: request, isPublic: isPublic)
            session.record?.route = request.target.form == .asterisk ? .server : route?.label ?? .unmatched
            let ruling = try router.decide(
                request, route, requestID: session.record?.requestID ?? "", isPublic: isPublic)
            session.responseCoding = ruling.responseCoding
            let exchange: ServiceExchange
            switch ruling.decision {
            case .respond(let response): return session.respond(response)
            case .metrics:
                let response = WholeResponse(contentType: PrometheusText.contentType, body: exposition())
                return session.respond(response)
            case .convert(let order): exchange = ServiceExchange(order, for: session)
            case .form(let form): exchange = ServiceExchange(.form(form), for: session)
            case .envelope: exchange = ServiceExchange(.envelope(EnvelopeReader()), for: session)
            case .check: exchange = ServiceExchange(.profile, for: session)
            }
            session.begin(exchange, decoding: ruling.bodyCoding)
            if session.wire.expectsContinue { session.sendContinue() }
        } catch {
            session.respond(error)
        }
    }

    func noteRoute(of request: RequestHead, in record: AccessRecord?) {
        if let route = router.route(of: request, isPublic: isPublic) { record?.route = route.label }
    }

    func trustsIdentifiers(of peer: TrustedProxies.Peer, _ proxies: TrustedProxies) -> Bool {
        !isPublic || peer.isLocal || proxies.contains(peer)
    }
}
