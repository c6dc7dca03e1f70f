import ConvertCore
import HTTPSemantics
import HTTPWire
import Sockets
import Text

/// One payload on its way through a converter.
final class Conversion {
    let order: ConversionOrder
    let unit: ConverterPool.Unit
    /// Whether only white space has arrived of a body that may be a form or JSON.
    private var isUncertain: Bool
    /// A payload that must become JSON before it can be converted.
    private var translated: TranslatedPayload?
    /// Whether the converter reads another text than the client has sent, so that its offsets mean nothing to the client.
    private var isTranslated = false
    /// Whether the converter was given the last bytes as such, and has ended with them.
    private var isFinished = false
    /// How it ended, as far as is known; nil for what turned out to be no payload.
    private(set) var result: ConversionResult? = .aborted
    /// Time spent in the converter and, before it, in the translation.
    private(set) var nanoseconds: Int64 = 0

    /// Bad records so far that were left out or replaced by null; nil where the profile knows nothing of the kind.
    var skippedRecords: SkippedRecords? {
        order.recipe.plan.sparesRecords ? unit.converter.skippedRecordsByCode : nil
    }

    /// Input bytes that are to be converted in one go.
    var sliceBytes: Int { unit.pace.bytes }

    /// Bytes of the output that have gone on.
    private(set) var sentBytes = 0

    /// Notes that the output goes on.
    func noteSent() { sentBytes += unit.output.count }

    /// What the unit had learned before.
    private let knownBytes: Int

    /// Has work done elsewhere, which is then taken back; nil where there is no loop to come back to.
    private let hand: ((HeldObjectWork) -> Void)?
    private var away: HeldObjectWork?
    /// What was kept when it went there.
    private var awayBytes = 0

    init(_ order: ConversionOrder, _ pool: ConverterPool, _ hand: ((HeldObjectWork) -> Void)? = nil) {
        self.order = order
        self.hand = hand
        unit = pool.take(order.recipe, order.type.framing)
        knownBytes = unit.converter.heldBytes
        isUncertain = order.type.isUncertain
        translated = order.type.format.isTranslated ? TranslatedPayload() : nil
    }

    /// Bytes of the payload that are kept before they become output, for its translation and in the converter, and
    /// bytes of the profile that came with it.
    var keptBytes: Int {
        if isAway { return awayBytes }
        return max(0, unit.converter.heldBytes - knownBytes) + (translated?.keptBytes ?? 0) + order.recipe.ownBytes
    }

    /// Converts the next bytes of the payload into the unit's output, and takes the time.
    func convert(_ bytes: Span<UInt8>, _ clock: () -> MonotonicTime) throws(Problem) {
        try begin(bytes, clock)
        while isWriting { try writePiece(clock) }
    }

    /// Whether something of an object that has ended is still to be written, before any more bytes are converted.
    var isWriting: Bool { unit.converter.isWriting }

    /// Whether what that needs is done elsewhere; then nothing can be done until it is taken back.
    var isAway: Bool { away != nil }

    /// Writes the next piece of it, or has what it needs done elsewhere if that takes long.
    func continueWriting(_ clock: () -> MonotonicTime) throws(Problem) {
        guard let hand, unit.converter.work > HeldObjectWork.maxOwnWork else { return try writePiece(clock) }
        awayBytes = keptBytes
        let work = HeldObjectWork(unit.converter.takeWork())
        away = work
        hand(work)
    }

    /// Takes back what was done elsewhere; false if that was for another conversion.
    func takeBack(_ work: HeldObjectWork) -> Bool {
        guard away === work else { return false }
        away = nil
        work.finish(&unit.converter)
        nanoseconds += work.nanoseconds
        return true
    }

    /// Says that the conversion is over, wherever it stands.
    func abandon() { away?.cancel() }

    private func writePiece(_ clock: () -> MonotonicTime) throws(Problem) {
        let start = clock()
        defer { nanoseconds += clock().nanoseconds - start.nanoseconds }
        do throws(ConversionError) {
            try unit.continueWriting()
        } catch {
            result = .fault(error.code)
            throw problem(error)
        }
    }

    /// As `convert`, but if a buffered object ends in these bytes, only a part of it may be written: see `isWriting`.
    ///
    /// - Parameter isLast: whether the payload is known to end with these bytes, which may be faster. `finish` must be
    ///   called in any case.
    func begin(_ bytes: Span<UInt8>, isLast: Bool = false, _ clock: () -> MonotonicTime) throws(Problem) {
        if isUncertain, judge(bytes), let space = translated?.bytes {
            translated = nil
            try convert(space.span, clock)
        }
        if let translated, !isTranslated { return translated.append(bytes) }
        let start = clock()
        defer {
            let taken = clock().nanoseconds - start.nanoseconds
            nanoseconds += taken
            unit.pace.note(bytes.count, nanoseconds: taken)
        }
        do throws(ConversionError) {
            isFinished = isLast && !unit.converter.mayHoldOutput
            if isFinished { try unit.finish(bytes) } else { try unit.begin(bytes) }
        } catch {
            result = .fault(error.code)
            throw problem(error)
        }
    }

    /// Begins to make a payload of another format JSON, once all of it has come; false for JSON itself.
    ///
    /// What is left to do then is `continueTranslated`'s, call by call.
    func beginTranslation(maxTextBytes: Int) -> Bool {
        guard let translated, !isTranslated else { return false }
        isTranslated = true
        translated.begin(
            order.type.format, TranslationLimits(order.recipe.plan.limits, maxTextBytes: maxTextBytes))
        return true
    }

    /// Makes the next piece of the payload JSON or, when that is done, converts the next slice of its text; false when
    /// nothing is left.
    func continueTranslated(_ clock: () -> MonotonicTime) throws(Problem) -> Bool {
        guard let translated else { return false }
        if isWriting {
            try continueWriting(clock)
            return true
        }
        if try translate(translated, clock) { return true }
        return try translated.takeText(sliceBytes) { text throws(Problem) in
            try begin(text, clock)
        }
    }

    private func translate(
        _ translated: TranslatedPayload, _ clock: () -> MonotonicTime
    ) throws(Problem) -> Bool {
        let start = clock()
        defer { nanoseconds += clock().nanoseconds - start.nanoseconds }
        do throws(ConversionError) {
            return try translated.translate()
        } catch {
            result = .fault(error.code)
            throw Problem(error)
        }
    }

    private func problem(_ error: ConversionError) -> Problem {
        var problem = Problem(error)
        if isTranslated { (problem.line, problem.column, problem.offset) = (nil, nil, nil) }
        return problem
    }

    /// Notes that nothing has come that was to be converted.
    func hadNoPayload() { result = nil }

    /// Ends the payload.
    func finish() throws(Problem) {
        do throws(ConversionError) {
            if !isFinished { try unit.finish() }
            result = .ok
        } catch {
            result = .fault(error.code)
            throw problem(error)
        }
    }

    /// Whether what is called a form begins like an object or an array, as no form does that a client has encoded.
    private func judge(_ bytes: Span<UInt8>) -> Bool {
        for index in 0..<bytes.count where !ASCII.isSpace(bytes[index]) {
            let byte = bytes[index]
            isUncertain = false
            return byte == ASCII.openBrace || byte == ASCII.openBracket || byte == ASCII.byteOrderMark[0]
        }
        return false
    }
}
