import ConvertText

extension UTF8Sequence {
    /// Appends the sequence of a scalar value. A surrogate is written as three bytes, as in WTF-8.
    package static func append(_ value: UInt32, to output: inout ByteBuffer) {
        func continuation(_ shift: UInt32) -> UInt8 { UInt8(0x80 | value >> shift & 0x3F) }
        switch value {
        case 0..<0x80: output.append(UInt8(value))
        case 0x80..<0x800:
            output.append(UInt8(0xC0 | value >> 6))
            output.append(continuation(0))
        case 0x800..<0x10000:
            output.append(UInt8(0xE0 | value >> 12))
            output.append(continuation(6))
            output.append(continuation(0))
        default:
            output.append(UInt8(0xF0 | value >> 18))
            output.append(continuation(12))
            output.append(continuation(6))
            output.append(continuation(0))
        }
    }
}

extension ByteBuffer {
    /// The reason why a run of non-ASCII sequences ended.
    enum MultiByteRunEnd {
        /// An ASCII byte comes next.
        case ascii
        /// The chunk ends, perhaps inside a sequence. The bytes of that sequence are valid so far and not consumed.
        case endOfChunk
        /// The next byte or one after it is invalid.
        case invalid
        /// Fewer bytes than a block are left.
        case nearEnd
    }

    /// Copies text in blocks, ASCII or not, and checks it. Stops at a quote, a backslash, a control, an invalid byte, and
    /// near the chunk's end.
    ///
    /// In a block, the lead bytes determine where continuation bytes must be; anywhere else they are an error. A few leads
    /// need more checks: those of overlong forms, surrogates and four bytes. Blocks with such leads are read sequence by sequence.
    /// After the first block, text is copied 32 or 64 bytes at a time if the processor has the instructions.
    @_lifetime(reader: copy reader)
    mutating func copyText(_ reader: inout ChunkReader) -> MultiByteRunEnd {
        let start = reader.position
        while true {
            if reader.position > start, copyWideText(&reader) { return .ascii }
            guard reader.remaining >= LaneMask.laneCount else { return .nearEnd }
            reserve(Self.slackBytes)
            let lanes = unsafe Lanes(loading: reader.base + reader.position)
            unsafe lanes.store(to: base + count)
            let stops = lanes.textStops
            let multiByte = lanes.nonASCII
            let leads = lanes.atLeast(UTF8Sequence.firstLead)
            let longLeads = lanes.atLeast(UTF8Sequence.firstOfThree)
            let wanted = leads.shifted(by: 1).bits | longLeads.shifted(by: 2).bits
            let wrong = (wanted ^ (multiByte.bits & ~leads.bits)) & LaneMask(first: LaneMask.laneCount).bits
            if (wrong | stops.bits | lanes.rareLeads.bits) == 0 {
                // If the block cuts a sequence, the next block begins with it. The positions move by constants, so the
                // next block does not wait for this one's masks.
                if _fastPath(leads.holds(LaneMask.laneCount &- 1)) {
                    move(&reader, by: LaneMask.laneCount &- 1)
                } else if _fastPath(!longLeads.holds(LaneMask.laneCount &- 2)) {
                    move(&reader, by: LaneMask.laneCount)
                } else {
                    move(&reader, by: LaneMask.laneCount &- 2)
                }
                continue
            }
            let stop = min(stops.firstIndex, LaneMask.laneCount)
            // The byte that stops the text must not be inside an incomplete sequence either.
            let tested = LaneMask(first: min(stop &+ 1, LaneMask.laneCount))
            if (lanes.rareLeads.bits | wrong) & tested.bits == 0 {
                move(&reader, by: stop)
                return .ascii
            }
            move(&reader, by: min(multiByte.firstIndex, stop))
            let end = copyMultiByteRun(&reader)
            guard end == .ascii, !reader.isAtEnd else { return end }
            if reader.next < ASCII.space || reader.next == ASCII.quote || reader.next == ASCII.backslash { return end }
        }
    }

    /// Copies valid text 32 or 64 bytes at a time, as far as the processor has the instructions and the chunk has bytes for them. Returns
    /// whether the string's closing quote comes next.
    @inline(never) @_lifetime(reader: copy reader)
    private mutating func copyWideText(_ reader: inout ChunkReader) -> Bool {
        #if arch(x86_64)
            while reader.remaining >= TextScan.leastBytes {
                guard TextScan.copy(&reader, to: &self) else { return !reader.isAtEnd && reader.next == ASCII.quote }
            }
        #endif
        return false
    }

    /// Counts `distance` bytes, which were already copied, as read and written.
    @inline(__always) @_lifetime(reader: copy reader)
    private mutating func move(_ reader: inout ChunkReader, by distance: Int) {
        reader.advance(distance)
        count &+= distance
    }

    /// Copies consecutive multi-byte sequences and checks each.
    ///
    /// Each sequence is read as one little-endian word. The first mask tests lead and continuation bits together. The second one tests
    /// the bits in which overlong forms, surrogates and values above U+10FFFF differ from valid ones.
    @inline(__always) @_lifetime(reader: copy reader)
    mutating func copyMultiByteRun(_ reader: inout ChunkReader) -> MultiByteRunEnd {
        while reader.remaining >= 4 {
            reserve(4 + Self.slackBytes)
            let raw = unsafe UnsafeRawPointer(reader.base + reader.position).loadUnaligned(as: UInt32.self)
            let word = UInt32(littleEndian: raw)
            unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: raw, as: UInt32.self)
            let length: Int
            if word & 0x00C0_C0F0 == 0x0080_80E0 {
                let payload = word & 0x0000_200F
                guard payload != 0, payload != 0x0000_200D else { return .invalid }
                length = 3
            } else if word & 0x0000_C0E0 == 0x0000_80C0 {
                guard word & 0x0000_001E != 0 else { return .invalid }
                length = 2
            } else if word & 0xC0C0_C0F8 == 0x8080_80F0 {
                let payload = word & 0x0000_3007
                guard payload != 0, payload & 4 == 0 || payload & 0x3003 == 0 else { return .invalid }
                length = 4
            } else {
                return word & 0x80 == 0 ? .ascii : .invalid
            }
            reader.advance(length)
            count &+= length
        }
        return copyMultiByteRunNearEnd(&reader)
    }

    @inline(never) @_lifetime(reader: copy reader)
    private mutating func copyMultiByteRunNearEnd(_ reader: inout ChunkReader) -> MultiByteRunEnd {
        while !reader.isAtEnd {
            let lead = reader.next
            if lead < ASCII.firstNonASCII { return .ascii }
            let length = UTF8Sequence.length(lead: lead)
            guard length > 0 else { return .invalid }
            for distance in 1..<length {
                guard distance < reader.remaining else { return .endOfChunk }
                let byte = reader.peek(distance)
                let isValid =
                    distance == 1
                    ? UTF8Sequence.secondBytes(lead: lead).contains(byte) : UTF8Sequence.isContinuation(byte)
                guard isValid else { return .invalid }
            }
            copy(length, from: &reader)
        }
        return .endOfChunk
    }
}
