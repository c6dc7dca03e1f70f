import ConvertText

/// The past and future offsets of one zone, from a TZif file of version 2 or later (RFC 9636).
final class ZoneRules: Sendable {
    /// A period with one offset, from `start` to before `end`.
    struct Segment: Equatable {
        var start: Int64
        var end: Int64
        /// Seconds east of UTC.
        var offset: Int
    }

    /// The times at which the offset may change, in seconds since 1970, ascending.
    private let transitions: [Int64]
    /// Offsets in seconds east of UTC: first the one before all transitions, then the one after each transition.
    private let offsets: [Int32]
    /// The rule after the last transition; nil if the last offset stays forever.
    private let footer: ZoneFooter?

    /// A limit for the distance of any zone from UTC, in seconds (RFC 9636, section 3.2, allows less than 26 hours).
    private static let maxOffset: Int64 = 26 * 3_600

    /// 2100-01-01T00:00:00Z. Up to here the footer's changes are listed too, because a search in the list is several times faster.
    private static let footerIsListedUntil: Int64 = 4_102_444_800

    init(parsing file: [UInt8]) throws(ZoneError) {
        var reader = TZifReader(bytes: file)
        let content = try reader.content()
        var (transitions, offsets) = (content.transitions, content.offsets)
        if let footer = content.footer, let last = transitions.last {
            var segment = footer.segment(at: last)
            while segment.end < Self.footerIsListedUntil {
                transitions.append(segment.end)
                segment = footer.segment(at: segment.end)
                offsets.append(Int32(segment.offset))
            }
        }
        self.transitions = transitions
        self.offsets = offsets
        footer = content.footer
    }

    /// The period that contains a point in time, given in seconds since 1970.
    func segment(at seconds: Int64) -> Segment {
        // The number of transitions up to that time.
        let passed = transitions.partitioningIndex { $0 > seconds }
        let start = passed == 0 ? Int64.min : transitions[passed - 1]
        guard passed == transitions.count else {
            return Segment(start: start, end: transitions[passed], offset: Int(offsets[passed]))
        }
        guard let footer else { return Segment(start: start, end: .max, offset: Int(offsets[passed])) }
        var segment = footer.segment(at: seconds)
        segment.start = max(segment.start, start)
        return segment
    }

    /// See `Zone.seconds(ofLocal:)`.
    func seconds(ofLocal local: Int64) -> Int64 {
        var segment = segment(at: local - Self.maxOffset)
        var previousOffset = segment.offset
        while true {
            let seconds = local - Int64(segment.offset)
            if seconds < segment.end || segment.end == .max {
                // Before the start of this period, the clock skipped the wanted time.
                return seconds >= segment.start ? seconds : local - Int64(previousOffset)
            }
            previousOffset = segment.offset
            segment = self.segment(at: segment.end)
        }
    }
}

/// Reads the second data block and the footer of a TZif file.
struct TZifReader {
    let bytes: [UInt8]
    private var index = 0

    /// The six counts of a header (RFC 9636, section 3.1), in the order of the file.
    private struct Header {
        var version: UInt8
        var utcIndicators: Int
        var standardIndicators: Int
        var leapSeconds: Int
        var transitions: Int
        var types: Int
        var abbreviationBytes: Int

        /// The bytes of the data block that follows, with times of `timeBytes` bytes.
        func blockBytes(timeBytes: Int) -> Int {
            transitions * (timeBytes + 1) + types * 6 + abbreviationBytes + leapSeconds * (timeBytes + 4)
                + standardIndicators + utcIndicators
        }
    }

    private static let magic = Array("TZif".utf8)
    private static let headerBytes = 44
    /// The valid range of offsets in seconds (RFC 9636, section 3.2).
    private static let offsetRange: ClosedRange<Int64> = -89_999...93_599

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The transitions, the offsets before, between and after them, and the rule after the last one.
    mutating func content() throws(ZoneError) -> (transitions: [Int64], offsets: [Int32], footer: ZoneFooter?) {
        let first = try header()
        guard first.version != 0 else { throw Self.malformed("its version is older than 2") }
        index += first.blockBytes(timeBytes: 4)
        let second = try header()
        guard bytes.count - index >= second.blockBytes(timeBytes: 8) else { throw Self.malformed("it is cut off") }
        guard second.leapSeconds == 0 else { throw Self.malformed("it counts leap seconds") }
        guard second.types > 0 else { throw Self.malformed("it has no offset") }

        let transitions = try times(second.transitions)
        let kinds = bytes[index..<index + second.transitions]
        index += second.transitions
        let types = try typeOffsets(second.types)
        var offsets = [types[0]]
        for kind in kinds {
            guard Int(kind) < types.count else { throw Self.malformed("a transition has no offset") }
            offsets.append(types[Int(kind)])
        }
        index += second.abbreviationBytes + second.standardIndicators + second.utcIndicators
        return (transitions, offsets, try footer())
    }

    private mutating func header() throws(ZoneError) -> Header {
        guard index + Self.headerBytes <= bytes.count, bytes[index..<index + 4].elementsEqual(Self.magic) else {
            throw Self.malformed("it does not begin with TZif")
        }
        let version = bytes[index + 4]
        // Fifteen bytes after the version are reserved.
        index += 20
        var counts: [Int] = []
        for _ in 0..<6 {
            // Every counted item has at least one byte.
            let count = integer(4) & Int64(UInt32.max)
            guard count <= bytes.count else { throw Self.malformed("it is cut off") }
            counts.append(Int(count))
        }
        return Header(
            version: version, utcIndicators: counts[0], standardIndicators: counts[1], leapSeconds: counts[2],
            transitions: counts[3], types: counts[4], abbreviationBytes: counts[5])
    }

    private mutating func times(_ count: Int) throws(ZoneError) -> [Int64] {
        var times: [Int64] = []
        times.reserveCapacity(count)
        for _ in 0..<count {
            let time = integer(8)
            guard times.last.map({ $0 < time }) ?? true else {
                throw Self.malformed("its transitions are out of order")
            }
            times.append(time)
        }
        return times
    }

    private mutating func typeOffsets(_ count: Int) throws(ZoneError) -> [Int32] {
        var offsets: [Int32] = []
        for _ in 0..<count {
            let offset = integer(4)
            guard Self.offsetRange ~= offset else { throw Self.malformed("an offset is out of range") }
            offsets.append(Int32(offset))
            // Skip the flag for summer time and the abbreviation, which are not needed.
            index += 2
        }
        return offsets
    }

    /// Reads a line feed, a POSIX TZ string or nothing, and a line feed.
    private mutating func footer() throws(ZoneError) -> ZoneFooter? {
        guard index < bytes.count, bytes[index] == ASCII.lineFeed, let last = bytes.lastIndex(of: ASCII.lineFeed),
            last > index
        else { throw Self.malformed("it has no footer") }
        let text = Array(bytes[index + 1..<last])
        guard !text.isEmpty else { return nil }
        guard let footer = ZoneFooter(parsing: text) else { throw Self.malformed("the footer is not a TZ string") }
        return footer
    }

    /// The next big-endian two's-complement integer of `count` bytes; the caller has checked that they exist.
    private mutating func integer(_ count: Int) -> Int64 {
        var value: Int64 = bytes[index] >= ASCII.firstNonASCII ? -1 : 0
        for byte in bytes[index..<index + count] { value = value << 8 | Int64(byte) }
        index += count
        return value
    }

    private static func malformed(_ reason: String) -> ZoneError {
        ZoneError(message: "the zone's file is not usable: \(reason)")
    }
}
