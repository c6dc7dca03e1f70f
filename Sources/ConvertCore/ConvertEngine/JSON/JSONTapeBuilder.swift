import ConvertText

/// Builds the tokens of a tape in one pass over a valid JSON text. Decoding follows these tokens.
@usableFromInline
package struct JSONTapeBuilder: ~Copyable {
    @usableFromInline
    package enum Kind: BitwiseCopyable, Sendable {
        case null, `true`, `false`, number, string, array, object

        @inlinable var code: UInt8 {
            @inline(__always) get {
                switch self {
                case .null: 0
                case .true: 1
                case .false: 2
                case .number: 3
                case .string: 4
                case .array: 5
                case .object: 6
                }
            }
        }

        // Inlinable: other modules would compare by a call through the table of `Equatable`.
        @inlinable @inline(__always)
        package static func == (first: Kind, second: Kind) -> Bool { first.code == second.code }

        @inlinable @inline(__always)
        package static func != (first: Kind, second: Kind) -> Bool { first.code != second.code }

        /// The name of the kind in messages.
        package var noun: String {
            switch self {
            case .null: "null"
            case .true, .false: "a boolean"
            case .number: "a number"
            case .string: "a string"
            case .array: "an array"
            case .object: "an object"
            }
        }
    }

    @usableFromInline
    package struct Token: BitwiseCopyable, Sendable {
        @usableFromInline package var kind: Kind
        /// For a string, whether it has a backslash; for an object, whether one of its keys has.
        package var hasEscapes = false
        // Indices and counts of tokens have 32 bits: more tokens would take 64 GB. A smaller token makes building and reading faster.
        @usableFromInline var nextToken: Int32 = 0
        @usableFromInline var elementCount: Int32 = 0
        @usableFromInline var expectedName: Int32 = 0
        /// The offset of its first byte in the text; for a string, of the byte after the opening quote.
        package var start: Int
        /// The offset after its last byte; for a string, of the closing quote.
        package var end: Int

        /// The index of the token after this value and everything in it.
        @inlinable package var next: Int {
            @inline(__always) get { Int(nextToken) }
            @inline(__always) set { nextToken = Int32(newValue) }
        }
        /// The number of elements or members.
        @inlinable package var count: Int {
            @inline(__always) get { Int(elementCount) }
            @inline(__always) set { elementCount = Int32(newValue) }
        }
        /// For an object: the index of the key that a search looks at first.
        @inlinable package var expected: Int {
            @inline(__always) get { Int(expectedName) }
            @inline(__always) set { expectedName = Int32(newValue) }
        }

        package init(kind: Kind, start: Int, end: Int) {
            self.kind = kind
            self.start = start
            self.end = end
        }
    }

    package var tokens = UniqueArray<Token>()
    /// The indices of the open containers, outermost first.
    private var open = UniqueArray<Int>()

    package init() {}

    package mutating func build(_ text: Span<UInt8>) {
        tokens.removeAll()
        open.removeAll()
        var reader = ChunkReader(text)
        reader.advance(text.markBytes)
        // Whether the innermost container is an object, and whether the next string is a member's key.
        var isInObject = false
        var isName = false
        while let byte = reader.nextToken(stopsAtLineFeed: false) {
            switch byte {
            case ASCII.comma:
                reader.advance()
                isName = isInObject
            case ASCII.colon:
                reader.advance()
                isName = false
            case ASCII.openBrace, ASCII.openBracket:
                let isObject = byte == ASCII.openBrace
                countElement()
                open.append(tokens.count)
                tokens.append(Token(kind: isObject ? .object : .array, start: reader.position, end: 0))
                reader.advance()
                isInObject = isObject
                isName = isObject
            case ASCII.closeBrace, ASCII.closeBracket:
                reader.advance()
                close(end: reader.position)
                isInObject = !open.isEmpty && tokens[open[open.count &- 1]].kind == .object
            case _ where isName:
                appendScalar(byte, &reader)
                if tokens[tokens.count &- 1].hasEscapes { tokens[open[open.count &- 1]].hasEscapes = true }
                // Most often the colon follows directly.
                guard !reader.isAtEnd, reader.next == ASCII.colon else { break }
                reader.advance()
                isName = false
            default:
                countElement()
                appendScalar(byte, &reader)
            }
        }
    }

    /// Counts a value that begins in the innermost open container.
    @inline(__always)
    private mutating func countElement() {
        if !open.isEmpty { tokens[open[open.count &- 1]].count &+= 1 }
    }

    private mutating func close(end: Int) {
        let container = open.removeLast()
        tokens[container].end = end
        tokens[container].next = tokens.count
        tokens[container].expected = container + 1
    }

    @inline(__always) @_lifetime(reader: copy reader)
    private mutating func appendScalar(_ byte: UInt8, _ reader: inout ChunkReader) {
        var token = Token(kind: .number, start: reader.position, end: 0)
        switch byte {
        case ASCII.quote:
            reader.advance()
            token.kind = .string
            token.start = reader.position
            token.hasEscapes = reader.skipString()
            token.end = reader.position
            reader.advance()
        case ASCII.t, ASCII.f, ASCII.n:
            token.kind = byte == ASCII.t ? .true : byte == ASCII.f ? .false : .null
            reader.advance(byte == ASCII.f ? 5 : 4)
            token.end = reader.position
        default:
            reader.skipNumber()
            token.end = reader.position
        }
        token.next = tokens.count &+ 1
        tokens.append(token)
    }
}
