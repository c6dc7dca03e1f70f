import ConvertText

/// The rest of `true`, `false` or `null` that is still to come.
struct LiteralProgress: BitwiseCopyable, Sendable {
    /// The bytes to come; the next byte is the lowest one.
    private var rest: UInt64 = 0

    init() {}

    /// The state before the first byte of the literal that begins with `first`; the literal is `null` if `first` is neither `t` nor `f`.
    @inline(__always)
    init(_ first: UInt8) {
        let isTrue = first == ASCII.t
        let isFalse = first == ASCII.f
        // A selection instead of a branch, since the processor cannot predict which literal comes.
        rest = isTrue ? Self.true : isFalse ? Self.false : Self.null
    }

    /// The next expected byte; nil when the literal is complete.
    @inline(__always)
    var next: UInt8? { rest == 0 ? nil : UInt8(truncatingIfNeeded: rest) }

    @inline(__always)
    mutating func advance() { rest &>>= 8 }

    /// The length of the literal if `word` begins with it (its lowest byte first), otherwise 0.
    @inline(__always)
    func matchLength(_ word: UInt64) -> Int {
        let length = rest &>> 32 == 0 ? 4 : 5
        let mask = UInt64.max &>> UInt64(64 &- 8 &* length)
        return word & mask == rest ? length : 0
    }

    private static let `true` = pack(ASCII.t, ASCII.r, ASCII.u, ASCII.e)
    private static let `false` = pack(ASCII.f, ASCII.a, ASCII.l, ASCII.s) | UInt64(ASCII.e) &<< 32
    private static let null = pack(ASCII.n, ASCII.u, ASCII.l, ASCII.l)

    @inline(__always)
    private static func pack(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> UInt64 {
        UInt64(a) | UInt64(b) &<< 8 | UInt64(c) &<< 16 | UInt64(d) &<< 24
    }
}
