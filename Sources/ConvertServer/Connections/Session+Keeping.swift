import ConvertCore
import HTTPSemantics
import HTTPWire
import Sockets

// MARK: - What a session keeps of what the process may keep

extension Session {
    /// Keeps the next bytes of a body that is needed whole.
    func keep(_ bytes: Span<UInt8>) throws(Problem) {
        kept.append(span: bytes)
        try countKept()
    }

    /// Counts what the request keeps; throws when that has grown to more than it leaves to others.
    func countKept() throws(Problem) {
        let firm = kept.count + (form?.keptBytes ?? 0) + (conversion?.keptBytes ?? 0)
        let output = conversion?.unit.output.count ?? 0
        let passing = isCommitted ? 0 : output + (encoder?.output.count ?? 0)
        if reservation.set(.request, firm: firm, passing: passing), let refusal = reservation.refusal { throw refusal }
    }

    /// Refuses a payload that becomes more, or takes longer, than that of one request may.
    func checkCost(of conversion: Conversion) throws(Problem) {
        if conversion.sentBytes + conversion.unit.output.count > services.maxResponseBytes { throw .responseTooLong }
        if spentNanoseconds > services.maxRequestNanoseconds { throw .tooCostly }
    }

    /// Whether what was converted is not to wait any longer for the end of the answer.
    var isAnswerDue: Bool {
        guard let conversion else { return false }
        let output = conversion.sentBytes + conversion.unit.output.count
        return output > services.commitBytes || output >= Reservation.smallBytes && reservation.isTooLarge
    }

    // MARK: Where all keep much

    /// What may wait for one peer where all leave more waiting than half of what may be buffered.
    private static let crowdedBytes = 64 * 1024
    /// The same where all keep more than they may.
    private static let leastBytes = 16 * 1024

    /// Whether so many bytes are more than may wait for a peer, the client or its upstream: less where all keep much.
    func isTooMuchWaiting(_ count: Int) -> Bool {
        if count > services.highWaterBytes { return true }
        if count > Self.crowdedBytes, reservation.areAllWaiting { return true }
        return count > Self.leastBytes && reservation.areAllCrowded
    }

    /// Refuses a request whose head is not small and has not come to its end where all connections together keep too much.
    func refuseLongHead(at now: MonotonicTime) {
        guard wire.waitingFor == .head, wire.headBytes >= Reservation.stepBytes, reservation.areAllCrowded else {
            return
        }
        wire.giveUpHead()
        beginRecord(at: now)
        respond(.buffersFull, at: now)
        resume(at: now)
    }
}
