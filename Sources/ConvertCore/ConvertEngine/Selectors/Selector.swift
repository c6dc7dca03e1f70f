import ConvertText

/// Selects paths of a payload by its input keys: a pointer pattern from the root, or a key at any depth.
///
/// Keys are compared by their UTF-8 bytes after unescaping, without Unicode normalization. Two selectors are equal if
/// they differ only in redundant wildcards (`a**` is `a*`, `/**/**` is `/**`).
package struct Selector: Sendable, Hashable {
    /// The limit for a selector's text, in bytes.
    package static let maxTextBytes = 4096

    /// One step of a pointer pattern.
    package enum Segment: Sendable, Hashable {
        /// Exactly this key, or the array index with these digits.
        case literal([UInt8])
        /// `*`: any one key or index.
        case anyOne
        /// `**`: any number of levels, also none.
        case anyDepth

        /// The key; nil for a wildcard.
        package var name: [UInt8]? { if case .literal(let name) = self { name } else { nil } }

        /// Hashes eight bytes of a key at a time. An array would hash one after another, which takes several times as long.
        package func hash(into hasher: inout Hasher) {
            hasher.combine(name?.count ?? (self == .anyDepth ? -1 : -2))
            var word: UInt64 = 0
            for (index, byte) in (name ?? []).enumerated() {
                word = word << 8 | UInt64(byte)
                if index % 8 == 7 { hasher.combine(word) }
            }
            hasher.combine(word)
        }
    }

    /// One part of a key.
    package enum Piece: Sendable, Hashable {
        /// Exactly these bytes, at least one.
        case literal([UInt8])
        /// `*`: any run of characters, also an empty one.
        case anyRun
    }

    /// The two kinds of selector.
    package enum Form: Sendable, Hashable {
        /// A pointer from the root, with at least one segment. No two `.anyDepth` follow each other.
        case pointer([Segment])
        /// A key at any depth, with at least one piece. No two pieces of one kind follow each other.
        case name([Piece])
    }

    /// The pointer, or the key at any depth.
    package let form: Form

    /// Parses a selector from the text in a profile. The escape sequences of JSON must already be decoded.
    ///
    ///     selector = pointer / name
    ///     pointer  = 1*( "/" ( "*" / "**" / *( plain / escape ) ) )
    ///     name     = 1*( plain / "/" / "*" / escape )      ; not starting with "/"
    ///     escape   = "~" ( "0" / "1" / "2" )               ; "~", "/" and a literal "*"
    package init(parsing text: [UInt8]) throws(SelectorError) {
        guard let first = text.first else { throw SelectorError(code: .empty, offset: 0) }
        guard text.count <= Self.maxTextBytes else {
            throw SelectorError(code: .tooLong, offset: Self.maxTextBytes)
        }
        form = first == ASCII.slash ? .pointer(try Self.segments(of: text)) : .name(try Self.pieces(of: text))
    }

    /// Creates a pointer pattern from at least one segment.
    package init(segments: [Segment]) {
        precondition(!segments.isEmpty)
        form = .pointer(segments)
    }

    /// Creates a key at any depth from at least one piece.
    package init(pieces: [Piece]) {
        precondition(!pieces.isEmpty)
        form = .name(pieces)
    }

    /// The precedence of the selector, always positive. If two selectors match the same path, the one with the higher rank applies.
    package var rank: Int {
        switch form {
        case .pointer(let segments):
            if segments.contains(.anyDepth) { return 3 }
            return segments.contains(.anyOne) ? 4 : 5
        case .name(let pieces):
            return pieces.contains(.anyRun) ? 1 : 2
        }
    }

    /// Whether the selector contains a `*` or `**`.
    package var hasWildcard: Bool {
        switch form {
        case .pointer(let segments): segments.contains { $0 == .anyOne || $0 == .anyDepth }
        case .name(let pieces): pieces.contains(.anyRun)
        }
    }

    /// The segments of a pointer; empty for a key selector.
    package var pointerSegments: [Segment] {
        if case .pointer(let segments) = form { segments } else { [] }
    }

    /// A key that a key selector matches; empty for a pointer.
    var exampleName: [UInt8] {
        guard case .name(let pieces) = form else { return [] }
        return pieces.flatMap { piece in
            if case .literal(let bytes) = piece { bytes } else { [ASCII.x] }
        }
    }

    /// The keys of the segments; nil if there is a wildcard among them.
    package static func names(_ segments: ArraySlice<Segment>) -> [[UInt8]]? {
        let names = segments.compactMap { $0.name }
        return names.count == segments.count ? names : nil
    }

    /// The limit for the parts that must be tried on a key that no rule mentions. A selector with a wildcard has at least one. A pointer
    /// has all segments from the first `**` on, because it may be at each of them at the same time.
    package var triedParts: Int {
        let openSegments = pointerSegments.drop { $0 != .anyDepth }.count
        return max(openSegments, hasWildcard ? 1 : 0)
    }
}

