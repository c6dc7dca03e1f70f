// A property list in XML:
//
//     list  = "<plist>" value "</plist>"
//     value = dict / array / string / integer / real / true / false / date / data
//     dict  = "<dict>" *( "<key>" text "</key>" value ) "</dict>"
//     array = "<array>" *value "</array>"

/// Turns a property list in XML into JSON, in one pass.
struct XMLPropertyList: ~Copyable {
    private struct Open {
        let isDictionary: Bool
        /// Whether a key was read whose value comes next.
        var hasKey = false
    }

    private var scanner: XMLScanner
    private var assembler: JSONAssembler
    private var open: [Open] = []

    static func json(of bytes: [UInt8], _ limits: TranslationLimits) throws(FormatFault) -> [UInt8] {
        var list = XMLPropertyList(
            scanner: try XMLScanner(bytes), assembler: JSONAssembler(limits, payloadBytes: bytes.count))
        do throws(FormatFault) {
            try list.write()
        } catch {
            var placed = error
            placed.pointer = list.assembler.pointer
            throw placed
        }
        return Array(list.assembler.output)
    }

    private init(scanner: XMLScanner, assembler: consuming JSONAssembler) {
        self.scanner = scanner
        self.assembler = assembler
    }

    private mutating func write() throws(FormatFault) {
        try scanner.skipMisc(isProlog: true)
        let start = scanner.offset
        guard try scanner.tag() == .start("plist", isEmpty: false) else {
            throw scanner.fault("expected plist as the outermost element", at: start)
        }
        repeat {
            try scanner.skipMisc()
            try writeNext()
        } while !open.isEmpty
        try scanner.skipMisc()
        let end = scanner.offset
        guard try scanner.tag() == .end("plist") else {
            throw scanner.fault("expected the end of plist after its one value", at: end)
        }
        try scanner.skipMisc()
        guard scanner.isAtEnd else {
            throw scanner.fault("expected nothing after the property list", at: scanner.offset)
        }
    }

    /// Takes a key, a scalar, or the beginning or end of a container.
    private mutating func writeNext() throws(FormatFault) {
        let offset = scanner.offset
        switch try scanner.tag() {
        case .end(let element): try close(element, at: offset)
        case .start(let element, let isEmpty):
            if let last = open.indices.last, open[last].isDictionary {
                if !open[last].hasKey {
                    guard element == "key" else { throw scanner.fault("expected a key", at: offset) }
                    let name = isEmpty ? [] : try scanner.text(of: element)
                    try assembler.name(name, at: offset)
                    open[last].hasKey = true
                    return
                }
                open[last].hasKey = false
            }
            try writeValue(element, isEmpty: isEmpty, at: offset)
        }
    }

    private mutating func close(_ element: String, at offset: Int) throws(FormatFault) {
        guard let last = open.last else { throw scanner.fault("expected a value", at: offset) }
        guard element == (last.isDictionary ? "dict" : "array") else {
            throw scanner.fault("expected the end of another element", at: offset)
        }
        guard !last.hasKey else { throw scanner.fault("expected the value of a key", at: offset) }
        open.removeLast()
        assembler.close()
    }

    private mutating func writeValue(_ element: String, isEmpty: Bool, at offset: Int) throws(FormatFault) {
        switch element {
        case "dict", "array":
            try assembler.open(isObject: element == "dict", at: offset)
            if isEmpty { assembler.close() } else { open.append(Open(isDictionary: element == "dict")) }
        case "true", "false":
            if !isEmpty, !(try scanner.text(of: element)).allSatisfy(PropertyListText.isSpace) {
                throw scanner.fault("expected nothing inside of \(element)", at: offset)
            }
            try assembler.token(Array(element.utf8), at: offset)
        case "string": try assembler.string(isEmpty ? [] : try scanner.text(of: element), at: offset)
        case "integer", "real", "date", "data":
            let text = isEmpty ? [] : try scanner.text(of: element)
            guard let value = Self.scalar(element, text) else {
                throw scanner.fault("what stands in \(element) is none, or none that JSON can hold", at: offset)
            }
            if element == "integer" || element == "real" {
                try assembler.token(value, at: offset)
            } else {
                try assembler.string(value, at: offset)
            }
        default: throw scanner.fault("expected an element of property lists", at: offset)
        }
    }

    private static func scalar(_ element: String, _ text: [UInt8]) -> [UInt8]? {
        var trimmed = text[...].drop(while: PropertyListText.isSpace)
        while let last = trimmed.last, PropertyListText.isSpace(last) { trimmed.removeLast() }
        switch element {
        case "integer": return PropertyListText.integer(trimmed)
        case "real": return PropertyListText.real(trimmed)
        case "date": return PropertyListText.date(trimmed)
        default: return PropertyListText.base64(text)
        }
    }
}
