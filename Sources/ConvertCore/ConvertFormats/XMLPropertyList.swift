import ConvertEngine

// A property list in XML:
//
//     list  = "<plist>" value "</plist>"
//     value = dict / array / string / integer / real / true / false / date / data
//     dict  = "<dict>" *( "<key>" text "</key>" value ) "</dict>"
//     array = "<array>" *value "</array>"
//
// First the whole payload is checked to be UTF-8, since an encoding error comes before all others. Then `section` is the position in
// the grammar. `step` is the current kind of input: text between elements, a tag, or the text of the element that began at
// `elementStart`. Each of them may take many calls. A text is passed to `content` portion by portion.

/// Turns a property list in XML into JSON, in one pass.
struct XMLPropertyList: ~Copyable {
    private enum Section {
        case prolog, value, end, epilog
    }

    private enum Step {
        case start, encoding, misc, tag, text
    }

    private struct Open {
        let isDictionary: Bool
        /// Whether the last key still needs its value.
        var hasKey = false
    }

    private var scanner = XMLScanner()
    private var assembler: JSONAssembler
    private var open: [Open] = []
    private var section = Section.prolog
    private var step = Step.start
    /// The offset of the current tag, or of the element whose text is read.
    private var elementStart = 0
    private var element = XMLElement.other
    private var content = XMLContent.string
    /// The next portion of a text.
    private var portion = ByteBuffer()

    init(_ limits: TranslationLimits, payloadBytes: Int) {
        assembler = JSONAssembler(limits, payloadBytes: payloadBytes)
    }

    var heldBytes: Int { assembler.output.count }

    consuming func finish() -> ByteBuffer { assembler.finish() }

    mutating func advance(_ bytes: Span<UInt8>, _ work: inout Int) throws(FormatError) -> Bool {
        do throws(FormatError) {
            while work > 0 {
                if try takeStep(bytes, &work) { return true }
            }
            return false
        } catch {
            var located = error
            located.pointer = assembler.pointer
            throw located
        }
    }

    /// Continues the current step; returns whether the payload is at its end.
    private mutating func takeStep(_ bytes: Span<UInt8>, _ work: inout Int) throws(FormatError) -> Bool {
        switch step {
        case .start:
            try scanner.begin(bytes)
            step = .encoding
        case .encoding:
            if try scanner.checkEncoding(bytes, &work) { step = .misc }
        case .misc:
            guard try scanner.skipMisc(bytes, isProlog: section == .prolog, &work) else { return false }
            if section == .epilog {
                guard scanner.offset == bytes.count else {
                    throw .plist("expected nothing after the property list", at: scanner.offset)
                }
                return true
            }
            elementStart = scanner.offset
            step = .tag
        case .tag:
            guard let tag = try scanner.tag(bytes, &work) else { return false }
            step = .misc
            try take(tag)
        case .text:
            let isWhole = try scanner.text(bytes, of: element, into: &portion, &work)
            content.take(portion, into: &assembler)
            portion.removeAll()
            guard isWhole else { return false }
            step = .misc
            try endText()
        }
        return false
    }

    // MARK: Elements

    private mutating func take(_ tag: XMLScanner.Tag) throws(FormatError) {
        switch section {
        case .prolog:
            guard case .start(.plist, let isEmpty) = tag else {
                throw .plist("expected plist as the outermost element", at: elementStart)
            }
            guard !isEmpty else { throw .plist("expected a value in plist, which is empty", at: elementStart) }
            section = .value
        case .value:
            switch tag {
            case .end(let element): try close(element)
            case .start(let element, let isEmpty): try begin(element, isEmpty: isEmpty)
            }
        case .end:
            guard tag == .end(.plist) else {
                throw .plist("expected the end of plist after its one value", at: elementStart)
            }
            section = .epilog
        case .epilog: preconditionFailure("no tag is read behind the list")
        }
    }

    /// Records that a value, or a key, has ended.
    private mutating func endValue() { if open.isEmpty { section = .end } }

    private mutating func close(_ element: XMLElement) throws(FormatError) {
        guard let last = open.last else { throw .plist("expected a value", at: elementStart) }
        let expected = last.isDictionary ? XMLElement.dict : .array
        guard element == expected else {
            let found = element == .other ? "the end of an unknown element" : "</\(element.rawValue)>"
            throw .plist("expected </\(expected.rawValue)>, found \(found)", at: elementStart)
        }
        guard !last.hasKey else { throw .plist("expected the value of a key", at: elementStart) }
        open.removeLast()
        assembler.close()
        endValue()
    }

    private mutating func begin(_ element: XMLElement, isEmpty: Bool) throws(FormatError) {
        if let last = open.indices.last, open[last].isDictionary {
            if open[last].hasKey {
                open[last].hasKey = false
            } else {
                guard element == .key else { throw .plist("expected a key", at: elementStart) }
                open[last].hasKey = true
                return try beginText(of: element, .name, isEmpty: isEmpty)
            }
        }
        switch element {
        case .dict, .array:
            try assembler.open(isObject: element == .dict, at: elementStart)
            guard isEmpty else { return open.append(Open(isDictionary: element == .dict)) }
            assembler.close()
            endValue()
        case .true, .false: try beginText(of: element, .blank(isBlank: true), isEmpty: isEmpty)
        case .string: try beginText(of: element, .string, isEmpty: isEmpty)
        case .integer: try beginText(of: element, .number(PropertyListNumber(isReal: false)), isEmpty: isEmpty)
        case .real: try beginText(of: element, .number(PropertyListNumber(isReal: true)), isEmpty: isEmpty)
        case .date: try beginText(of: element, .date(PropertyListDate()), isEmpty: isEmpty)
        case .data: try beginText(of: element, .data(Base64Text()), isEmpty: isEmpty)
        case .plist, .key, .other: throw .plist("expected an element of property lists", at: elementStart)
        }
    }

    // MARK: Text

    private mutating func beginText(
        of element: XMLElement, _ content: XMLContent, isEmpty: Bool
    ) throws(FormatError) {
        self.element = element
        self.content = content
        assembler.begin(content.token)
        if isEmpty { try endText() } else { step = .text }
    }

    private mutating func endText() throws(FormatError) {
        guard content.end(element, into: &assembler) else {
            let message =
                element == .true || element == .false
                ? "expected nothing inside \(element.rawValue)"
                : "the content of \(element.rawValue) is not valid, or JSON cannot represent it"
            throw .plist(message, at: elementStart)
        }
        try assembler.end(content.token, at: elementStart)
        endValue()
    }
}