// MARK: - Parsing

extension Selector {
    private static func segments(of text: [UInt8]) throws(SelectorError) -> [Segment] {
        var segments: [Segment] = []
        var start = 1
        while start <= text.count {
            let end = text[start...].firstIndex(of: ASCII.slash) ?? text.count
            let segment = try segment(of: text, in: start..<end)
            if segment != .anyDepth || segments.last != .anyDepth { segments.append(segment) }
            start = end + 1
        }
        return segments
    }

    private static func segment(of text: [UInt8], in range: Range<Int>) throws(SelectorError) -> Segment {
        if let star = text[range].firstIndex(of: ASCII.asterisk) {
            let isAllStars = text[range].allSatisfy { $0 == ASCII.asterisk }
            guard isAllStars, range.count <= 2 else { throw SelectorError(code: .wildcardInSegment, offset: star) }
            return range.count == 1 ? .anyOne : .anyDepth
        }
        return .literal(try literal(of: text, in: range))
    }

    private static func literal(of text: [UInt8], in range: Range<Int>) throws(SelectorError) -> [UInt8] {
        var literal: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            literal.append(try character(of: text, at: &index, before: range.upperBound))
        }
        return literal
    }

    /// The key that a part of a selector's text without wildcards is written for; nil if an escape sequence is unknown.
    package static func unescaped(_ part: ArraySlice<UInt8>) -> [UInt8]? {
        let text = Array(part)
        return try? literal(of: text, in: text.indices)
    }

    private static func pieces(of text: [UInt8]) throws(SelectorError) -> [Piece] {
        var pieces: [Piece] = []
        var literal: [UInt8] = []
        var index = 0
        while index < text.count {
            guard text[index] == ASCII.asterisk else {
                literal.append(try character(of: text, at: &index, before: text.count))
                continue
            }
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal.removeAll()
            if pieces.last != .anyRun { pieces.append(.anyRun) }
            index += 1
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        return pieces
    }

    /// The byte at `index`, unescaped; moves `index` after it.
    private static func character(
        of text: [UInt8], at index: inout Int, before end: Int
    ) throws(SelectorError) -> UInt8 {
        let byte = text[index]
        guard byte == ASCII.tilde else {
            index += 1
            return byte
        }
        guard index + 1 < end else { throw SelectorError(code: .badEscape, offset: index) }
        let digit = text[index + 1]
        guard let escaped = digit == asteriskDigit ? ASCII.asterisk : PayloadPointer.unescaped(digit: digit) else {
            throw SelectorError(code: .badEscape, offset: index)
        }
        index += 2
        return escaped
    }
}

// MARK: - Text

extension Selector: CustomStringConvertible {
    /// The selector as the text for a profile, with as few escape sequences as possible.
    package var description: String { String(decoding: text(), as: UTF8.self) }

    /// The selector as the text for a profile.
    ///
    /// - Parameter escapesSlashes: whether every slash in a plain key is escaped, and not only one at the beginning.
    package func text(escapesSlashes: Bool = false) -> [UInt8] {
        guard case .name(let pieces) = form else { return Self.text(of: pointerSegments) }
        var text: [UInt8] = []
        for piece in pieces {
            guard case .literal(let run) = piece else {
                text.append(ASCII.asterisk)
                continue
            }
            for byte in run {
                let stays = byte == ASCII.slash && !escapesSlashes && !text.isEmpty
                text += stays ? [byte] : Self.escaped(byte: byte)
            }
        }
        return text
    }

    /// The text of a pointer; empty for no segments.
    package static func text(of segments: [Segment]) -> [UInt8] {
        var text: [UInt8] = []
        for segment in segments {
            text.append(ASCII.slash)
            switch segment {
            case .literal(let name): text += escaped(name)
            case .anyOne: text.append(ASCII.asterisk)
            case .anyDepth: text += [ASCII.asterisk, ASCII.asterisk]
            }
        }
        return text
    }

    /// A key as a segment of a pointer.
    package static func escaped(_ name: [UInt8]) -> [UInt8] { name.flatMap { escaped(byte: $0) } }

    private static func escaped(byte: UInt8) -> [UInt8] {
        byte == ASCII.asterisk ? [ASCII.tilde, asteriskDigit] : PayloadPointer.escaped(byte: byte)
    }

    /// Selectors add an escape sequence to those of RFC 6901: `~2` for `*`.
    private static let asteriskDigit = UInt8(ascii: "2")
}
