import ConvertEngine

/// The action for an element's text, which comes in portions.
enum XMLContent {
    case name, string
    /// Only white space is allowed: the element itself is the value.
    case blank(isBlank: Bool)
    case number(PropertyListNumber)
    case date(PropertyListDate)
    case data(Base64Text)

    var token: JSONAssembler.Token {
        switch self {
        case .name: .name
        case .string, .date, .data: .string
        case .blank, .number: .number
        }
    }

    /// Reads the next portion into the token that the assembler has begun.
    mutating func take(_ portion: borrowing ByteBuffer, into assembler: inout JSONAssembler) {
        let text = portion.bytes
        switch self {
        case .name, .string: assembler.append(text)
        case .blank(let isBlank):
            self = .blank(isBlank: isBlank && text.endOfWhiteSpace(from: 0, to: text.count) == text.count)
        case .number(var number):
            for index in 0..<text.count { number.take(text[index], into: &assembler.output) }
            self = .number(number)
        case .date(var date):
            for index in 0..<text.count { date.take(text[index]) }
            self = .date(date)
        case .data(var data):
            data.take(text, into: &assembler.output)
            self = .data(data)
        }
    }

    /// Ends the text; false if it is not valid in `element`.
    func end(_ element: XMLElement, into assembler: inout JSONAssembler) -> Bool {
        switch self {
        case .name, .string: return true
        case .blank(let isBlank):
            assembler.output.append(utf8: element.rawValue)
            return isBlank
        case .number(var number): return number.end(into: &assembler.output)
        case .date(let date):
            guard let text = date.text else { return false }
            assembler.output.append(text)
            return true
        case .data(let data): return data.isWhole
        }
    }
}
