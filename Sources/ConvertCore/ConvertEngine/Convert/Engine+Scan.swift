import ConvertText

/// Payloads of which only white space is removed. They are taken by scans, if the processor has the instructions.
///
/// A scan takes only what is valid, and ends before a comma, a closing bracket or a line feed between values. The fast path and the
/// resumable lexer take the rest: errors, the end of a chunk, deep nesting, and strings that are longer than a scan.
extension Engine {
    #if arch(x86_64)
        /// Shorter payloads, and rests of them, are left to the other paths.
        private static let minScannedBytes = 64

        /// Whether payloads are taken by scans. Keys of any length in a scan must be allowed.
        static func scans(_ plan: Plan, _ framing: Converter.Framing) -> Bool {
            TokenScan.isAvailable && plan.ignoresNames && !plan.isStaged
                && (framing == .document || plan.wrapText.names.isEmpty)
                && plan.selectors.document.payloadNames.isEmpty && plan.limits.maxKeyBytes >= TokenScan.maxBytes
        }

        /// Whether the chunk is taken by scans at first.
        func beginsScans(_ reader: borrowing ChunkReader) -> Bool {
            scans && reader.remaining >= Self.minScannedBytes && TokenScan.isWorthIt(reader)
        }

        /// Takes scans as long as they are worth it, usually up to the last comma or bracket of the chunk.
        @inline(never) @_lifetime(reader: copy reader)
        mutating func takeScans(_ reader: inout ChunkReader, _ output: inout ByteBuffer) {
            while scansChunk, reader.remaining >= Self.minScannedBytes, let last = lastScanToken {
                let (start, left) = (reader.position, reader.remaining)
                scansChunk = false
                guard containers.depth < TokenScan.maxDepth else { return }
                var kinds: UInt64 = 0
                for depth in 0...containers.depth { kinds = kinds << 1 | (containers[depth].kind == .object ? 1 : 0) }
                var scan = TokenScan(
                    after: last, depth: containers.depth, kinds: kinds, maxDepth: maxDepth, takesLines: isLines)
                // The comma before a key is written when the key comes.
                if last == .comma { output.append(ASCII.comma) }
                guard scan.take(&reader, &output) else {
                    if last == .comma { output.removeLast(1) }
                    return
                }
                enter(scan, from: start)
                scansChunk = left > TokenScan.maxBytes && scan.isFollowed
            }
        }

        /// What the lexer has read last, if a scan can begin here.
        private var lastScanToken: TokenScan.Token? {
            switch lexerState {
            case .afterValue: .value
            case .value, .lineStart: .colon
            case .key: .comma
            case .firstKey: .brace
            case .firstElement: .bracket
            default: nil
            }
        }

        /// Leaves and enters containers as a scan did that began at `start`, and sets the lexer's state.
        private mutating func enter(_ scan: TokenScan, from start: Int) {
            while containers.depth > scan.lowestDepth { leaveContainer() }
            if isLines, containers.depth == 0 { beginPayload() }
            for depth in scan.lowestDepth...scan.depth {
                let isObject = scan.isObject(at: depth)
                if depth > scan.lowestDepth {
                    if isObject { enterObject() } else { enterArray() }
                }
                containers.top.isEmpty = depth == scan.depth && scan.lastToken != .value
                containers.top.index += scan.commas(at: depth)
                let key = scan.key(at: depth)
                guard isObject, key >= 0 else { continue }
                (containers.top.entry, containers.top.keyPosition) = (-1, start + key)
                keys.hasUnstoredKeys = true
            }
            switch scan.lastToken {
            case .brace: lexerState = .firstKey
            case .bracket: lexerState = .firstElement
            default: lexerState = .afterValue
            }
        }
    #else
        static func scans(_ plan: Plan, _ framing: Converter.Framing) -> Bool { false }

        func beginsScans(_ reader: borrowing ChunkReader) -> Bool { false }

        @_lifetime(reader: copy reader)
        func takeScans(_ reader: inout ChunkReader, _ output: inout ByteBuffer) {}
    #endif
}

extension Converter {
    /// The vectors beside the baseline's that are used: those of the processor, unless the variable `CONVERT_SIMD` forbids them.
    package static var wideVectors: String? {
        #if arch(x86_64)
            TextScan.vectors
        #else
            nil
        #endif
    }
}
