package import Conversions
package import ConvertEngine
package import HTTPSemantics
package import HTTPWire
package import Sockets
package import Upstreams

/// The client's side of a forwarded request: its head and body come from here, and the response goes there.
///
/// It is called from inside events of either side. A call queues bytes and does not call back.
package protocol ForwardingClient: AnyObject {
    /// The loop's token of the client's connection.
    var token: PollToken? { get }
    /// The connection's share of the buffered bytes.
    var reservation: Reservation { get }
    /// Whether so much waits for the client that no more may be produced.
    var isFull: Bool { get }
    /// How much is read at once.
    var maxReadBytes: Int { get }
    /// Whether this number of bytes is too much to wait for one peer.
    func isTooMuchWaiting(_ count: Int) -> Bool
    /// Makes the loop update the client's connection, because there may be bytes to send, or room for more.
    func touch()

    // MARK: The request

    /// Whether the client waits for `100 Continue`.
    var expectsContinue: Bool { get }
    /// Whether the bytes so far are known to be the whole body.
    var isBodyAtEnd: Bool { get }
    /// Whether the client accepts trailers.
    var acceptsTrailers: Bool { get }
    /// The head, with the facts that are not in it, of a body that passes unchanged after all.
    var leftRequest: (head: RequestHead, body: RequestBody, facts: RequestContext) { get }
    /// A conversion whose large buffered objects are processed outside the loop.
    func makeConversion(_ order: ConversionOrder) -> PayloadConversion
    /// Refuses a payload whose output or processor time exceeds the limit of one request.
    func checkCost(of conversion: PayloadConversion) throws(Problem)
    /// Tells the client to send its body.
    func sendContinue()
    /// Stops decompressing the body, which passes unchanged.
    func leaveBodyCoded()

    // MARK: The log

    func note(_ order: ConversionOrder)
    func note(_ upstream: String, _ server: ServerAddress)
    /// Records the error that ends a tunnel.
    func note(_ problem: Problem)

    // MARK: The response

    /// Sends an interim response to clients that support it.
    func inform(_ head: ResponseHead)
    /// Sends the head of a forwarded response.
    ///
    /// - Parameter skippedRecords: those of the body, if they are already known.
    func startForwarded(
        _ response: ForwardedResponse, body: ResponseBody, announcesTrailer: Bool, skippedRecords: SkippedRecords?)
    /// Sends the next bytes of a response body.
    func relay(_ bytes: Span<UInt8>)
    /// Sends the next bytes of a response body, which are taken out of `buffer`.
    func relay(_ buffer: inout ByteBuffer)
    /// Ends a forwarded response.
    func endForwarded(skippedRecords: SkippedRecords?)
    /// Makes the response the last one of the connection.
    func closeAfterResponse()
    /// Sends an error response, or cuts off a response that has already begun.
    func fail(_ problem: Problem)
    /// Cuts the response off.
    func abort()

    // MARK: The tunnel

    /// Sends 101 to the client: from now on the protocol is another one.
    func switchProtocols(to upgrade: String, _ fields: Fields, requestID: String)
    /// Sends bytes of the other protocol.
    func relayTunnelled(_ bytes: Span<UInt8>)
    /// Ends the sending side after all bytes were sent.
    func endSending()
    /// Ends the tunnel. If the client has not ended its side, its further bytes are discarded.
    func endTunnel()
}
