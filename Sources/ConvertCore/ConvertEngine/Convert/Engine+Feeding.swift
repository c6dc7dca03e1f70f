import ConvertText

/// How the engine takes the pieces of a payload.
extension Engine {
    /// Takes the next piece. With `pauses`, the rest of it waits if an object ends whose buffered text must be written first.
    mutating func take(
        _ chunk: Span<UInt8>, pauses: Bool, into output: inout ByteBuffer
    ) throws(ConversionError) {
        guard isStaged else {
            _ = try take(chunk, &output)
            return
        }
        guard !isWriting else { return waitingInput.append(chunk) }
        // A large chunk is taken in slices, and staged output is handed on after each of them.
        var start = 0
        repeat {
            let end = min(start + Self.maxFastPathBytes, chunk.count)
            var waiting = staged.take() ?? ByteBuffer()
            do throws(ConversionError) {
                start += try take(chunk.extracting(start..<end), &waiting)
            } catch {
                // The lines before the one with the error are final. The mark is negative if a part of the line with
                // the error was already handed on.
                if isLines { output.append(waiting.bytes.extracting(0..<max(0, savepoints[0].mark))) }
                throw error
            }
            try release(consume waiting, into: &output)
            if isWriting, pauses { return waitingInput.append(chunk.extracting(start...)) }
            while isWriting { try writePiece(into: &output) }
        } while start < chunk.count
    }

    /// Takes the whole chunk. If an object ends whose buffered text must be written first, takes the chunk up to there.
    /// Returns how many bytes were taken.
    ///
    /// The beginning of the line in which they end is looked up, except in the payload's last chunk.
    mutating func take(
        _ chunk: Span<UInt8>, isLast: Bool = false, _ output: inout ByteBuffer
    ) throws(ConversionError) -> Int {
        let mark = position.mark
        let taken: Int
        do throws(EngineError) {
            taken = copiesWhole(chunk) ? 0 : try take(chunk, padding: 0, &output)
        } catch {
            throw describe(error, in: chunk)
        }
        if !isLast { position.findLine(in: chunk, before: taken, since: mark) }
        guard taken < chunk.count, !isWriting else { return taken }
        // The fast path reads ahead, beyond the last bytes of a chunk. So these bytes are copied, and padding is added behind them.
        var rest = padded.take() ?? ByteBuffer()
        rest.removeAll()
        rest.append(chunk.extracting(taken...))
        rest.append(repeating: ASCII.null, count: TokenCursor.turnBytes)
        let restMark = position.mark
        let restTaken: Int
        do throws(EngineError) {
            restTaken = try take(rest.bytes, padding: TokenCursor.turnBytes, &output)
        } catch {
            if isLast { position.findLine(in: chunk, before: taken, since: mark) }
            throw describe(error, in: rest.bytes)
        }
        if !isLast { position.findLine(in: rest.bytes, before: restTaken, since: restMark) }
        padded = consume rest
        return taken + restTaken
    }

    /// Whether a chunk is copied as a whole, because it is shorter than a turn of the fast path, but worth it.
    private func copiesWhole(_ chunk: Span<UInt8>) -> Bool {
        !scans && chunk.count <= TokenCursor.turnBytes && ChunkReader(chunk).isWorthPadding
    }

    /// Takes the chunk that has `padding` bytes behind it; returns how much of it was taken.
    private mutating func take(
        _ bytes: Span<UInt8>, padding: Int, _ output: inout ByteBuffer
    ) throws(EngineError) -> Int {
        // Marks of an earlier chunk stay valid only in plans that stage their output.
        if !isStaged { payload.discard.chunkBegins(at: output.count) }
        var reader = ChunkReader(bytes, padding: padding)
        scansChunk = padding == 0 && beginsScans(reader)
        do throws(EngineError) {
            try run(&reader, &output)
        } catch {
            payload.discard.cut(&output)
            keys.storeOpenKeys(in: bytes, &containers, &valueState)
            throw error
        }
        payload.discard.cut(&output)
        keys.storeOpenKeys(in: bytes, &containers, &valueState)
        assert(reader.lineFeeds == reader.lineFeeds(before: reader.position).count)
        moves.noteLines(in: bytes, position)
        let open = min(hold.isActive ? hold.depth : .max, pendingErrors.outermostDepth)
        position.advance(
            reader.position, lineFeeds: reader.lineFeeds, in: bytes,
            open: open == .max ? nil : savepoints[open].offset)
        return reader.position
    }
}
