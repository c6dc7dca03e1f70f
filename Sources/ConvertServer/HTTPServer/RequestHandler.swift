import HTTPSemantics
import HTTPWire
import Sockets

/// Handles the requests of a listener.
///
/// There are three: the routes of the gateway, the service's paths for clients, and its paths for `admin` listeners.
protocol RequestHandler: AnyObject {
    /// Handles a request whose head is complete: responds, or gives the session an exchange that reads the content.
    func begin(_ request: RequestHead, of session: Session, at now: MonotonicTime)
    /// Records the route of a request that is refused before it is handled.
    func noteRoute(of request: RequestHead, in record: AccessRecord?)
    /// Whether the X-Request-Id of a request from this peer is used. If everybody could set it, clients could forge log lines
    /// of others.
    func trustsIdentifiers(of peer: TrustedProxies.Peer, _ proxies: TrustedProxies) -> Bool
}
