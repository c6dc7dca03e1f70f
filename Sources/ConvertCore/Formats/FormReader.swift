// The fields of a form, as the URL standard reads them (§5.1, `application/x-www-form-urlencoded` parsing):
//
//     form  = [ field ] *( "&" [ field ] )
//     field = name [ "=" value ]                 ; an absent value is empty
//     byte  = "+" (a space) / "%" 2HEXDIG / any other
//
// The standard lets broken percent-encoding and broken UTF-8 through with replacement characters; here they are faults,
// since something would be lost.

/// Turns a form into a JSON object, its values into strings.
struct FormReader {
    private let bytes: [UInt8]

    static func json(of bytes: [UInt8], _ limits: TranslationLimits) throws(FormatFault) -> [UInt8] {
        let reader = FormReader(bytes: bytes)
        var tree = FormTree(limits)
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: ASCII.ampersand) ?? bytes.count
            if start < end { try reader.readField(start..<end, into: &tree) }
            start = end + 1
        }
        var assembler = JSONAssembler(limits, payloadBytes: bytes.count)
        try tree.write(to: &assembler)
        return Array(assembler.output)
    }

    private func readField(_ field: Range<Int>, into tree: inout FormTree) throws(FormatFault) {
        let equals = bytes[field].firstIndex(of: ASCII.equals)
        let name = try decode(field.lowerBound..<(equals ?? field.upperBound))
        let value = try equals.map { place throws(FormatFault) in try decode((place + 1)..<field.upperBound) }
        try tree.insert(value ?? [], named: name, at: field.lowerBound)
    }

    private func decode(_ range: Range<Int>) throws(FormatFault) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            decoded.append(try byte(at: &index, before: range.upperBound))
        }
        if let fault = UTF8Sequence.firstFault(in: decoded) {
            throw FormatFault(code: .form, message: "invalid UTF-8", offset: try offset(of: fault, in: range))
        }
        return decoded
    }

    /// The byte that begins at `index`; moves `index` behind it.
    private func byte(at index: inout Int, before end: Int) throws(FormatFault) -> UInt8 {
        switch bytes[index] {
        case ASCII.plus:
            index += 1
            return ASCII.space
        case ASCII.percent:
            guard index + 2 < end, let high = ASCII.hexValue(bytes[index + 1]),
                let low = ASCII.hexValue(bytes[index + 2])
            else {
                throw FormatFault(
                    code: .form, message: "expected two hexadecimal digits after a percent sign", offset: index)
            }
            index += 3
            return high << 4 | low
        case let plain:
            index += 1
            return plain
        }
    }

    /// Where the decoded byte number `count` of a range is spelled.
    private func offset(of count: Int, in range: Range<Int>) throws(FormatFault) -> Int {
        var index = range.lowerBound
        for _ in 0..<count { _ = try byte(at: &index, before: range.upperBound) }
        return index
    }
}
