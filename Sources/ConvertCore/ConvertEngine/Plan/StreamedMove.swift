/// A move whose values are written as they come.
struct StreamedMove: Sendable {
    /// Comma, quoted output key and colon.
    let text: [UInt8]
    /// The number of the output key, see `SelectorTable.movedNames`.
    let name: Int32
}

extension SelectorTable {
    /// The moves, if each value moves to an object that is around it; otherwise none. A profile with very many moves has none, either.
    var streamedMoves: [StreamedMove] {
        let most = 64
        guard moves.count <= most else { return [] }
        var streamed: [StreamedMove] = []
        for move in moves {
            guard move.flattening == nil, move.targetNames.count == 1 else { return [] }
            let name = move.targetNames[0]
            guard let number = movedNames[name] else { return [] }
            var text = ByteBuffer()
            text.append(utf8: ",\"")
            JSONText.appendSpelling(of: name.span, to: &text)
            text.append(utf8: "\":")
            streamed.append(StreamedMove(text: [UInt8](text), name: number))
        }
        return streamed
    }
}
