import ContentCodings
import Conversions
import ConvertEngine
import EventLoop
import HTTPSemantics
import HTTPWire
import Sockets
import Text

// MARK: - The request's side of a session

extension Session {
    /// Takes the next bytes of the body as received.
    func take(_ bytes: Span<UInt8>, at now: MonotonicTime) {
        record?.bytesIn += bytes.count
        exchange?.keepOriginal(bytes)
        if inflater == nil { exchange?.take(bytes, at: now) } else { decode(bytes, at: now) }
    }

    /// Ends the request's body.
    func endRequest(at now: MonotonicTime) {
        var problem: Problem?
        do throws(CodingError) {
            try inflater?.finish()
        } catch {
            problem = Problem(error)
        }
        exchange?.requestEnded(problem, at: now)
    }

    func sendContinue() {
        writeBuffer.write { wire.sendContinue(into: &$0) }
    }

    // MARK: Compressed bodies

    /// Continues with a compressed slice that waited for room.
    func continueDecoding(at now: MonotonicTime) {
        guard !isBlocked, let rest = coded else { return }
        coded = nil
        decode(rest.span, at: now)
    }

    /// Decodes a slice portion by portion, until it is used up, the write buffer is full or the turn is over.
    private func decode(_ bytes: Span<UInt8>, at now: MonotonicTime) {
        var position = 0
        // The buffer is moved out of the context while the converter uses it.
        var portion = ByteBuffer()
        swap(&portion, &context.decoded)
        defer { swap(&portion, &context.decoded) }
        do throws(CodingError) {
            // An error ends the request and its inflater.
            while let progress = try inflater?.decode(bytes, at: &position, maxBytes: sliceBytes, into: &portion) {
                if !portion.isEmpty { exchange?.take(portion.bytes, at: now) }
                portion.removeAll()
                guard progress == .needsRoom else { return }
                guard !isBlocked, exchange?.hasWork != true, !isTurnOver(now) else {
                    if inflater != nil { coded = Array(span: bytes.extracting(position..<bytes.count)) }
                    return
                }
            }
        } catch {
            portion.removeAll()
            exchange?.refuse(Problem(error), at: now)
        }
    }

    func leaveBodyCoded() {
        inflater = nil
        coded = nil
    }

    // MARK: Work outside the loop

    func makeConversion(_ order: ConversionOrder) -> PayloadConversion {
        PayloadConversion(order, context.converters, handWork)
    }

    /// Continues the conversion of the client's payload or of a response, for whose buffered object this work was done.
    func take(_ work: HeldObjectWork) {
        if exchange?.takeBack(work) ?? false { spend(nanoseconds: work.nanoseconds) }
    }

    /// Continues with the compile queue's result for the request with this number.
    func take(_ product: CompileQueue.Outcome, forRequest number: Int) {
        if wire.requestCount == number { exchange?.take(product) }
    }

    func note(_ order: ConversionOrder) {
        record?.profile = order.recipe.profileName
        record?.profileLabel = order.recipe.label
    }

    // MARK: Errors

    func checkCost(of conversion: PayloadConversion) throws(Problem) {
        let maxBytes = context.configuration.maxResponseBytes
        let isTooLong = maxBytes > 0 && conversion.outputBytes > maxBytes
        let seconds = context.configuration.maxRequestCPUSeconds
        guard isTooLong || seconds > 0 && spentNanoseconds > Int64(seconds) * 1_000_000_000 else { return }
        conversion.wasRefused()
        throw isTooLong ? Problem.responseTooLong : Problem.tooCostly
    }

    func fail(_ problem: Problem) {
        guard isCommitted else { return respond(problem) }
        record?.code = problem.code
        abort()
    }

    /// Responds to a request whose head is not read.
    func refuse(_ problem: Problem, at now: MonotonicTime) {
        wire.giveUpHead()
        beginRecord(at: now)
        respond(problem)
        resume(at: now)
    }
}
