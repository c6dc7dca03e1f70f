import ConvertEngine
import Text

/// The events of `text/event-stream`.
extension PayloadStream {
    private static let defaultName = Array("message".utf8)
    private static let comment = ASCII.colon

    /// Joins the event's data to the payload, and finds its name.
    mutating func readEvent() {
        // The payload gets bytes of the unit, so both cannot belong to `self` meanwhile.
        var data = ByteBuffer()
        swap(&data, &payload)
        defer { swap(&data, &payload) }
        var hasData = false
        var position = markBytes
        while let line = nextLine(at: &position) {
            switch line.field {
            case .data:
                if hasData { data.append(ASCII.carriageReturn) }
                hasData = true
                data.append(unit.bytes.extracting(line.value))
            case .event: name = line.value
            default: break
            }
        }
    }

    /// Whether the current event has this name. An event without a name is a `message`.
    func isNamed(_ text: [UInt8]) -> Bool {
        name.isEmpty ? text == Self.defaultName : unit.bytes.extracting(name).equals(text.span)
    }

    /// Writes the event with other data on its last `data` line, in place of all data lines. Empty data becomes a comment,
    /// and nil does not change the data.
    ///
    /// The last data line keeps its line end, so a carriage return never comes before a line feed that is a line of its
    /// own. For the same reason, a line disappears only if another data line follows it.
    func writeEvent(_ data: Span<UInt8>?, into output: inout ByteBuffer) {
        var last: Int?
        if data != nil {
            var position = markBytes
            while let line = nextLine(at: &position) { if line.field == .data { last = line.start } }
        }
        output.append(unit.bytes.extracting(0..<markBytes))
        var position = markBytes
        while let line = nextLine(at: &position) {
            if let data, line.field == .data {
                if line.start == last {
                    write(data, at: line, into: &output)
                } else if isMark(at: line.next) {
                    // Without a line before it, this mark could become the one at the beginning of the stream.
                    output.append(Self.comment)
                    output.append(unit.bytes.extracting(line.value.upperBound..<line.next))
                }
            } else if rule.withholds, line.field == .comment || line.field == .unknown {
                // Clients ignore comments and unknown fields, so a comment without text can replace them.
                output.append(Self.comment)
                output.append(unit.bytes.extracting(line.value.upperBound..<line.next))
            } else {
                output.append(unit.bytes.extracting(line.start..<line.next))
            }
        }
    }

    private func write(_ data: Span<UInt8>, at line: EventLine, into output: inout ByteBuffer) {
        let lineEnd = line.value.upperBound..<line.next
        if data.isEmpty {
            output.append(Self.comment)
        } else {
            writeName(of: line, into: &output)
            for index in data.indices {
                guard data[index] == ASCII.lineFeed else {
                    output.append(data[index])
                    continue
                }
                if line.isEnded {
                    output.append(unit.bytes.extracting(lineEnd))
                } else {
                    output.append(ASCII.lineFeed)
                }
                writeName(of: line, into: &output)
            }
        }
        output.append(unit.bytes.extracting(lineEnd))
    }

    /// Writes the name of a data line with its colon, and with a space if it has one.
    private func writeName(of line: EventLine, into output: inout ByteBuffer) {
        if line.hasColon {
            output.append(unit.bytes.extracting(line.start..<line.value.lowerBound))
        } else {
            output.append(utf8: "data: ")
        }
    }

    func positionInEvent(of offset: Int) -> Position {
        var lineBegin = start
        var rest = offset
        var position = markBytes
        while let line = nextLine(at: &position) {
            if line.field == .data {
                if rest <= line.value.count {
                    let index = line.value.lowerBound + rest
                    return Position(
                        line: lineBegin.line,
                        column: index - line.start + (line.start == markBytes ? markBytes : 0) + 1,
                        offset: start.offset + index)
                }
                rest -= line.value.count + 1
            }
            lineBegin.line += 1
        }
        return lineBegin
    }

    mutating func advanceOverEvent() {
        // The line feed of a line end, if the carriage return before it has ended the previous unit.
        let isRest = unit.count == 1 && unit.bytes[0] == ASCII.lineFeed && endedWithReturn
        var position = 0
        while !isRest, let line = nextLine(at: &position) {
            if line.isEnded { start.line += 1 }
        }
        endedWithReturn = unit.count > 0 && unit.bytes[unit.count - 1] == ASCII.carriageReturn
        start.offset += unit.count
    }

    /// The line at `position`, which moves to the next one; nil at the end of the event.
    private func nextLine(at position: inout Int) -> EventLine? {
        guard position < unit.count else { return nil }
        let line = EventLine(unit.bytes, at: position)
        position = line.next
        return line
    }

    /// The byte order mark at the beginning of the stream.
    private var markBytes: Int { start.offset == 0 && isMark(at: 0) ? ASCII.byteOrderMark.count : 0 }

    private func isMark(at position: Int) -> Bool {
        let mark = ASCII.byteOrderMark
        guard unit.count - position >= mark.count else { return false }
        return unit.bytes.extracting(position..<position + mark.count).equals(mark.span)
    }
}
