import ContentCodings
import Conversions
import ConvertEngine
import HTTPSemantics
import PayloadStreams
import Sockets
import Text

// An upstream's body between the inflater and the converter. `take` adds raw bytes to `unread`. `step` reads them slice
// by slice, because one slice can produce much output. These must stay in step:
//
// - Until `commit`, all output stays in the unit, uncompressed, so that an error can still become another response.
//   With `onError: pass`, `original` then has every raw byte that has arrived.
// - After `commit`, output passes through `coder`, if there is one, in `takeOutput` and nowhere else.
// - The client's reservation counts what is buffered: output and original before the commit, and what waits in the
//   converter.

/// The body of an upstream's response during its conversion.
final class ResponseBodyConversion {
    /// The most storage that is kept for the next output while the client takes the last one.
    private static let maxKeptBytes = 16 * 1024

    let conversion: PayloadConversion
    /// The payloads of the body, if it is a stream of them. Then nothing else uses the converter.
    private let stream: StreamConversion<PayloadStream>?
    private var inflater: Inflater?
    /// Whether the inflater stopped for lack of room, and may produce output without more input.
    private var isInflating = false
    /// The compression for the client.
    let coding: ContentCoding
    private var coder: EncoderPool.Unit?
    private var rule: CommitRule
    private var original: [UInt8]?
    /// Whether the first value is still awaited and must be an object or an array, so that the body counts as JSON.
    private var awaitsContainer: Bool
    private var unread: [UInt8] = []
    private var position = 0
    private var inflated = ByteBuffer()
    private let reservation: Reservation
    /// A copy of the body, if it is compared later.
    private var sample: ShadowSample?
    private(set) var isCommitted = false
    /// Whether the upstream has sent all of it.
    private(set) var isInputComplete = false
    /// Whether the end of the input was passed to the stream.
    private var hasStreamEnded = false
    /// Whether any raw byte has arrived.
    private var hasBegun = false
    /// Whether the body has no byte so far, after decompression.
    private var isEmpty = true

    /// - Parameters:
    ///   - maxDecodedRatio: decompressed bytes per compressed byte.
    ///   - responseCoding: the compression for the client.
    ///   - isLabelled: whether the Content-Type is JSON. If not, the body must be an object or an array: a number or a
    ///     string may be the text of any other type.
    ///   - keepsOriginal: whether the body passes unchanged if it cannot be converted.
    ///   - stream: the payloads of the body and the current time, if it is a stream.
    ///   - sample: for a body that is compared later.
    init(
        _ conversion: PayloadConversion, from bodyCoding: ContentCoding, maxDecodedRatio: Int,
        to responseCoding: ContentCoding, isLabelled: Bool = true, keepsOriginal: Bool, _ reservation: Reservation,
        stream: (StreamConversion<PayloadStream>, begin: MonotonicTime)? = nil, sample: ShadowSample? = nil
    ) {
        self.sample = sample
        self.conversion = conversion
        self.stream = stream?.0
        rule = CommitRule(from: stream?.begin)
        if bodyCoding != .identity {
            inflater = Inflater(bodyCoding, limits: .init(maxDecodedBytes: nil, maxRatio: maxDecodedRatio))
        }
        coding = responseCoding
        awaitsContainer = !isLabelled
        original = keepsOriginal ? [] : nil
        self.reservation = reservation
    }

    /// Bytes that arrived and are not converted yet.
    var waitingBytes: Int { unread.count - position }

    /// When `isDue` must be called again even if no bytes arrive; nil before the first output and after the commit.
    var deadline: MonotonicTime? { isCommitted ? nil : rule.deadline }

    /// Whether `step` has work to do.
    var hasWork: Bool {
        guard let stream else { return waitingBytes > 0 || isInflating || conversion.isWriting }
        return waitingBytes > 0 || isInflating || stream.hasWork || isInputComplete && !hasStreamEnded
    }

    /// Converts bytes of the body as they arrive, without keeping them. Returns false if other bytes wait before them,
    /// or if they exceed one slice. Then the caller must use `take`.
    ///
    /// - Parameter isLast: whether the body is known to end with these bytes.
    func convertAtOnce(_ bytes: Span<UInt8>, isLast: Bool, _ clock: () -> MonotonicTime) throws(Problem) -> Bool {
        guard inflater == nil, !hasWork, bytes.count <= conversion.sliceBytes else { return false }
        hasBegun = true
        original?.append(span: bytes)
        try begin(bytes, isLast: isLast, clock)
        try countHeld()
        return true
    }

    func take(_ bytes: Span<UInt8>) {
        hasBegun = true
        original?.append(span: bytes)
        if position > 0 {
            unread.removeFirst(position)
            position = 0
        }
        unread.append(span: bytes)
    }

    /// Records that the upstream has sent the whole body.
    func inputEnded() { isInputComplete = true }

    /// Converts one slice of the bytes that arrived. Call it only while `hasWork`.
    func step(_ clock: () -> MonotonicTime) throws(Problem) {
        if let stream, stream.hasWork || waitingBytes == 0 && !isInflating {
            if stream.hasWork { try stream.step(clock) } else { hasStreamEnded = try !stream.end() }
            return try countHeld()
        }
        guard stream != nil || !conversion.isWriting else {
            try conversion.continueWriting(clock)
            return try countHeld()
        }
        let slice = conversion.sliceBytes
        guard inflater != nil else {
            let end = min(unread.count, position + slice)
            let bytes = unread
            let start = position
            position = end
            releaseInput()
            try begin(bytes.span.extracting(start..<end), clock)
            return try countHeld()
        }
        do throws(CodingError) {
            let bytes = unread
            let progress = try inflater?.decode(bytes.span, at: &position, maxBytes: slice, into: &inflated)
            isInflating = progress == .needsRoom
            releaseInput()
        } catch {
            throw Problem(error)
        }
        defer { inflated.removeAll() }
        if !inflated.isEmpty { try begin(inflated.bytes, clock) }
        try countHeld()
    }

