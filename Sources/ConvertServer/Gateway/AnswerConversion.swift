import ContentCodings
import ConvertCore
import HTTPSemantics
import HTTPWire
import Sockets
import Text

// An upstream's body between the inflater and the converter. Raw bytes come in by `take` and wait in `unread` until
// they are requested slice by slice (`step`), because one slice can become much. What must stay in step:
//
// - Until `commit`, all output stays in the unit, uncompressed, so that an error can still become another response.
//   With `onError: pass`, `original` then has every raw byte that has arrived.
// - After `commit`, output passes through `coder`, if there is one, in `takeOutput` and nowhere else.
// - The client's reservation counts what is buffered: output and original before the commit, and what waits in the
//   converter.

/// The body of an upstream's answer that is being converted.
final class AnswerConversion {
    let conversion: Conversion
    private var inflater: Inflater?
    /// Whether the inflater was stopped for lack of room, and may have something to give without further input.
    private var isInflating = false
    /// What the client gets it coded with.
    let coding: ContentCoding
    private var coder: EncoderPool.Unit?
    private var rule = CommitRule()
    private var original: [UInt8]?
    /// Whether the body has yet to begin with an object or an array to count as JSON.
    private var awaitsContainer: Bool
    private var unread: [UInt8] = []
    private var position = 0
    /// Bytes that have come and were not taken on.
    private(set) var waitingBytes = 0
    private var inflated = ByteBuffer(capacity: 0)
    private let reservation: Reservation
    private(set) var isCommitted = false
    /// Whether the upstream has sent all of it.
    private(set) var isInputComplete = false
    /// Raw bytes so far.
    private(set) var receivedBytes = 0

    /// - Parameters:
    ///   - limits: for the decompressed body.
    ///   - answerCoding: what the client gets.
    ///   - isLabelled: whether the Content-Type is JSON. If not, the body must be an object or an array: a number or a
    ///     string may be the text of any other type.
    ///   - keepsOriginal: whether the body passes unchanged if it cannot be converted.
    init(
        _ conversion: Conversion, from bodyCoding: ContentCoding, _ limits: Inflater.Limits,
        to answerCoding: ContentCoding, isLabelled: Bool = true, keepsOriginal: Bool, _ reservation: Reservation
    ) {
        self.conversion = conversion
        if bodyCoding != .identity { inflater = Inflater(bodyCoding, limits: limits) }
        coding = answerCoding
        awaitsContainer = !isLabelled
        original = keepsOriginal ? [] : nil
        self.reservation = reservation
    }

    /// When `isDue` has to be asked again though nothing comes; nil before the first output and after the commit.
    var deadline: MonotonicTime? { isCommitted ? nil : rule.deadline }

    /// Whether `step` has something to do.
    var hasWork: Bool { waitingBytes > 0 || isInflating || conversion.isWriting }

    /// Converts bytes of the body as they arrive, without keeping them. False if others wait before them, or if they
    /// are too many for one slice; then they must go through `take`.
    ///
    /// - Parameter isLast: whether the body is known to end with them.
    func convertAtOnce(_ bytes: Span<UInt8>, isLast: Bool, _ clock: () -> MonotonicTime) throws(Problem) -> Bool {
        guard inflater == nil, !hasWork, bytes.count <= conversion.sliceBytes else { return false }
        receivedBytes += bytes.count
        original?.append(span: bytes)
        try begin(bytes, isLast: isLast, clock)
        try countHeld()
        return true
    }

    /// Takes raw bytes of the body.
    func take(_ bytes: Span<UInt8>) {
        receivedBytes += bytes.count
        original?.append(span: bytes)
        if position > 0 {
            unread.removeFirst(position)
            position = 0
        }
        unread.append(span: bytes)
        waitingBytes += bytes.count
    }

    /// Notes that the upstream has sent all of it.
    func inputEnded() { isInputComplete = true }

