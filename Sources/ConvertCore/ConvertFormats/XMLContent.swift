import ConvertEngine

/// What becomes of an element's text, which comes in portions.
enum XMLContent {
    case name, string
    /// Nothing but white space: the element says it all.
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

    /// Takes the next portion, which goes into the token that the assembler has begun.
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

    /// Ends the text; false where it is none of what `element` may hold.
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
