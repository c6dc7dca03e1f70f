extension Converter {
    /// Adds what the converter learned about keys since the last call. Returns false if it does not know all keys of this payload.
    package func update(_ origins: inout KeyOrigins) -> Bool { engine.keys.update(&origins) }

    /// Where the output key between `start` and `end` of a text came from. The text needs slack after its last byte.
    package func origin(
        of text: borrowing ByteBuffer, from start: Int, to end: Int, _ origins: borrowing KeyOrigins
    ) -> KeyOrigins.Origin {
        engine.keys.origin(of: text, from: start, to: end, origins)
    }

    /// Appends the key of an entry, as the payload spells it.
    package func appendInputKey(of entry: Int, to text: inout ByteBuffer) {
        engine.keys.appendInputKey(of: entry, to: &text)
    }
}
