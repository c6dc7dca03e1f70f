/// What the fast path does at the boundaries of members, by the kind of plan. Stages are types, so that the loop of each is compiled by
/// itself and holds nothing of the others. They keep nothing: what they know is the engine's.
protocol MemberStage {
    /// Whether names are copied without being looked up, so that no rule and no path plays a part.
    static var ignoresNames: Bool { get }
    /// Whether empty containers end in the fast path, and arrays in arrays are gone through at once.
    static var endsEmptyObjects: Bool { get }
    static var endsEmptyArrays: Bool { get }

    /// Takes the next key and its colon; false where the resumable lexer must.
    @_lifetime(cursor: copy cursor)
    static func takeKey(
        _ engine: inout Engine, _ cursor: inout TokenCursor, predicted: inout Int,
        _ reader: borrowing ChunkReader,
        _ output: borrowing ByteBuffer
    ) -> Bool

    /// An element of an array begins so many bytes ahead.
    static func elementBegins(
        _ engine: inout Engine, _ cursor: borrowing TokenCursor, after distance: Int,
        _ reader: borrowing ChunkReader, _ output: borrowing ByteBuffer)

    /// A value begins with a byte; false where the resumable lexer must take it.
    static func valueBegins(
        _ engine: inout Engine, _ byte: UInt8, _ cursor: borrowing TokenCursor, _ output: borrowing ByteBuffer
    ) -> Bool

    /// A string begins; true if it is empty and its member goes.
    static func stringGoes(
        _ engine: inout Engine, _ cursor: borrowing TokenCursor, _ output: borrowing ByteBuffer
    ) -> Bool

    /// A container begins, behind its bracket.
    static func containerBegins(_ engine: inout Engine, _ bracket: UInt8)

    /// Whether the member goes whose value is the literal that begins with a byte.
    static func literalGoes(_ engine: borrowing Engine, _ byte: UInt8) -> Bool

    /// A rule wrote a string to `mark`; true if the resumable lexer must go on.
    static func stops(_ engine: inout Engine, afterStringAt mark: Int, _ output: inout ByteBuffer) -> Bool

    /// Whether the resumable lexer must decide on the member whose value just ended.
    static func stopsAfterValue(_ engine: borrowing Engine) -> Bool

    /// Whether it must before a comma or bracket, where the value was not taken here.
    static func stopsBeforeComma(_ engine: borrowing Engine) -> Bool

    /// Ends the innermost container, whose bracket comes next; false where the resumable lexer must.
    @_lifetime(cursor: copy cursor)
    static func endContainer(
        _ engine: inout Engine, _ bracket: UInt8, _ cursor: inout TokenCursor, _ output: borrowing ByteBuffer
    ) -> Bool
}

extension MemberStage {
    @inline(__always) static var ignoresNames: Bool { false }
    @inline(__always) static var endsEmptyObjects: Bool { false }
    @inline(__always) static var endsEmptyArrays: Bool { true }

    @inline(__always)
    static func elementBegins(
        _ engine: inout Engine, _ cursor: borrowing TokenCursor, after distance: Int,
        _ reader: borrowing ChunkReader, _ output: borrowing ByteBuffer
    ) {}

    @inline(__always)
    static func valueBegins(
        _ engine: inout Engine, _ byte: UInt8, _ cursor: borrowing TokenCursor, _ output: borrowing ByteBuffer
    ) -> Bool { true }

    @inline(__always)
    static func stringGoes(
        _ engine: inout Engine, _ cursor: borrowing TokenCursor, _ output: borrowing ByteBuffer
    ) -> Bool { false }

    @inline(__always) static func containerBegins(_ engine: inout Engine, _ bracket: UInt8) {}

    @inline(__always) static func literalGoes(_ engine: borrowing Engine, _ byte: UInt8) -> Bool { false }

    @inline(__always)
    static func stops(_ engine: inout Engine, afterStringAt mark: Int, _ output: inout ByteBuffer) -> Bool {
        false
    }

    @inline(__always) static func stopsAfterValue(_ engine: borrowing Engine) -> Bool { false }

    @inline(__always) static func stopsBeforeComma(_ engine: borrowing Engine) -> Bool {
        stopsAfterValue(engine)
    }

    @inline(__always) @_lifetime(cursor: copy cursor)
    static func endContainer(
        _ engine: inout Engine, _ bracket: UInt8, _ cursor: inout TokenCursor, _ output: borrowing ByteBuffer
    ) -> Bool {
        cursor.copy(bracket)
        engine.leaveContainer()
        return true
    }
}

/// `minify`: nothing depends on names. Where each stands is noted, for the pointer of an error.
enum VerbatimMembers: MemberStage {
    @inline(__always) static var ignoresNames: Bool { true }

    @inline(__always) @_lifetime(cursor: copy cursor)
    static func takeKey(
        _ engine: inout Engine, _ cursor: inout TokenCursor, predicted: inout Int,
        _ reader: borrowing ChunkReader,
        _ output: borrowing ByteBuffer
    ) -> Bool {
        let place = cursor.place(in: reader)
        guard cursor.copyName(isFirst: engine.containers.top.isEmpty) else { return false }
        engine.containers.top.isEmpty = false
        engine.containers.top.entry = -1
        engine.containers.top.place = place
        return true
    }
}

/// Rules for names and values: each member that is not dropped stays.
enum MappedMembers: MemberStage {
    @inline(__always) @_lifetime(cursor: copy cursor)
    static func takeKey(
        _ engine: inout Engine, _ cursor: inout TokenCursor, predicted: inout Int,
        _ reader: borrowing ChunkReader,
        _ output: borrowing ByteBuffer
    ) -> Bool {
        engine.takeKey(&cursor, predicted: &predicted, nil, mark: nil) || engine.takeUnknownKey(&cursor, reader)
    }
}
