import ContentCodings
import Conversions
import EventLoop
import Gateway
import HTTPSemantics
import HTTPWire
import Sockets
import Text

// A session connects the wire's machine and the exchange of the current request, without socket and clock. Received bytes go in.
// Bytes to send go into `writeBuffer`. `closing`, `wantsInput` and `activity` have the possible next steps.
//
// The listener's handler decides what happens to a request. It responds at once, or gives the session an exchange, which reads
// the content. A request without an exchange is discarded. These must stay in step:
//
// - A body's bytes pass through `take`, where `inflater` decompresses them. A compressed slice is decompressed portion by
//   portion, and the exchange processes each portion before the next. If the write buffer fills up in the middle, the rest
//   waits in `coded`. It is processed before anything else from the wire.
// - A response is started exactly once. Until then any error becomes a problem document. After that (`isCommitted`) an
//   error aborts the connection.
// - If too much waits in the write buffer (`isFull`), nothing is consumed. Input that was already read waits in `unread`, and
//   nothing more is read until `resume` has emptied it.
// - The bytes that the connection keeps are counted in its `reservation`, by part. So all connections together keep no more
//   than the process may. `endRecord` releases what belongs to the request, and the end of the reservation releases
//   everything.
// - One connection must not block the loop. The work of one event beyond one request or one slice of a body ends with
//   the turn (`isTurnOver`), and `resume` continues it. The same applies to the output of an upstream's response.

/// The state of one connection.
final class Session {
    let context: HTTPContext
    var wire: ServerConnection
    let writeBuffer = WriteBuffer()
    /// How to close after the write buffer is empty; nil while the connection stays open.
    var closing: ServerConnection.Closing?

    /// Reads the content of the current request; nil if the content is discarded, and between requests.
    private(set) var exchange: (any RequestExchange)?
    let reservation: Reservation
    /// Whether the response's head was sent, with a body that is streamed.
    var isCommitted = false
    /// The processor time of the request, in turns that were long enough to be measured.
    private(set) var spentNanoseconds: Int64 = 0
    var record: AccessRecord?
    /// Decompresses the current body, if it is compressed.
    var inflater: Inflater?
    /// The rest of a compressed slice that waits for room. Even an empty rest may produce output.
    var coded: [UInt8]?
    /// The possible compression of the response; nil if it is not negotiated.
    var responseCoding: ResponseCoding?

    /// The other end of the connection.
    let peer: TrustedProxies.Peer
    /// The name of the peer in the log.
    let peerText: String
    /// Whether it came through a public listener, not through one of `admin`.
    let isPublic: Bool
    /// The loop's token of the connection.
    var token: PollToken? {
        didSet {
            handWork = nil
            if let token, let heldWork = context.heldWork { handWork = { heldWork($0, token) } }
        }
    }
    /// Starts work for a buffered object outside the loop. Nil if there is no loop for the result.
    private(set) var handWork: ((HeldObjectWork) -> Void)?
    /// Whether the sending side must end after the write buffer is empty.
    var endsSending = false

    /// The most bytes that are read at once while much is buffered overall.
    private static let crowdedReadBytes = 16 * 1024
    /// Bytes of a response that may wait for each byte of a request that is still arriving.
    private static let maxGrowth = 4

    private var unread: ArraySlice<UInt8> = []
    /// Whether the wire may have events without new input, because the loop over them was interrupted.
    private var isInterrupted = false
    private(set) var hasInputEnded = false
    /// The number of sent bytes that the system has accepted.
    private(set) var sentBytes = 0
    /// The time when the unfinished head began.
    private var headStart: MonotonicTime?
    private let unsentRecords = UnsentRecords()

    init(_ context: HTTPContext, from peer: TrustedProxies.Peer = .unix, isPublic: Bool = false) {
        self.context = context
        self.peer = peer
        peerText = peer.description
        self.isPublic = isPublic
        reservation = Reservation(
            context.heldBytes, maxBytes: context.configuration.gateway.maxBufferedBytes,
            maxOwnBytes: context.configuration.maxMessageBytes)
        wire = ServerConnection(limits: context.configuration.wireLimits)
    }

    /// Handles the requests of the connection. A reload of the configuration may replace it.
    var handler: any RequestHandler { isPublic ? context.publicHandler : context.adminHandler }

    /// Lets `exchange` read the content of the current request, decompressed from this coding.
    func begin(_ exchange: any RequestExchange, decoding coding: ContentCoding) {
        self.exchange = exchange
        if coding != .identity { inflater = Inflater(coding, limits: context.configuration.decodingLimits) }
    }

    /// Ends the exchange, if there is one.
    func dropExchange() {
        exchange?.close()
        exchange = nil
    }

    // MARK: Input

    /// Takes received bytes. Call it only while `wantsInput`.
    func receive(_ bytes: Span<UInt8>, at now: MonotonicTime) {
        precondition(unread.isEmpty, "what was read before comes first")
        let consumed = advance(bytes, at: now)
        if consumed < bytes.count { unread = Array(span: bytes.extracting(consumed..<bytes.count))[...] }
        countWaiting()
        refuseLongHead(at: now)
        // A full buffer means that more has arrived.
        if bytes.count < ReadBuffer.capacity { flushIfPaused() }
    }

