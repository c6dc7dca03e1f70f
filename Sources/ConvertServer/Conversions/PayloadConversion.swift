package import ConvertEngine
import ConvertFormats
package import HTTPSemantics
package import Observability
package import Sockets
import Text

package final class PayloadConversion {
    package let order: ConversionOrder
    private let profileUnit: ConverterPool.Unit
    /// The unit with the output: the same one, or one for selected fields of the first one's output.
    package let unit: ConverterPool.Unit
    /// What selects the fields of resources. Then only the output of `unit` is used.
    private let resources: ResourceFields?
    /// Whether the body may still be a form or JSON, because only white space has arrived.
    private var isUncertain: Bool
    /// A payload that must become JSON before it can be converted.
    private var translated: TranslatedPayload?
    /// The bytes of a JSON Patch, which is converted when it ends.
    private var patch: [UInt8]?
    /// Whether the converter reads a translated text. Then its offsets mean nothing to the client.
    private var isTranslated = false
    /// Whether the converter got the last bytes with `isLast`, and has ended.
    private var isFinished = false
    /// The result so far; nil if there was no payload.
    package private(set) var result: ConversionResult? = .aborted
    /// Time spent in the converter and, before it, in the translation.
    package private(set) var nanoseconds: Int64 = 0

    /// The bad records so far that were skipped or replaced by null; nil if the profile never does that.
    package var skippedRecords: SkippedRecords? {
        order.recipe.plan.sparesRecords ? earlierRecords + profileUnit.converter.skippedRecordsByCode : nil
    }

    /// The number of these records, without a copy of the counts by code.
    package var skippedCount: Int? {
        order.recipe.plan.sparesRecords ? earlierRecords.total + profileUnit.converter.skippedRecords : nil
    }

    /// The bad records of earlier payloads of the same stream.
    private var earlierRecords = SkippedRecords()

    /// The number of input bytes that are converted at a time.
    package var sliceBytes: Int { profileUnit.pace.bytes }

    /// The number of output bytes so far: those that were passed on, and those in the unit's output.
    package var outputBytes: Int { sentBytes + unit.output.count }
    private var sentBytes = 0

    package func noteSent() { sentBytes += unit.output.count }

    /// The bytes of memory that the unit had before this payload.
    private let knownBytes: Int

    /// Starts work outside the loop. The result comes back through `takeBack`. Nil if there is no loop.
    private let hand: ((HeldObjectWork) -> Void)?
    private var away: HeldObjectWork?
    /// The buffered bytes at the time when the work started.
    private var awayBytes = 0

    package init(_ order: ConversionOrder, _ pool: ConverterPool, _ hand: ((HeldObjectWork) -> Void)? = nil) {
        self.order = order
        self.hand = hand
        profileUnit = pool.take(order.recipe, order.type.framing)
        switch order.fields {
        case nil: (unit, resources) = (profileUnit, nil)
        case .document(let recipe): (unit, resources) = (pool.take(recipe, order.type.framing), nil)
        case .resources(let recipes):
            unit = pool.take(FieldsOrder.typeRecipe, order.type.framing)
            resources = ResourceFields(recipes, pool)
        }
        knownBytes = profileUnit.converter.heldBytes
        isUncertain = order.type.isUncertain
        translated = order.type.format.isTranslated ? TranslatedPayload() : nil
        patch = order.patchReadsDocument == nil ? nil : []
    }

    /// The buffered bytes of the payload before they become output, in the translation and in the converter, and of the
    /// profile that came with it.
    package var keptBytes: Int {
        if isAway { return awayBytes }
        return max(0, profileUnit.converter.heldBytes - knownBytes) + (translated?.keptBytes ?? 0) + (patch?.count ?? 0)
            + (resources?.heldBytes ?? 0) + order.recipe.ownBytes
    }

    /// Whether a part of a finished object must be written before more bytes are converted. It is a copy of the converter's
    /// `isWriting`, because it is read many times in each event.
    package private(set) var isWriting = false

    /// Whether work for that object runs outside the loop. Then the conversion waits for `takeBack`.
    package var isAway: Bool { away != nil }

    /// Writes the next piece of the object, or starts its work outside the loop if that takes long.
    package func continueWriting(_ clock: () -> MonotonicTime) throws(Problem) {
        let amount = profileUnit.converter.work
        guard let hand, amount > HeldObjectWork.maxOwnWork else { return try writePiece(clock) }
        awayBytes = keptBytes
        let work = HeldObjectWork(profileUnit.converter.takeWork(), amount: amount)
        isWriting = profileUnit.converter.isWriting
        away = work
        hand(work)
    }

    /// Takes the result of the work outside the loop. False if it belongs to another conversion.
    package func takeBack(_ work: HeldObjectWork) -> Bool {
        guard away === work else { return false }
        away = nil
        work.finish(&profileUnit.converter)
        isWriting = profileUnit.converter.isWriting
        nanoseconds += work.nanoseconds
        return true
    }

    /// Ends the conversion in any state, and returns its converters.
    package func end(_ pool: ConverterPool) {
        away?.cancel()
        pool.giveBack(profileUnit)
        if unit !== profileUnit { pool.giveBack(unit) }
    }

    private func writePiece(_ clock: () -> MonotonicTime) throws(Problem) {
        let start = clock()
        defer {
            nanoseconds += clock().nanoseconds - start.nanoseconds
            isWriting = profileUnit.converter.isWriting
        }
        do throws(ConversionError) {
            try profileUnit.continueWriting()
            try selectFields()
        } catch {
            throw failed(error)
        }
    }

    /// Converts the next bytes of the payload into the unit's output, and measures the time. If a buffered object ends in these
    /// bytes, only a part of it may be written: see `isWriting`.
    ///
    /// - Parameter isLast: whether the payload is known to end with these bytes, which may be faster. `finish` must be
    ///   called in any case.
    package func begin(_ bytes: Span<UInt8>, isLast: Bool = false, _ clock: () -> MonotonicTime) throws(Problem) {
        if isUncertain, beginsLikeJSON(bytes), let space = translated?.bytes {
            translated = nil
            try begin(space.span, clock)
        }
        if let translated, !isTranslated { return translated.append(bytes) }
        if patch != nil { return try appendToPatch(bytes) }
        let start = clock()
        defer {
            let taken = clock().nanoseconds - start.nanoseconds
            nanoseconds += taken
            isWriting = profileUnit.converter.isWriting
            profileUnit.pace.note(bytes.count, nanoseconds: taken)
        }
        do throws(ConversionError) {
            isFinished = isLast && !profileUnit.converter.mayHoldOutput
            if isFinished { try profileUnit.finish(bytes) } else { try profileUnit.begin(bytes) }
            try selectFields(isLast: isFinished)
        } catch {
            throw failed(error)
        }
    }

    /// Starts to translate a complete payload of another format into JSON. False if the payload is JSON already.
    ///
    /// `continueTranslated` then continues in steps.
    package func beginTranslation(maxTextBytes: Int) -> Bool {
        guard let translated, !isTranslated else { return false }
        isTranslated = true
        translated.begin(
            order.type.format, TranslationLimits(order.recipe.plan.limits, maxTextBytes: maxTextBytes))
        return true
    }

    /// Translates the next piece of the payload. When that is done, converts the next slice of the text. False if
    /// nothing is left. Call it only while `isWriting` is false.
    package func continueTranslated(_ clock: () -> MonotonicTime) throws(Problem) -> Bool {
        guard let translated else { return false }
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
            result = .failed(error.code)
            throw Problem(error)
        }
    }

    private func appendToPatch(_ bytes: Span<UInt8>) throws(Problem) {
        patch?.append(span: bytes)
        let maxBytes = order.recipe.maxPatchBytes
        guard let patch, patch.count > maxBytes else { return }
        result = .failed(.limit)
        self.patch = []
        throw Problem(
            413, "a JSON Patch may have at most \(maxBytes) bytes", code: ConversionError.Code.limit.rawValue)
    }

    private func failed(_ error: ConversionError) -> Problem {
        result = .failed(error.code)
        var problem = Problem(error)
        if isTranslated { (problem.line, problem.column, problem.offset) = (nil, nil, nil) }
        return problem
    }

    package func hadNoPayload() { result = nil }

    /// Records that the output is discarded, even if it is complete.
    package func wasRefused() { result = .aborted }

    /// The bad records of the current payload of a stream. `skippedRecords` has those of all.
    package var skippedInPayload: SkippedRecords {
        order.recipe.plan.sparesRecords ? profileUnit.converter.skippedRecordsByCode : SkippedRecords()
    }

    /// Counts a payload of a stream as a bad record, without converting it.
    package func skipPayload(_ code: ConversionError.Code) {
        earlierRecords[code] += 1
    }

    /// Records an error that was found without the converter.
    package func noteError(_ code: ConversionError.Code) { result = .failed(code) }

    /// Begins another payload of a stream, after a finished one or after an error.
    ///
    /// - Parameter countsSkipped: whether bad records of the last payload count.
    package func beginNext(countsSkipped: Bool = true) {
        if countsSkipped, order.recipe.plan.sparesRecords {
            earlierRecords = earlierRecords + profileUnit.converter.skippedRecordsByCode
        }
        profileUnit.converter.resetForNextLines()
        if unit !== profileUnit {
            profileUnit.output.removeAll()
            unit.converter.resetForNextLines()
            resources?.reset()
        }
        (isFinished, isWriting, result) = (false, profileUnit.converter.isWriting, .aborted)
    }

    package func finish() throws(Problem) {
        do throws(ConversionError) {
            if let patch, let readsDocument = order.patchReadsDocument {
                try profileUnit.convert(patch: patch, readsDocument: readsDocument)
            } else if !isFinished {
                try profileUnit.finish()
                try selectFields(isLast: true)
                isWriting = profileUnit.converter.isWriting
            }
            result = .ok
        } catch {
            throw failed(error)
        }
    }

    /// Passes the output of the profile's converter on to what selects fields, if there is anything.
    private func selectFields(isLast: Bool = false) throws(ConversionError) {
        guard unit !== profileUnit else { return }
        // The bytes are borrowed, so they must not belong to an object meanwhile.
        var converted = ByteBuffer()
        swap(&converted, &profileUnit.output)
        defer {
            converted.removeAll()
            swap(&converted, &profileUnit.output)
        }
        if let resources { return try resources.take(converted.bytes, into: &unit.output) }
        // The output is at most about as long, and nobody would continue to write it.
        if isLast { try unit.finish(converted.bytes) } else { try unit.convert(converted.bytes) }
    }

    /// Whether a body with the type of a form begins like an object or an array. A form that a client has encoded never
    /// does.
    private func beginsLikeJSON(_ bytes: Span<UInt8>) -> Bool {
        let start = bytes.endOfWhiteSpace(from: 0, to: bytes.count)
        guard start < bytes.count else { return false }
        isUncertain = false
        return [ASCII.openBrace, ASCII.openBracket, ASCII.byteOrderMark[0]].contains(bytes[start])
    }
}
