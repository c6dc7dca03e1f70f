import Conversions
import Gateway
import HTTPSemantics
import HTTPWire
import Observability
import Service
import Sockets

/// Forwards the requests of public listeners by the routes of the gateway.
final class GatewayHandler: RequestHandler {
    private static let serverMethods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

    private let gateway: Gateway

    init(_ gateway: Gateway) { self.gateway = gateway }

    func begin(_ request: RequestHead, of session: Session, at now: MonotonicTime) {
        do throws(Problem) {
            switch request.target.form {
            case .asterisk:
                session.record?.route = .server
                return session.respond(WholeResponse(allow: Self.serverMethods, acceptPost: nil))
            case .authority: throw .notAllowed(Self.serverMethods)
            default: break
            }
            let (route, path) = try gateway.findRoute(request)
            session.record?.note(route)
            if request.maxForwards == 0 {
                let allow = gateway.table.allowed(authority: request.authority, path: path)
                return session.respond(WholeResponse(allow: allow, acceptPost: nil))
            }
            if let description = route.description, description.isAt(path), [.get, .head].contains(request.method) {
                session.responseCoding = ResponseCoding(AcceptEncoding(request.fields.values(for: "accept-encoding")))
                return session.respond(try WholeResponse(description, to: request))
            }
            let forwarded = try ForwardedRequest(
                request, on: route, path,
                session.requestContext(hasBody: session.wire.requestBody != .none, leavesBody: false), by: gateway)
            let forwarding = Forwarding(
                forwarded, session.wire.requestBody, gateway, for: session, session.context.forwarding, at: now)
            session.begin(forwarding, decoding: forwarding.bodyCoding)
            forwarding.begin(at: now)
        } catch {
            noteRoute(of: request, in: session.record)
            session.respond(error)
        }
    }

    func noteRoute(of request: RequestHead, in record: AccessRecord?) {
        if let route = gateway.route(of: request) { record?.note(route) }
    }

    /// Programs of this machine are clients like others.
    func trustsIdentifiers(of peer: TrustedProxies.Peer, _ proxies: TrustedProxies) -> Bool { proxies.contains(peer) }
}

extension Forwarding: RequestExchange {
    var isForwarded: Bool { true }

    var conversionNanoseconds: Int64? { nil }

    var holdsConnection: Bool { connection != nil }

    func note(in record: AccessRecord) {
        record.skippedRecords = skippedRecords ?? record.skippedRecords
        record.attempts = attempts
        record.upstreamNanoseconds = upstreamNanoseconds
    }

    /// Responses of upstreams are flushed when the upstream pauses.
    func flush() {}

    /// A gateway compiles no profiles of requests.
    func take(_ product: CompileQueue.Outcome) {}
}
