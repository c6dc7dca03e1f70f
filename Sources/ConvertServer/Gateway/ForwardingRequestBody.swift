package import Conversions
import ConvertEngine
package import HTTPSemantics
package import HTTPWire
package import Sockets
import Text
import Upstreams

// The state of a request's body on its way to the upstream. These must stay in step:
//
// - `framing` is nil as long as the upstream's header cannot be written. Then nothing was sent, and an error or a
//   change (`leave`) can still change everything. Once it is set, it stays.
// - `output` waits for the upstream. It has converted bytes, the bytes of a body that passes unchanged in the end, or the
//   first bytes of an attempt that has no connection yet. While the upstream accepts none, no more are read.
// - `sent` has every byte that was taken out, as long as all of them may have to be sent again. A body that passes
//   unchanged is also buffered there before the first attempt, so that it is not copied again.

/// The body of a forwarded request, between its client and its upstream.
package final class ForwardingRequestBody {
    private enum Source {
        case none
        case passing
        /// Nothing was sent. `original` has the bytes that arrived, if the body may have to pass unchanged.
        case holding(PayloadConversion, original: [UInt8]?)
        /// Some of it was sent.
        case streaming(PayloadConversion)
    }

    /// The longest converted output that is sent with its length.
    static let maxSizedBytes = 1024 * 1024
    /// The most storage that is kept for the next output. It is not counted, and the client may take any time for the
    /// next bytes.
    private static let maxKeptBytes = 16 * 1024

    private var source: Source
    private let isBuffered: Bool
    /// Whether nothing of it has arrived.
    private var isEmpty = true
    private let reservation: Reservation
    /// The most bytes of an unchanged body that are buffered before its first attempt.
    private let maxGatheredBytes: Int
    /// The framing for the upstream; nil until it is decided.
    package private(set) var framing: RequestBody?
    private var output = ByteBuffer()
    package private(set) var sent: SentBody
    /// Whether the client has sent the whole body, and all of it was taken.
    private(set) var isComplete = false

    /// A body that passes unchanged, or none.
    package init(passing framing: RequestBody, maxGatheredBytes: Int = 0, _ reservation: Reservation) {
        isComplete = framing == .none || framing == .sized(0)
        source = isComplete ? .none : .passing
        isBuffered = false
        self.framing = framing
        self.maxGatheredBytes = maxGatheredBytes
        self.reservation = reservation
        sent = SentBody(maxBytes: max(RetryRule.maxHeldBytes, maxGatheredBytes))
    }

    /// A body that is converted.
    package init(_ conversion: PayloadConversion, _ rule: RequestRule, _ reservation: Reservation) {
        source = .holding(conversion, original: rule.onError == .pass ? [] : nil)
        isBuffered = rule.isBuffered
        maxGatheredBytes = 0
        self.reservation = reservation
        sent = SentBody(maxBytes: RetryRule.maxHeldBytes)
    }

    var isConverted: Bool { conversion != nil }

    /// Whether bytes wait for the upstream.
    var hasOutput: Bool { framing != nil && outputCount > 0 }

    /// Whether the body is ready for the upstream's header to be written. A body that passes unchanged is buffered
    /// first.
    var isReady: Bool { framing != nil && (isComplete || maxGatheredBytes == 0 || !isPassing) }
    /// Whether more of the body can be taken after its header was written.
    var takesMore: Bool { !isComplete && !hasOutput }

    package var conversion: PayloadConversion? {
        switch source {
        case .holding(let conversion, _), .streaming(let conversion): conversion
        case .none, .passing: nil
        }
    }

    private var isPassing: Bool { if case .passing = source { true } else { false } }

    private var outputCount: Int { conversion?.unit.output.count ?? output.count }

    /// Whether the body can still pass unchanged.
    var canBeLeft: Bool { if case .holding(_, .some) = source { framing == nil } else { false } }

    /// Keeps the original bytes of a body that may have to pass unchanged.
    package func keepOriginal(_ bytes: Span<UInt8>) {
        guard case .holding(let conversion, .some(var original)) = source else { return }
        source = .none
        original.append(span: bytes)
        source = .holding(conversion, original: original)
        count()
    }

    /// Converts the next bytes. If a buffered object ends in them, only a part of it may be written: see
    /// `PayloadConversion.isWriting`.
    package func convert(_ bytes: Span<UInt8>, _ clock: () -> MonotonicTime) throws(Problem) {
        if bytes.count > 0 { isEmpty = false }
        try conversion?.begin(bytes, clock)
        try take()
    }

    /// Writes the next piece of such an object.
    package func continueWriting(_ clock: () -> MonotonicTime) throws(Problem) {
        try conversion?.continueWriting(clock)
        try take()
    }

    /// Handles the converted output.
    private func take() throws(Problem) {
        if count(), let refusal = reservation.refusal { throw refusal }
        if framing == nil, !isBuffered, outputCount > Self.maxSizedBytes || reservation.isTooLarge { stream() }
    }

    /// Ends a converted body. An empty body stays empty.
    package func finishConversion() throws(Problem) {
        if isEmpty { conversion?.hadNoPayload() } else { try conversion?.finish() }
        guard framing == nil, let conversion else { return }
        let length = conversion.unit.output.count
        framing = length <= Self.maxSizedBytes || isBuffered ? .sized(length) : .chunked
        source = .streaming(conversion)
        count()
    }

    /// Records that the client has sent the whole body.
    package func complete() { isComplete = true }

    /// Lets the body pass unchanged, beginning with what has arrived, with this `framing`.
    package func leave(_ framing: RequestBody) {
        guard case .holding(_, let original?) = source else {
            preconditionFailure("only a buffered body can pass unchanged")
        }
        output.append(original)
        source = .passing
        self.framing = framing
        count()
    }

    /// Passes the waiting bytes to `send`.
    func takeOutput(_ send: (Span<UInt8>) -> Void) {
        if let unit = conversion?.unit {
            sent.append(unit.output.bytes)
            send(unit.output.bytes)
            conversion?.noteSent()
            unit.output.removeAll(keepingAtMost: Self.maxKeptBytes)
        }
        defer {
            count()
            if reservation.isTooLarge { forgetSent() }
        }
        guard !output.isEmpty else { return }
        // Moved out while it is read.
        var bytes = ByteBuffer()
        swap(&bytes, &output)
        sent.append(bytes.bytes)
        send(bytes.bytes)
    }

    /// Buffers bytes of a body that passes unchanged. False if they are too many; then nothing was buffered.
    func gather(_ bytes: Span<UInt8>) -> Bool {
        guard sent.count + bytes.count <= maxGatheredBytes else { return false }
        sent.append(bytes)
        count()
        return true
    }

    /// Whether the buffered bytes leave too little room for others, so that they should be sent.
    var isPressing: Bool { reservation.isTooLarge }

    /// Keeps bytes of a body that passes unchanged until the upstream is connected.
    package func hold(_ bytes: Span<UInt8>) {
        output.append(bytes)
        count()
    }

    /// Records bytes of a body that passes unchanged, which are sent.
    package func pass(_ bytes: Span<UInt8>) {
        sent.append(bytes)
        count()
        if reservation.isTooLarge { forgetSent() }
    }

    /// Discards the copy for a retry, because there will be none.
    func forgetSent() {
        sent.forget()
        count()
    }

    // MARK: Helpers

    private func stream() {
        guard case .holding(let conversion, _) = source else { return }
        source = .streaming(conversion)
        framing = .chunked
        count()
    }

    /// Updates the reservation. Returns whether there are more bytes that cannot be sent yet.
    @discardableResult
    private func count() -> Bool {
        switch source {
        case .none, .passing: return reservation.set(.body, passing: output.count + sent.count)
        case .streaming(let conversion):
            return reservation.set(
                .body, firm: conversion.keptBytes, passing: conversion.unit.output.count + sent.count)
        case .holding(let conversion, let original):
            let count = conversion.unit.output.count + (original?.count ?? 0)
            return isBuffered
                ? reservation.set(.body, firm: conversion.keptBytes + count)
                : reservation.set(.body, firm: conversion.keptBytes, passing: count)
        }
    }
}
