import CZlib
import ConvertEngine

// zlib keeps a pointer back to its `z_stream`, which therefore must not move, so it is allocated. zlib uses the address
// of the input only during one call. Output goes into `portion` and is copied from there into the caller's buffer, so
// zlib never gets an address inside of that buffer.

/// One compressed or decompressed stream of the system's zlib. Only this file calls the library.
@safe
struct ZlibStream: ~Copyable {
    /// The container of the compressed data. The numbers are zlib's `windowBits` for a window of 32 KiB.
    enum Format: Int32 {
        /// RFC 1950.
        case zlib = 15
        /// RFC 1952.
        case gzip = 31
        /// RFC 1951 alone.
        case raw = -15
    }

    /// The result of one call of zlib.
    enum Outcome {
        /// It continues with more input or more room.
        case more
        case ended
        /// The input is invalid, with zlib's message.
        case corrupt(String)
    }

    private enum Direction { case inflating, deflating }

    /// The most output of one call.
    static let maxPortionBytes = 16 * 1024
    /// The fastest level, with most of the gain for the least time.
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
    /// CM is 8, CINFO is at most 7, and both bytes together are a multiple of 31 (RFC 1950 §2.2). No encoder begins raw
    /// deflate data like that, because it would be a stored block whose padding is not zero.
    static func isZlibHeader(_ first: UInt8, _ second: UInt8) -> Bool {
        let (windowSize, method) = first.quotientAndRemainder(dividingBy: 16)
        return method == Z_DEFLATED && windowSize <= 7 && (Int(first) * 256 + Int(second)).isMultiple(of: 31)
    }

    /// Calls zlib once, and moves `position` past the input that it took.
    ///
    /// At most `maxBytes`, and never more than `maxPortionBytes`, are appended to `output`. If the maximum was reached,
    /// more output may be waiting.
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

    /// Takes all of `input` and appends the output to `output`, as much as `extent` requires. For writing only.
    mutating func write(_ input: Span<UInt8>, _ extent: ContentEncoder.Extent, into output: inout ByteBuffer) {
        var position = 0
        while true {
            let filled = output.count
            switch advance(input, at: &position, extent: extent, into: &output) {
            case .ended: return
            case .corrupt: preconditionFailure("writing does not find errors")
            case .more: break
            }
            if output.count - filled < Self.maxPortionBytes, position == input.count { return }
        }
    }

    /// Resets the stream to its initial state.
    mutating func reset() {
        switch direction {
        case .inflating: Self.require(unsafe inflateReset(stream))
        case .deflating: Self.require(unsafe deflateReset(stream))
        }
    }

    private borrowing func outcome(of code: Int32) -> Outcome {
        switch code {
        // No progress was possible, which only means that input or room is missing.
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

    /// Ends the program if there is no memory, as Swift's own allocations do, or if this file misuses zlib.
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