    /// Ends the body. Throws if it is incomplete.
    ///
    /// - Returns: false if the body is empty, also after decompression, and the response is not committed. Then it passes
    ///   without a body.
    func finish() throws(Problem) -> Bool {
        if hasBegun {
            do throws(CodingError) {
                try inflater?.finish()
            } catch {
                throw Problem(error)
            }
        }
        guard !isEmpty || isCommitted else {
            conversion.hadNoPayload()
            return false
        }
        try conversion.finish()
        try countHeld()
        return true
    }

    /// Whether the response must be committed now.
    func isDue(at now: MonotonicTime) -> Bool {
        guard !isCommitted else { return false }
        var hasRecord = stream.map { !$0.output.isEmpty } ?? false
        let unit = conversion.unit
        if stream == nil, unit.framing == .lines { hasRecord = unit.output.contains(ASCII.lineFeed) }
        return rule.isDue(
            heldBytes: outputCount, hasRecord: hasRecord, isCrowded: reservation.isCrowded, at: now)
    }

    /// Whether the encoder that the client requires is there, or there is room for it.
    func hasRoom(for encoders: EncoderPool) -> Bool { coder != nil || encoders.hasRoom(toStream: coding) }

    /// Takes the encoder before the commit. A stream always needs it, and others that begin meanwhile must not get it.
    func takeEncoder(_ encoders: EncoderPool) {
        if coding != .identity, coder == nil { coder = encoders.takeToStream(coding) }
    }

    /// From now on the output goes to the client, compressed if the client accepts that.
    func commit(_ encoders: EncoderPool) {
        isCommitted = true
        original = nil
        reservation.set(.response)
        takeEncoder(encoders)
    }

    /// Passes the available output to `send`, as the client gets it. Call it only after `commit`.
    ///
    /// - Parameters:
    ///   - flushes: whether the output must include all bytes that arrived so far.
    ///   - isLast: whether it is the last output.
    func takeOutput(flushes: Bool = false, isLast: Bool = false, _ send: (inout ByteBuffer) -> Void) {
        let unit = conversion.unit
        guard let coder else {
            if let stream { return send(&stream.output) }
            send(&unit.output)
            return unit.output.removeAll(keepingAtMost: Self.maxKeptBytes)
        }
        if let stream { coder.encode(taking: &stream.output) } else { coder.encode(taking: &unit.output) }
        if isLast { coder.finish() } else if flushes { coder.flush() }
        send(&coder.output)
    }

    /// The bytes that arrived so far, unchanged. After the call this object keeps none of them. Nil if they were not
    /// kept.
    func takeOriginal() -> [UInt8]? {
        defer { original = nil }
        unread = []
        position = 0
        isInflating = false
        reservation.set(.response)
        return original
    }

    /// Compares the complete body with the output of another profile, if it was chosen for that.
    func compareSample() {
        sample?.compare(reservation.budget)
        sample = nil
    }

    /// Returns the inflater, the converter and the encoder to their pools.
    func close(_ context: GatewayContext) {
        context.end(conversion)
        if let coder { context.encoders.giveBack(coder) }
        coder = nil
    }

    // MARK: Helpers

    /// Releases the storage of the input that was read. It is not counted, and the client may take any time for the output.
    private func releaseInput() { if waitingBytes == 0 { (unread, position) = ([], 0) } }

    private func begin(
        _ bytes: Span<UInt8>, isLast: Bool = false, _ clock: () -> MonotonicTime
    ) throws(Problem) {
        if bytes.count > 0 { isEmpty = false }
        if awaitsContainer, let first = bytes.indices.first(where: { !Self.mayPrecede(bytes[$0]) }) {
            guard bytes[first] == ASCII.openBrace || bytes[first] == ASCII.openBracket else {
                conversion.noteError(.json)
                throw Self.noJSON
            }
            awaitsContainer = false
        }
        if let stream { return stream.take(bytes) }
        sample?.append(bytes, hasRoom: !reservation.areAllCrowded)
        try conversion.begin(bytes, isLast: isLast, clock)
    }

    /// Whether a byte may precede the first value: white space, or a byte of a byte order mark. The converter checks
    /// the mark.
    private static func mayPrecede(_ byte: UInt8) -> Bool {
        ASCII.isSpace(byte) || ASCII.byteOrderMark.contains(byte)
    }

    private static let noJSON = Problem(
        400, "it is neither a JSON object nor an array, and not labelled as JSON", code: "json")

    /// Updates the reservation. Throws if the bytes that no commit would release have outgrown the available room.
    private func countHeld() throws(Problem) {
        let uncommittedBytes = isCommitted ? 0 : outputCount + (original?.count ?? 0)
        let keptBytes = conversion.keptBytes + (stream?.heldBytes ?? 0)
        let hasGrown = reservation.set(
            .response, firm: keptBytes, passing: uncommittedBytes + (sample?.count ?? 0))
        if hasGrown, let refusal = reservation.refusal { throw refusal }
    }

    /// The bytes of output that can be sent.
    private var outputCount: Int { stream?.output.count ?? conversion.unit.output.count }
}
