//     multipart-body := [preamble CRLF] dash-boundary transport-padding CRLF body-part *( CRLF dash-boundary
//                       transport-padding CRLF body-part ) CRLF dash-boundary "--" transport-padding [CRLF epilogue]
//                       (RFC 2046 §5.1.1, RFC 7578)
//
// The delimiter is CRLF "--" boundary, and CR is only at its beginning. If a match fails after k bytes, those k bytes
// are data. The byte that ended the match can only begin a new one, never continue one. So `matched` is all that must
// be remembered from chunk to chunk. Data is reported in one piece as far as the input goes, even if parts of it look like a
// delimiter. The text is treated as if a CRLF came before it, so that a boundary in the very first line is found
// too. The same applies to a part, whose header may be followed by its delimiter at once.

import Text

/// Parses a multipart body in any pieces.
package struct MultipartParser: Sendable {
    package enum Event: Sendable, Equatable {
        /// All of the input was consumed.
        case needMore
        case part(PartHead)
        /// These bytes of the input belong to the part.
        case data(Range<Int>)
        /// These bytes of `delimiter` belong to the part, although they looked like the beginning of a delimiter.
        case held(Range<Int>)
        case partEnd
        /// The last delimiter has passed. All later bytes are ignored.
        case end
    }

    package struct PartHead: Sendable, Hashable {
        package var name: String?
        package var filename: String?
        package var contentType: String?
    }

    private enum State: Sendable {
        case preamble, data, afterDelimiter, closing, padding, head, done
    }

    static let maxBoundaryBytes = 70
    /// The fields of one part with their line ends.
    static let maxPartHeadBytes = 8 * 1024
    package static let maxParts = 16

    package let delimiter: [UInt8]
    private var state = State.preamble
    private var matched = 2
    /// How many of the matched bytes precede the part or the body. They are not data if the match fails.
    private var implied = 2
    private var line: [UInt8] = []
    private var headBytes = 0
    private var head = PartHead()
    private var partCount = 0

    /// `boundary` is the parameter of Content-Type. Nil if it is invalid.
    package init?(boundary: String) {
        let bytes = Array(boundary.utf8)
        let isValid = bytes.allSatisfy {
            ASCII.isDigit($0) || ASCII.isLetter($0) || "'()+_,-./:=? ".utf8.contains($0)
        }
        guard (1...Self.maxBoundaryBytes).contains(bytes.count), bytes.last != ASCII.space, isValid else { return nil }
        delimiter = [ASCII.carriageReturn, ASCII.lineFeed, ASCII.hyphen, ASCII.hyphen] + bytes
    }

    /// Whether the last delimiter has been seen.
    package var isDone: Bool { state == .done }

    /// Consumes `input` from `position` on until there is an event.
    package mutating func next(_ input: Span<UInt8>, at position: inout Int) throws(Problem) -> Event {
        while position < input.count {
            switch state {
            case .preamble, .data:
                if let event = scan(input, &position) { return event }
            case .afterDelimiter, .closing, .padding:
                let byte = input[position]
                position += 1
                try endDelimiter(byte)
                if state == .done { return .end }
            case .head:
                let byte = input[position]
                position += 1
                if try takeHeadByte(byte) { return .part(head) }
            case .done: position = input.count
            }
        }
        return .needMore
    }

    // MARK: Data

    /// Looks for the delimiter; nil if the input does not decide yet.
    private mutating func scan(_ input: Span<UInt8>, _ position: inout Int) -> Event? {
        let isData = state == .data
        if matched > 0 {
            matchOn(input, &position)
            if matched == delimiter.count { return endData() }
            guard position < input.count else { return nil }
            let held = implied..<matched
            (matched, implied) = (0, 0)
            if isData, !held.isEmpty { return .held(held) }
        }
        let start = position
        while let mark = firstMark(in: input, from: position) {
            position = mark
            matchOn(input, &position)
            if matched == delimiter.count || position == input.count {
                guard isData, mark > start else { return matched == delimiter.count ? endData() : nil }
                // The next call returns the whole delimiter, if it is one.
                if matched == delimiter.count { (position, matched) = (mark, 0) }
                return .data(start..<mark)
            }
            matched = 0
        }
        position = input.count
        return isData && start < position ? .data(start..<position) : nil
    }

    /// Continues the current match, as far as the input equals the delimiter.
    private mutating func matchOn(_ input: Span<UInt8>, _ position: inout Int) {
        while matched < delimiter.count, position < input.count, input[position] == delimiter[matched] {
            position += 1
            matched += 1
        }
    }

    /// The next index of the delimiter's first byte.
    private func firstMark(in input: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while index < input.count, input[index] != delimiter[0] { index += 1 }
        return index < input.count ? index : nil
    }

    private mutating func endData() -> Event? {
        defer { state = .afterDelimiter }
        (matched, implied) = (0, 0)
        return state == .data ? .partEnd : nil
    }

    // MARK: Between data and head

    /// Takes a byte after a delimiter.
    private mutating func endDelimiter(_ byte: UInt8) throws(Problem) {
        switch (state, byte) {
        case (.afterDelimiter, ASCII.hyphen): state = .closing
        case (.closing, ASCII.hyphen): state = .done
        case (.afterDelimiter, ASCII.space), (.afterDelimiter, ASCII.tab): break
        case (.afterDelimiter, ASCII.carriageReturn): state = .padding
        case (.padding, ASCII.lineFeed):
            partCount += 1
            guard partCount <= Self.maxParts else { throw problem("there are too many parts") }
            state = .head
            head = PartHead()
            headBytes = 0
            line.removeAll(keepingCapacity: true)
        default: throw problem("a boundary must be followed by a line end")
        }
    }

    // MARK: Head

    /// Takes one byte of the fields. Returns whether they are complete.
    private mutating func takeHeadByte(_ byte: UInt8) throws(Problem) -> Bool {
        headBytes += 1
        guard headBytes <= Self.maxPartHeadBytes else { throw problem("the fields of a part are too long") }
        guard byte == ASCII.lineFeed else {
            line.append(byte)
            return false
        }
        guard line.last == ASCII.carriageReturn else { throw problem("a part's field does not end with CR LF") }
        line.removeLast()
        if line.isEmpty {
            state = .data
            // If the part is empty, the line end before the data may be the beginning of the delimiter.
            matched = 2
            implied = 2
            return true
        }
        try takeField()
        line.removeAll(keepingCapacity: true)
        return false
    }

    private mutating func takeField() throws(Problem) {
        guard let text = String(validating: line, as: UTF8.self), let colon = text.firstIndex(of: ":") else {
            throw problem("a part's field has no colon or is not UTF-8")
        }
        let value = text[text.index(after: colon)...]
        switch text[..<colon].lowercased() {
        case "content-type":
            let trimmed = value.drop { $0 == " " || $0 == "\t" }
            head.contentType = String(trimmed)
        case "content-disposition":
            var reader = FieldReader(value)
            guard let kind = reader.token(), kind.spells("form-data"),
                let parameters = MediaType.Parameter.list(&reader)
            else {
                throw problem("a part's Content-Disposition is not form-data with parameters")
            }
            head.name = parameters.first { $0.name == "name" }?.value
            head.filename = parameters.first { $0.name == "filename" }?.value
        case "content-transfer-encoding":
            let coding = value.lowercased().filter { $0 != " " && $0 != "\t" }
            guard ["binary", "8bit", "7bit"].contains(coding) else {
                throw problem("a part has a transfer encoding, which RFC 7578 does not allow")
            }
        default: break
        }
    }

    private func problem(_ detail: String) -> Problem { Problem(400, detail, code: "form") }
}
