#if arch(x86_64)
    import CSIMD

    /// A pass in C over the next bytes of a chunk, which removes white space and checks everything.
    ///
    /// It ends before a comma, a closing bracket or a line feed between values, so it leaves a lexer in few states: `lastToken` says in which one.
    @safe
    struct TokenScan {
        /// What comes before a scan, or before its end.
        enum Token: UInt32 {
            /// The end of a value.
            case value
            /// A colon, a comma in an array, or a line feed between values.
            case colon
            /// A comma in an object.
            case comma
            case brace, bracket
        }

        /// The most bytes of input for one scan.
        static let maxBytes = Int(CSIMD_SCAN_BYTES)
        /// The most open containers before and after a scan.
        static let maxDepth = Int(CSIMD_SCAN_DEPTH)
        /// Whether this processor has the instructions.
        static var isAvailable: Bool { csimd_usable_vectors() == CSIMD_AVX512 }

        private var scan = csimd_scan()

        /// Begins after `lastToken` inside of `depth` containers. The lowest bit of `kinds` is set if the innermost one is an object.
        /// With `takesLines`, each value is on a line of its own.
        init(after lastToken: Token, depth: Int, kinds: UInt64, maxDepth: Int, takesLines: Bool) {
            precondition(depth >= 0 && depth <= Self.maxDepth)
            scan.depth = UInt64(depth)
            scan.kinds = kinds
            scan.last_token = lastToken.rawValue
            scan.max_depth = UInt32(min(maxDepth, Self.maxDepth))
            scan.takes_lines = takesLines ? 1 : 0
        }

        /// Whether the next bytes of a chunk are worth a scan: long strings of ASCII are not.
        static func isWorthIt(_ reader: borrowing ChunkReader) -> Bool {
            unsafe csimd_is_dense(reader.base + reader.position, min(reader.remaining, maxBytes)) != 0
        }

        /// Whether the bytes after this scan are worth another one. They are not if its end is far from the last byte that it read, which
        /// would be scanned again.
        var isFollowed: Bool { scan.is_dense != 0 && scan.end > Self.maxBytes / 4 * 3 }

        /// Takes whole tokens, of at most `maxBytes`. Returns false and takes none if any of them is invalid, or if there is none.
        @_lifetime(reader: copy reader)
        mutating func take(_ reader: inout ChunkReader, _ output: inout ByteBuffer) -> Bool {
            precondition(Self.isAvailable)
            let count = min(reader.remaining, Self.maxBytes)
            output.reserve(count &+ Int(CSIMD_SCAN_SLACK))
            unsafe csimd_scan(reader.base + reader.position, count, output.base + output.count, &scan)
            guard scan.end > 0 else { return false }
            precondition(scan.end < count && scan.written <= scan.end)
            precondition(scan.lowest_depth <= scan.depth && scan.depth <= UInt64(Self.maxDepth))
            reader.advance(scan.end, lineFeeds: scan.line_feeds)
            output.count += scan.written
            return true
        }

        /// The number of open containers, and the least number of them in between.
        var depth: Int { Int(scan.depth) }
        var lowestDepth: Int { Int(scan.lowest_depth) }

        var lastToken: Token { Token(rawValue: scan.last_token) ?? .value }

        func isObject(at depth: Int) -> Bool { scan.kinds &>> UInt64(self.depth - depth) & 1 != 0 }

        /// The offset in the scan of the last key in the object that is open at `depth`; negative if there is none.
        func key(at depth: Int) -> Int { Self.element(depth, of: scan.keys) }

        /// The number of commas in the array that is open at `depth`.
        func commas(at depth: Int) -> Int { Self.element(depth, of: scan.commas) }

        private static func element<Counts: BitwiseCopyable>(_ index: Int, of elements: Counts) -> Int {
            precondition(index >= 0 && index <= maxDepth)
            return unsafe withUnsafeBytes(of: elements) { bytes in
                unsafe Int(bytes.loadUnaligned(fromByteOffset: index * MemoryLayout<Int32>.stride, as: Int32.self))
            }
        }
    }

    /// Text of strings, copied and checked 32 or 64 bytes at a time.
    @safe
    enum TextScan {
        /// The vectors beside the baseline's that `copy` uses.
        static var vectors: String? {
            switch csimd_usable_vectors() {
            case CSIMD_AVX2: "AVX2"
            case CSIMD_AVX512: "AVX-512"
            default: nil
            }
        }

        /// The bytes that make a call worth it, and the most that one call takes.
        static let leastBytes = 64
        static let maxBytes = 1024

        /// Copies text up to a quote, a backslash, a control, an invalid byte or the last bytes of the chunk. False if it ends before
        /// `maxBytes`.
        @_lifetime(reader: copy reader)
        static func copy(_ reader: inout ChunkReader, to output: inout ByteBuffer) -> Bool {
            let count = min(reader.remaining, maxBytes)
            output.reserve(count)
            let taken = unsafe csimd_copy_text(reader.base + reader.position, count, output.base + output.count)
            precondition(taken <= count)
            reader.advance(taken)
            output.count += taken
            return taken > maxBytes - leastBytes
        }
    }
#endif
