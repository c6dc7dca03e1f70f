/// How a converter takes the pieces of its payload.
extension Engine {
    /// Holds the payload back until its first bytes are known, which name its encoding in an error; false until then.
    mutating func takeSignature(
        _ chunk: Span<UInt8>, pauses: Bool, into output: inout ByteBuffer
    ) throws(ConversionError) -> Bool {
        let heldBytes = signature.count
        for index in 0..<min(Self.signatureBytes - heldBytes, chunk.count) { signature.append(chunk[index]) }
        guard signature.count == Self.signatureBytes else { return false }
        if heldBytes > 0 {
            let held = Array(signature[..<heldBytes])
            try take(held.span, pauses: pauses, into: &output)
        }
        return true
    }

    /// Takes the next piece; with `pauses` the rest of it waits when an object ends whose held text is to be written first.
    mutating func feed(
        _ chunk: Span<UInt8>, pauses: Bool, into output: inout ByteBuffer
    ) throws(ConversionError) {
        if signature.count < Self.signatureBytes {
            guard try takeSignature(chunk, pauses: pauses, into: &output) else { return }
        }
        try take(chunk, pauses: pauses, into: &output)
    }

    mutating func take(
        _ chunk: Span<UInt8>, pauses: Bool, into output: inout ByteBuffer
    ) throws(ConversionError) {
        guard isStaged else {
            _ = try take(chunk, &output)
            return
        }
        guard !isWriting else { return waitingInput.append(chunk) }
        // Staged output is handed on slice by slice, however much comes at once.
        var start = 0
        repeat {
            let end = min(start + Self.maxFastPathBytes, chunk.count)
            var waiting = staged.take() ?? ByteBuffer()
            do throws(ConversionError) {
                start += try take(chunk.extracting(start..<end), &waiting)
            } catch {
                // Lines before the one at fault are final; of that a part may have gone before.
                if isLines { output.append(waiting.bytes.extracting(0..<max(0, savepoints[0].mark))) }
                throw error
            }
            try release(consume waiting, into: &output)
            if isWriting, pauses { return waitingInput.append(chunk.extracting(start...)) }
            while isWriting { try writePiece(into: &output) }
        } while start < chunk.count
    }

    /// Takes the whole chunk or, if an object ends in it whose held text is to be written first, a part; returns how much.
    ///
    /// Where the line begins that it ends in must be found unless it is the payload's last.
    mutating func take(
        _ chunk: Span<UInt8>, isLast: Bool = false, _ output: inout ByteBuffer
    ) throws(ConversionError) -> Int {
        let (start, lines) = (payload.chunkOffset, payload.linesBefore)
        let taken: Int
        do throws(Fault) {
            taken = try take(chunk, padding: 0, &output)
        } catch {
            throw describe(error, in: chunk)
        }
        if !isLast { findLine(in: chunk, before: taken, from: start, since: lines) }
        guard taken < chunk.count, !isWriting else { return taken }
        // The fast path looks further ahead than the last bytes of a chunk go, so they are copied with padding behind them.
        var rest = ByteBuffer(capacity: 0)
        swap(&rest, &padded)
        defer { swap(&rest, &padded) }
        rest.removeAll()
        rest.append(chunk.extracting(taken...))
        rest.append(repeating: ASCII.null, count: TokenCursor.turnBytes)
        let restLines = payload.linesBefore
        let restTaken: Int
        do throws(Fault) {
            restTaken = try take(rest.bytes, padding: TokenCursor.turnBytes, &output)
        } catch {
            if isLast { findLine(in: chunk, before: taken, from: start, since: lines) }
            throw describe(error, in: rest.bytes)
        }
        if !isLast { findLine(in: rest.bytes, before: restTaken, from: start + taken, since: restLines) }
        return taken + restTaken
    }

    /// Takes the chunk that stands before `padding` bytes; returns how much of it was taken.
    private mutating func take(
        _ bytes: Span<UInt8>, padding: Int, _ output: inout ByteBuffer
    ) throws(Fault) -> Int {
        // Only plans that stage their output have marks of an earlier chunk, which stay true.
        if !isStaged { payload.discard.chunkBegins(at: output.count) }
        // Where names are ignored, those at which pieces ended are all that is learned.
        if ignoresNames, keyCache.isFull { emptyKeyCache() }
        var reader = ChunkReader(bytes, padding: padding)
        do throws(Fault) {
            try run(&reader, &output)
        } catch {
            payload.discard.cut(&output)
            rememberPlaces(in: bytes)
            throw error
        }
        payload.discard.cut(&output)
        rememberPlaces(in: bytes)
        hold.placeLines(
            in: bytes, from: payload.chunkOffset, LineScan(number: payload.linesBefore, start: payload.lineOffset))
        if payload.hasOpenFaults { placeOpenFaults(in: bytes) }
        assert(reader.lineFeeds == reader.lineFeeds(before: reader.position).count)
        payload.linesBefore += reader.lineFeeds
        payload.chunkOffset += reader.position
        return reader.position
    }

    /// Finds where the line begins in which what was taken of some bytes ends, the first of which is `start` bytes into the payload, if
    /// there were other lines in them than those that were counted before.
    mutating func findLine(in bytes: Span<UInt8>, before end: Int, from start: Int, since lines: Int) {
        guard payload.linesBefore > lines else { return }
        payload.lineOffset = start + ChunkReader(bytes).lastLineFeed(before: end) + 1
    }
}