    /// Converts a slice of what has come; only while `hasWork`.
    func step(_ clock: () -> MonotonicTime) throws(Problem) {
        guard !conversion.isWriting else {
            try conversion.continueWriting(clock)
            return try countHeld()
        }
        let slice = conversion.sliceBytes
        guard inflater != nil else {
            let end = min(unread.count, position + slice)
            let bytes = unread
            let start = position
            position = end
            waitingBytes -= end - start
            try begin(bytes.span.extracting(start..<end), clock)
            return try countHeld()
        }
        do throws(CodingError) {
            let bytes = unread
            let progress = try inflater?.decode(bytes.span, at: &position, maxBytes: slice, into: &inflated)
            waitingBytes = bytes.count - position
            isInflating = progress == .needsRoom
        } catch {
            throw Problem(error)
        }
        defer { inflated.removeAll() }
        if !inflated.isEmpty { try begin(inflated.bytes, clock) }
        try countHeld()
    }

    /// Requires that the body is whole.
    func finish() throws(Problem) {
        do throws(CodingError) {
            try inflater?.finish()
        } catch {
            throw Problem(error)
        }
        try conversion.finish()
        try countHeld()
    }

    /// Whether the answer is to be committed now.
    func isDue(at now: MonotonicTime) -> Bool {
        guard !isCommitted else { return false }
        let unit = conversion.unit
        var hasRecord = false
        if unit.framing == .lines { hasRecord = Self.hasLine(unit.output.bytes) }
        return rule.isDue(
            heldBytes: unit.output.count, hasRecord: hasRecord, isCrowded: reservation.isCrowded, at: now)
    }

    /// From now on the output goes to the client, compressed if the client accepts that.
    func commit(_ encoders: EncoderPool) {
        isCommitted = true
        original = nil
        reservation.set(.answer)
        if coding != .identity { coder = encoders.takeToStream(coding) }
    }

    /// Gives the output that is there to `send`, as the client gets it; after `commit`.
    ///
    /// - Parameters:
    ///   - flushes: whether everything that came so far has to be in it.
    ///   - isLast: whether no more follows.
    func takeOutput(flushes: Bool = false, isLast: Bool = false, _ send: (inout ByteBuffer) -> Void) {
        let unit = conversion.unit
        guard let coder else { return send(&unit.output) }
        coder.encode(unit.output.bytes)
        unit.output.removeAll()
        if isLast { coder.finish() } else if flushes { coder.flush() }
        send(&coder.output)
    }

    /// The bytes that have arrived so far, unchanged, after which nothing of the body is kept here; nil if they were
    /// not kept.
    func takeOriginal() -> [UInt8]? {
        defer { original = nil }
        unread = []
        position = 0
        waitingBytes = 0
        isInflating = false
        reservation.set(.answer)
        return original
    }

    /// Gives the tools back.
    func close(_ services: LoopServices) {
        if let result = conversion.result { services.metrics.conversionEnded(result) }
        services.metrics.recordsSkipped(conversion.unit.converter.skippedRecords)
        conversion.abandon()
        services.converters.giveBack(conversion.unit)
        if let coder { services.encoders.giveBack(coder) }
        coder = nil
    }

    // MARK: Helpers

    private func begin(
        _ bytes: Span<UInt8>, isLast: Bool = false, _ clock: () -> MonotonicTime
    ) throws(Problem) {
        if awaitsContainer, let first = bytes.indices.first(where: { !Self.mayPrecede(bytes[$0]) }) {
            guard bytes[first] == ASCII.openBrace || bytes[first] == ASCII.openBracket else { throw Self.noJSON }
            awaitsContainer = false
        }
        try conversion.begin(bytes, isLast: isLast, clock)
    }

    /// Whether a byte may be before the first value: white space, or one of a byte order mark's, which the converter judges.
    private static func mayPrecede(_ byte: UInt8) -> Bool {
        ASCII.isSpace(byte) || byte == 0xEF || byte == 0xBB || byte == 0xBF
    }

    private static let noJSON = Problem(
        400, "it is neither a JSON object nor an array, and not labelled as JSON", code: "json")

    /// States how much is held back; throws when what no commit would let go of has grown to more than is left to others.
    private func countHeld() throws(Problem) {
        let uncommittedBytes = isCommitted ? 0 : conversion.unit.output.count + (original?.count ?? 0)
        let hasGrown = reservation.set(.answer, firm: conversion.keptBytes, passing: uncommittedBytes)
        if hasGrown, let refusal = reservation.refusal { throw refusal }
    }

    private static func hasLine(_ bytes: Span<UInt8>) -> Bool {
        for index in 0..<bytes.count where bytes[index] == ASCII.lineFeed { return true }
        return false
    }
}