    /// Handles the end of the peer's bytes.
    func inputEnded(at now: MonotonicTime) {
        guard !hasInputEnded else { return }
        hasInputEnded = true
        if let exchange, exchange.isTunnel { return exchange.clientEndedTunnel() }
        wire.inputEnded()
        resume(at: now)
    }

    /// Continues with waiting work, if there is room in the write buffer.
    func resume(at now: MonotonicTime) {
        if !isFull { exchange?.continueResponse(at: now) }
        guard !isBlocked else { return }
        let waiting = unread
        unread = []
        let consumed = advance(waiting.span, at: now)
        if consumed < waiting.count { unread = waiting.dropFirst(consumed) }
        countWaiting()
        flushIfPaused()
    }

    /// Handles that `activity` has exceeded its timeout.
    func expire(at now: MonotonicTime) {
        let activity = activity
        if case .sending = activity { return abort() }
        if case .none = activity, exchange != nil { return }
        if let error = wire.expire() { refuse(error, at: now) }
        resume(at: now)
    }

    func connectionLost() {
        closing = .abort
        // The client was no longer there to receive the response.
        if exchange?.isForwarded == true { record?.status = AccessRecord.clientGone }
        ended()
    }

    /// Whether a response has begun, so that closing now would cut it off.
    ///
    /// Tunnelled data has no known end.
    var isResponding: Bool {
        !writeBuffer.isEmpty || closing == .abort || (isCommitted && wire.waitingFor != .tunnel)
    }

    /// Handles that nothing more will be sent. Waiting responses are lost.
    func ended() {
        endRecord(isAborted: true)
        unsentRecords.takeAborted(sentBytes, context.accessLog.note)
    }

    /// Adds the processor time of a turn.
    func spend(nanoseconds: Int64) { spentNanoseconds = record == nil ? 0 : spentNanoseconds + nanoseconds }

    /// Sends the waiting bytes.
    func send(on socket: borrowing StreamSocket) -> StreamSocket.Transfer {
        let transfer = writeBuffer.send(on: socket)
        if case .bytes(let count) = transfer {
            sentBytes += count
            unsentRecords.takeSent(sentBytes, context.accessLog.note)
        }
        countWaiting()
        return transfer
    }

    // MARK: Records

    /// The time at which a request began, whose header was received or refused at `now`.
    ///
    /// A pipelined request begins after the response to the one before it.
    func takeHeadStart(at now: MonotonicTime) -> MonotonicTime {
        defer { headStart = nil }
        return headStart ?? now
    }

    /// Records the end of a request after the system has accepted all its queued bytes.
    func noteWhenSent(_ record: AccessRecord) {
        unsentRecords.append(record, endingAt: sentBytes + writeBuffer.count)
        unsentRecords.takeSent(sentBytes, context.accessLog.note)
    }

    // MARK: State

    /// Whether no bytes of the client can be taken now.
    var isBlocked: Bool { isBlocked(exchange) }

    private func isBlocked(_ exchange: (any RequestExchange)?) -> Bool {
        guard let exchange else { return isFull }
        return !exchange.takesInput || isFull && !exchange.isTunnel
    }

    /// Whether so much waits for the client that no more may be produced.
    ///
    /// Log entries count: with a long path they are longer than a short response.
    /// The limit is higher while its request is still arriving, because many clients read nothing before they have sent
    /// everything. It is lower if much waits for all clients together.
    var isFull: Bool {
        let count = writeBuffer.count + unsentRecords.storedBytes
        guard count > context.configuration.highWaterBytes else { return count > 0 && isTooMuchWaiting(count) }
        guard wire.waitingFor == .body, !reservation.areManyWaiting else { return true }
        // A small request can have a large response, so the limit follows the received bytes.
        return count > min(context.configuration.uploadHighWaterBytes, Self.maxGrowth * (record?.bytesIn ?? 0))
    }

    /// Whether more of a body may arrive although the client has not accepted all of the output so far.
    private var takesBody: Bool { wire.waitingFor == .body && !isFull && exchange?.awaitsClient ?? true }

    /// How much is read at once. It is little if clients leave much waiting, because the output may have to wait too.
    var maxReadBytes: Int {
        reservation.areAllWaiting || reservation.areAllCrowded ? Self.crowdedReadBytes : ReadBuffer.capacity
    }

    /// Counts the waiting bytes: the header so far and the unread input. While the write buffer does not empty, it also
    /// counts the write buffer, the requests after it and their log entries.
    private func countWaiting() {
        // A forwarded request has a copy of the fields.
        reservation.set(.head, firm: wire.headBytes * (exchange?.isForwarded == true ? 2 : 1))
        // The storage of the unread input still has the part that was read.
        var bytes = unread.endIndex + unsentRecords.storedBytes
        if !writeBuffer.isEmpty {
            bytes += writeBuffer.storedBytes + (exchange?.waitingBytes ?? 0)
        }
        reservation.set(.client, passing: bytes)
    }

