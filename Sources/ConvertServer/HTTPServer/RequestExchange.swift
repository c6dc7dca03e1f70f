import Conversions
import HTTPSemantics
import Sockets

/// A request whose content is read, and its response, as the client's session sees them.
///
/// It is called from inside events of the session. When it has ended the response, or failed, the session has already dropped it.
protocol RequestExchange: AnyObject {
    // MARK: The request

    /// Takes bytes of the content before they are decompressed.
    func keepOriginal(_ bytes: Span<UInt8>)
    /// Takes the next bytes of the content.
    func take(_ content: Span<UInt8>, at now: MonotonicTime)
    /// Handles the end of the content. With a `problem`, the compressed content is not complete.
    func requestEnded(_ problem: Problem?, at now: MonotonicTime)
    func refuse(_ problem: Problem, at now: MonotonicTime)
    /// How many bytes of the input are taken before the write buffer is checked again; nil for a whole read.
    var sliceBytes: Int? { get }

    // MARK: Work

    /// Whether content that has arrived must be processed before the wire continues.
    var hasWork: Bool { get }
    /// Continues that work, until the write buffer is full or the turn is over.
    func proceed(at now: MonotonicTime)
    /// Whether the exchange waits for work outside the loop.
    var isAway: Bool { get }
    /// Takes finished work for a buffered object. False if it belongs to another exchange.
    func takeBack(_ work: HeldObjectWork) -> Bool
    func take(_ product: CompileQueue.Outcome)

    // MARK: State

    /// Whether more of the content can be taken, if there is room for output.
    var takesInput: Bool { get }
    /// Whether the exchange waits for the client, and for nobody else.
    var awaitsClient: Bool { get }
    /// Whether the content is forwarded to an upstream.
    var isForwarded: Bool { get }
    /// Memory of output that the session does not have yet.
    var waitingBytes: Int { get }
    /// The time of the conversion so far, for the client; nil if there is none.
    var conversionNanoseconds: Int64? { get }
    /// Completes the record of the request.
    func note(in record: AccessRecord)
    /// Releases everything.
    func close()

    // MARK: The response

    /// Sends all output so far, because the next bytes may take long.
    func flush()
    /// Whether bytes of an upstream's response wait to be converted, and whether that can go on now.
    var hasResponseWork: Bool { get }
    var canConvertResponse: Bool { get }
    func continueResponse(at now: MonotonicTime)
    /// Handles that the client has accepted some of the waiting bytes.
    func clientHasRoom(at now: MonotonicTime)
    /// When `expire` must be called, even if nothing happens.
    var deadline: MonotonicTime? { get }
    func expire(at now: MonotonicTime)
    /// Whether an upstream's connection waits until the client has accepted the response so far.
    var holdsConnection: Bool { get }

    // MARK: The tunnel

    /// Whether the connection uses another protocol, whose bytes pass unchanged.
    var isTunnel: Bool { get }
    func tunnel(_ bytes: Span<UInt8>, at now: MonotonicTime)
    func clientEndedTunnel()
}

/// The exchange without an upstream: its content goes no further, its response waits for nobody else, and its protocol is
/// always HTTP.
extension RequestExchange {
    func keepOriginal(_ bytes: Span<UInt8>) {}
    var isForwarded: Bool { false }

    var hasResponseWork: Bool { false }
    var canConvertResponse: Bool { false }
    func continueResponse(at now: MonotonicTime) {}
    func clientHasRoom(at now: MonotonicTime) {}
    var deadline: MonotonicTime? { nil }
    func expire(at now: MonotonicTime) {}
    var holdsConnection: Bool { false }

    var isTunnel: Bool { false }
    func tunnel(_ bytes: Span<UInt8>, at now: MonotonicTime) {}
    func clientEndedTunnel() {}
}
