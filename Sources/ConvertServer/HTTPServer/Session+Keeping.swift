import Conversions
import ConvertEngine
import HTTPSemantics
import HTTPWire
import Service
import Sockets
import Text

// MARK: - The buffered bytes of a session

extension Session {
    /// Buffers the next bytes of a body that is needed whole.
    func keep(_ bytes: Span<UInt8>) throws(Problem) {
        kept.append(span: bytes)
        try countKept()
    }

    /// Counts the buffered bytes of the request. Throws if they have grown beyond its share.
    func countKept() throws(Problem) {
        let firm = kept.count + (form?.keptBytes ?? 0) + (conversion?.keptBytes ?? 0)
        let output = conversion?.unit.output.count ?? 0
        let passing = isCommitted ? 0 : output + (encoder?.output.count ?? 0)
        if reservation.set(.request, firm: firm, passing: passing), let refusal = reservation.refusal { throw refusal }
    }

    /// Refuses a payload whose output or processor time exceeds the limit of one request.
    func checkCost(of conversion: Conversion) throws(Problem) {
        if conversion.outputBytes > context.limits.maxResponseBytes {
            throw .responseTooLong
        }
        if spentNanoseconds > context.limits.maxRequestNanoseconds { throw .tooCostly }
    }

    /// Whether the converted output must be sent before the end of the response.
    var isAnswerDue: Bool {
        guard let conversion else { return false }
        let output = conversion.outputBytes
        return output > context.limits.commitBytes || output >= Reservation.smallBytes && reservation.isTooLarge
    }

    // MARK: If much is buffered overall

    /// The most bytes that wait for one peer while the bytes that wait for all exceed half of the limit.
    private static let crowdedBytes = 64 * 1024
    /// The same while all connections together exceed the limit.
    private static let leastBytes = 16 * 1024

    /// Whether this number of bytes exceeds the limit for a peer: the client or its upstream. The limit is lower if
    /// much is buffered overall.
    func isTooMuchWaiting(_ count: Int) -> Bool {
        if count > context.limits.highWaterBytes { return true }
        if count > Self.crowdedBytes, reservation.areAllWaiting { return true }
        return count > Self.leastBytes && reservation.areAllCrowded
    }

    /// Refuses a request with a long unfinished head while all connections together exceed the limit.
    func refuseLongHead(at now: MonotonicTime) {
        guard reservation.areAllCrowded, wire.waitingFor == .head, wire.headBytes >= Reservation.stepBytes else {
            return
        }
        refuse(.buffersFull, at: now)
    }

    /// Responds to a request whose head is not read.
    func refuse(_ problem: Problem, at now: MonotonicTime) {
        wire.giveUpHead()
        beginRecord(at: now)
        respond(problem, at: now)
        resume(at: now)
    }
}