    /// Whether more may be read.
    var wantsInput: Bool {
        guard closing == nil, !hasInputEnded, !hasInputWork else { return false }
        guard let exchange else { return !isFull }
        return !exchange.hasWork && (!exchange.hasResponseWork || exchange.isTunnel) && !isBlocked(exchange)
    }

    /// Whether there is work that only waits for room in the write buffer.
    var wantsToResume: Bool {
        guard closing == nil else { return false }
        let exchange = exchange
        return (hasInputWork || exchange?.hasWork == true) && !isBlocked(exchange)
            || exchange?.canConvertResponse == true && !isFull
    }

    /// Whether received bytes wait to be taken.
    private var hasInputWork: Bool { isInterrupted || !unread.isEmpty || coded != nil }

    /// Whether the connection is between two requests with nothing left to do.
    var isIdle: Bool { closing == nil && writeBuffer.isEmpty && unread.isEmpty && wire.waitingFor == .request }

    /// Whether the work of this event has used up a turn, so that others come first.
    func isTurnOver(_ now: MonotonicTime) -> Bool { context.loop.isTurnOver(now) }

    var activity: Activity {
        if !writeBuffer.isEmpty, closing != nil || !takesBody { return .sending(taken: sentBytes) }
        if closing != nil { return .lingering(received: 0) }
        if let exchange {
            guard exchange.awaitsClient, !exchange.isAway, wire.waitingFor == .body else { return .none }
            if exchange.isForwarded { return .upload(number: wire.requestCount, transferred: transferredBytes) }
        }
        switch wire.waitingFor {
        case .request: return .idle(number: wire.requestCount)
        case .head: return .head(number: wire.requestCount)
        case .body: return .body(number: wire.requestCount, transferred: transferredBytes)
        case .response, .tunnel, .nothing: return .none
        }
    }

    /// Bytes of the current body that have arrived, and of its response that were sent: a client may read these before
    /// it sends more.
    private var transferredBytes: Int { (record?.bytesIn ?? 0) + sentBytes }

    // MARK: Events

    /// Sends all output so far to the client, because the next bytes may take long.
    private func flushIfPaused() {
        if closing == nil, !hasInputWork, let exchange, !exchange.hasWork { exchange.flush() }
    }

    /// Passes `input` to the wire, slice by slice, until it is used up or the write buffer is full. Returns the number of
    /// consumed bytes.
    private func advance(_ input: Span<UInt8>, at now: MonotonicTime) -> Int {
        var position = 0
        isInterrupted = false
        let knownRequests = wire.requestCount
        // Whether a part of a body was taken since the clock was read.
        var hasPart = false
        while closing == nil {
            var hasWork = exchange?.hasWork ?? false
            if hasWork {
                exchange?.proceed(at: now)
                hasWork = exchange?.hasWork ?? false
            }
            if coded != nil, !hasWork {
                continueDecoding(at: now)
                hasWork = exchange?.hasWork ?? false
            }
            // After the response, no event reports the rest of a request body. The next header follows it directly.
            let isNext = wire.requestCount > knownRequests && record == nil
            let isDue = (isNext || hasPart) && position < input.count
            hasPart = false
            let exchange = exchange
            if isBlocked(exchange) || hasWork || coded != nil || isDue && isTurnOver(now) {
                isInterrupted = true
                return position
            }
            let end = min(input.count, position + sliceBytes(exchange))
            let window = input.extracting(position..<end)
            var consumed = 0
            do throws(WireError) {
                let event = try wire.next(window, at: &consumed)
                position += consumed
                switch event {
                case .needMore:
                    if headStart == nil, wire.waitingFor == .head { headStart = now }
                    if position == input.count { return position }
                case .head:
                    if context.configuration.isLastRequest(number: wire.requestCount) { wire.closeAfterResponse() }
                    let request = wire.request
                    beginRecord(of: request, at: now)
                    handler.begin(request, of: self, at: now)
                case .body(let range):
                    hasPart = true
                    take(window.extracting(range), at: now)
                case .end: endRequest(at: now)
                case .paused: return position
                case .tunnel(let range):
                    record?.bytesIn += range.count
                    exchange?.tunnel(window.extracting(range), at: now)
                case .finished(let closing):
                    self.closing = closing
                    endRecord(isAborted: closing == .abort)
                }
            } catch {
                position += consumed
                refuse(error, at: now)
            }
        }
        return input.count
    }

    /// How many bytes of the input are taken before the write buffer is checked again.
    var sliceBytes: Int { sliceBytes(exchange) }

    private func sliceBytes(_ exchange: (any RequestExchange)?) -> Int { exchange?.sliceBytes ?? ReadBuffer.capacity }

    private func refuse(_ error: WireError, at now: MonotonicTime) {
        guard wire.canRespond else { return abort() }
        if record == nil {
            beginRecord(at: now)
            noteRoute()
        }
        respond(Problem(error))
    }
}
