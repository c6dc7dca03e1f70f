import CZlib
import ConvertCore

// zlib keeps a pointer back to its `z_stream`, which therefore must not move: it is allocated. Input is lent for the length
// of one call and its address is forgotten after it. Output goes through `portion`, from where it is copied into the
// caller's buffer, so that no address inside of that buffer is ever given away.

/// One compressed or decompressed stream of the system's zlib: the only place where it is called.
@safe
struct ZlibStream: ~Copyable {
    /// What is around the compressed data; the numbers are zlib's `windowBits` for a window of 32 KiB.
    enum Format: Int32 {
        /// RFC 1950.
        case zlib = 15
        /// RFC 1952.
        case gzip = 31
        /// RFC 1951 alone.
        case raw = -15
    }

    /// What one call of zlib led to.
    enum Outcome {
        /// It continues with more input or more room.
        case more
        /// The stream ended.
        case ended
        /// The input is not what the format allows, in zlib's words.
        case corrupt(String)
    }

    private enum Direction { case inflating, deflating }

    /// The most output of one call.
    static let maxPortionBytes = 16 * 1024
    /// The fastest: most of the gain for the least time.
    private static let level = Z_BEST_SPEED
    /// zlib's default: 128 KiB for the hash chains beside 128 KiB for the window.
    private static let memoryLevel: Int32 = 8

    private let direction: Direction
    private let stream: UnsafeMutablePointer<z_stream>
    private let portion: UnsafeMutablePointer<UInt8>

    private init(_ direction: Direction) {
        self.direction = direction
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe portion = .allocate(capacity: Self.maxPortionBytes)
    }

    /// Begins to read a stream.
    init(inflating format: Format) {
        self.init(.inflating)
        Self.require(unsafe czlib_inflate_init(stream, format.rawValue))
    }

    /// Begins to write a stream.
    init(deflating format: Format) {
        self.init(.deflating)
        Self.require(unsafe czlib_deflate_init(stream, Self.level, format.rawValue, Self.memoryLevel))
    }

    deinit {
        switch direction {
        case .inflating: unsafe inflateEnd(stream)
        case .deflating: unsafe deflateEnd(stream)
        }
        unsafe portion.deallocate()
        unsafe stream.deallocate()
    }

    /// Whether two bytes can begin a stream of the format `zlib`.
    ///
    /// CM is 8, CINFO at most 7, and both bytes together a multiple of 31 (RFC 1950 §2.2). No encoder begins raw deflate
    /// data like that: it would be a stored block whose padding is not zero.
    static func isZlibHeader(_ first: UInt8, _ second: UInt8) -> Bool {
        let (windowSize, method) = first.quotientAndRemainder(dividingBy: 16)
        return method == Z_DEFLATED && windowSize <= 7 && (Int(first) * 256 + Int(second)).isMultiple(of: 31)
    }

    /// Calls zlib once, moving `position` over the input that it took.
    ///
    /// At most `maxBytes`, and never more than `maxPortionBytes`, are appended to `output`; when it was as much as that,
    /// more may be waiting.
    mutating func advance(
        _ input: Span<UInt8>, at position: inout Int, extent: ContentEncoder.Extent = .some,
        maxBytes: Int = Self.maxPortionBytes, into output: inout ByteBuffer
    ) -> Outcome {
        precondition(maxBytes > 0, "zlib cannot work without room")
        let room = min(maxBytes, Self.maxPortionBytes)
        let rest = input.extracting(position..<input.count)
        let lent = min(rest.count, Int(UInt32.max))
        unsafe stream.pointee.next_out = portion
        unsafe stream.pointee.avail_out = UInt32(room)
        let code = unsafe rest.withUnsafeBufferPointer { bytes in
            unsafe stream.pointee.next_in = bytes.baseAddress
            unsafe stream.pointee.avail_in = UInt32(lent)
            defer { unsafe stream.pointee.next_in = nil }
            switch direction {
            case .inflating: return unsafe inflate(stream, Z_NO_FLUSH)
            case .deflating: return unsafe deflate(stream, extent.flush)
            }
        }
        position += unsafe lent - Int(stream.pointee.avail_in)
        let produced = unsafe room - Int(stream.pointee.avail_out)
        output.append(unsafe Span(_unsafeStart: UnsafePointer(portion), count: produced))
        return outcome(of: code)
    }

    /// Takes all of `input` and appends what comes out of it, as much as `extent` says, to `output`; for writing only.
    mutating func write(_ input: Span<UInt8>, _ extent: ContentEncoder.Extent, into output: inout ByteBuffer) {
        var position = 0
        while true {
            let filled = output.count
            switch advance(input, at: &position, extent: extent, into: &output) {
            case .ended: return
            case .corrupt: preconditionFailure("writing does not find faults")
            case .more: break
            }
            if output.count - filled < Self.maxPortionBytes, position == input.count { return }
        }
    }

    /// Makes the stream as it was at its beginning.
    mutating func reset() {
        switch direction {
        case .inflating: Self.require(unsafe inflateReset(stream))
        case .deflating: Self.require(unsafe deflateReset(stream))
        }
    }

    private borrowing func outcome(of code: Int32) -> Outcome {
        switch code {
        // No progress was possible, which only means that input or room has run out.
        case Z_OK, Z_BUF_ERROR: return .more
        case Z_STREAM_END: return .ended
        case Z_DATA_ERROR:
            guard let message = unsafe stream.pointee.msg else { return .corrupt("bad data") }
            return .corrupt(unsafe String(cString: message))
        case Z_NEED_DICT: return .corrupt("a preset dictionary is needed")
        default:
            Self.require(code)
            return .more
        }
    }

    /// Ends the program where memory has run out, as Swift's own allocations do, or where this file misuses zlib.
    private static func require(_ code: Int32) {
        precondition(code == Z_OK, "zlib failed with \(code)")
    }
}

extension ContentEncoder.Extent {
    fileprivate var flush: Int32 {
        switch self {
        case .some: Z_NO_FLUSH
        case .everything: Z_SYNC_FLUSH
        case .toEnd: Z_FINISH
        }
    }
}
