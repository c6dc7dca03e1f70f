import ConvertText

/// Checks UTF-8 without copying, in pieces of any size.
extension Span<UInt8> {
    /// The length of the byte order mark at the beginning; 0 if there is none.
    package var markBytes: Int {
        count >= 3 && (self[0], self[1], self[2]) == UTF8Sequence.byteOrderMark ? 3 : 0
    }

    /// Checks UTF-8 from the sequence that begins at `start` to the end of the one that reaches `limit`.
    ///
    /// Returns the index of that end or, if `isValid` is false, of the first byte of the invalid sequence.
    package func checkUTF8(from start: Int, to limit: Int) -> (end: Int, isValid: Bool) {
        precondition(start >= 0 && limit <= count)
        var index = start
        while index < limit {
            if count &- index >= LaneMask.laneCount {
                let block = unsafe withUnsafeBufferPointer { bytes in
                    // There is a block, so the bytes have an address.
                    unsafe Lanes(loading: bytes.baseAddress.unsafelyUnwrapped + index)
                }
                let multiByte = block.nonASCII
                if multiByte.isEmpty {
                    index &+= LaneMask.laneCount
                    continue
                }
                if let length = block.lengthOfPlainUTF8(multiByte) {
                    index &+= length
                    continue
                }
                index &+= multiByte.firstIndex
            }
            // Sequences that are rare in most blocks often come in runs.
            repeat {
                let length = UTF8Sequence.length(in: self, at: index)
                guard length > 0 else { return (index, false) }
                index &+= length
            } while index < limit && self[index] >= ASCII.firstNonASCII
        }
        return (index, true)
    }
}

extension Lanes {
    /// The length of the block's complete sequences, if all are valid and none has a rare lead; otherwise nil.
    ///
    /// The lead bytes determine where continuation bytes must be; anywhere else they are an error. `multiByte` has the lanes
    /// that are not ASCII.
    @inline(__always)
    fileprivate func lengthOfPlainUTF8(_ multiByte: LaneMask) -> Int? {
        let leads = atLeast(UTF8Sequence.firstLead)
        let longLeads = atLeast(UTF8Sequence.firstOfThree)
        let wanted = leads.shifted(by: 1).bits | longLeads.shifted(by: 2).bits
        let wrong = (wanted ^ (multiByte.bits & ~leads.bits)) & LaneMask(first: LaneMask.laneCount).bits
        guard (wrong | rareLeads.bits) == 0 else { return nil }
        if leads.holds(LaneMask.laneCount &- 1) { return LaneMask.laneCount &- 1 }
        return longLeads.holds(LaneMask.laneCount &- 2) ? LaneMask.laneCount &- 2 : LaneMask.laneCount
    }
}
