extension LiteralProgress {
    /// Copies the rest of the literal; false if the chunk ends first.
    @_lifetime(reader: copy reader)
    mutating func copy(_ reader: inout ChunkReader, into output: inout ByteBuffer) throws(EngineError) -> Bool {
        while let wanted = next {
            guard !reader.isAtEnd else { return false }
            guard reader.next == wanted else { throw EngineError(kind: .badLiteral, position: reader.position) }
            output.append(wanted)
            reader.advance()
            advance()
        }
        return true
    }
}
