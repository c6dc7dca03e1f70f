import ConvertEngine
import ConvertText

// The fields of a form, as the URL standard reads them (§5.1, `application/x-www-form-urlencoded` parsing):
//
//     form  = [ field ] *( "&" [ field ] )
//     field = name [ "=" value ]                 ; an absent value is empty
//     byte  = "+" (a space) / "%" 2HEXDIG / any other
//
// The standard lets broken percent-encoding and broken UTF-8 through with replacement characters. Here they are errors,
// since they would lose data.
//
// A field goes through the steps in the order of `Step`. Decoding and checking may stop anywhere, because both keep their
// position. A field enters the tree in one step; the limits of its name bound the work. Once the last field is in the tree,
// nothing more of the payload is read, and the tree writes itself.

/// Turns a form into a JSON object whose values are strings.
struct FormReader: ~Copyable {
    private enum Step {
        /// Looking for the next field.
        case field
        case name, nameCheck, value, valueCheck
        /// All fields are in the tree.
        case text
    }

    /// The work for a field, in addition to its bytes.
    private static let fieldWork = 64

    private var tree: FormTree
    private var assembler: JSONAssembler
    private var step = Step.field
    /// The next byte to be read.
    private var index = 0
    /// The range of the current field, and the end of its name. The value begins after the equals sign, which may be absent.
    private var field = 0..<0
    private var nameEnd = 0
    /// The name of the current field, decoded.
    private var name = ByteBuffer()
    /// The start of the current value in the tree's texts.
    private var valueStart = 0
    /// How many bytes of the decoded name or value are known to be UTF-8.
    private var checkedBytes = 0

    init(_ limits: TranslationLimits, payloadBytes: Int) {
        tree = FormTree(limits, payloadBytes: payloadBytes)
        assembler = JSONAssembler(limits, payloadBytes: payloadBytes)
    }

    /// Whether bytes of the payload are still to be read.
    var needsPayload: Bool { step != .text }

    var heldBytes: Int { tree.heldBytes + assembler.output.count }

    consuming func finish() -> ByteBuffer { assembler.finish() }

    mutating func advance(_ payload: Span<UInt8>, _ work: inout Int) throws(FormatError) -> Bool {
        while work > 0 {
            switch step {
            case .field: findField(payload, &work)
            case .name:
                guard try Self.decode(payload, &index, to: nameEnd, into: &name, &work) else { continue }
                step = .nameCheck
            case .nameCheck:
                guard try Self.check(name, from: 0, &checkedBytes, payload, from: field.lowerBound, &work) else {
                    continue
                }
                name.padWithSlack()
                index = min(nameEnd + 1, field.upperBound)
                valueStart = tree.texts.count
                step = .value
            case .value:
                guard try Self.decode(payload, &index, to: field.upperBound, into: &tree.texts, &work) else { continue }
                step = .valueCheck
            case .valueCheck:
                let start = min(nameEnd + 1, field.upperBound)
                guard try Self.check(tree.texts, from: valueStart, &checkedBytes, payload, from: start, &work) else {
                    continue
                }
                work -= Self.fieldWork
                try tree.insert(valueFrom: valueStart, named: name, at: field.lowerBound)
                step = .field
            case .text: return try tree.write(to: &assembler, &work)
            }
        }
        return false
    }

    /// Skips empty fields and finds the bounds of the next one.
    private mutating func findField(_ payload: Span<UInt8>, _ work: inout Int) {
        while index < payload.count, payload[index] == ASCII.ampersand {
            guard work > 0 else { return }
            index += 1
            work -= 1
        }
        guard index < payload.count else {
            tree.endReading()
            step = .text
            return
        }
        field = index..<payload.firstIndex(of: ASCII.ampersand, from: index, to: payload.count)
        nameEnd = payload.firstIndex(of: ASCII.equals, from: index, to: field.upperBound)
        name.removeAll()
        step = .name
    }

    // MARK: Bytes

    /// Decodes the next part of a name or value; returns whether its end is reached.
    private static func decode(
        _ payload: Span<UInt8>, _ index: inout Int, to end: Int, into output: inout ByteBuffer, _ work: inout Int
    ) throws(FormatError) -> Bool {
        let start = index
        let limit = end - index > work ? index + work : end
        while index < limit {
            switch payload[index] {
            case ASCII.plus:
                output.append(ASCII.space)
                index += 1
            case ASCII.percent:
                guard index + 2 < end, let high = ASCII.hexValue(payload[index + 1]),
                    let low = ASCII.hexValue(payload[index + 2])
                else {
                    throw FormatError(
                        code: .form, message: "expected two hexadecimal digits after a percent sign", offset: index)
                }
                output.append(high << 4 | low)
                index += 3
            default:
                index = output.appendRun(
                    of: payload, from: index, to: limit, until: ASCII.percent, or: ASCII.plus, stopsAtControls: false)
            }
        }
        work -= index - start
        return index >= end
    }

    /// Checks the next decoded bytes, which are the end of `buffer`, for UTF-8. Returns whether all of them are checked.
    private static func check(
        _ buffer: borrowing ByteBuffer, from bufferStart: Int, _ checkedBytes: inout Int, _ payload: Span<UInt8>,
        from part: Int, _ work: inout Int
    ) throws(FormatError) -> Bool {
        let decoded = buffer.bytes.extracting(bufferStart..<buffer.count)
        let start = checkedBytes
        let limit = decoded.count - start > work ? start + work : decoded.count
        let (end, isValid) = decoded.checkUTF8(from: start, to: limit)
        guard isValid else {
            throw FormatError(code: .form, message: "invalid UTF-8", offset: offset(of: end, payload, from: part))
        }
        checkedBytes = end
        work -= end - start
        guard end >= decoded.count else { return false }
        checkedBytes = 0
        return true
    }

    /// The payload's offset of the decoded byte number `count`, where the decoded text begins at the offset `start`.
    private static func offset(of count: Int, _ payload: Span<UInt8>, from start: Int) -> Int {
        var index = start
        var left = count
        while left > 0 {
            if payload[index] == ASCII.percent {
                index += 3
                left -= 1
            } else {
                let end = payload.firstIndex(of: ASCII.percent, from: index, to: min(index + left, payload.count))
                left -= end - index
                index = end
            }
        }
        return index
    }
}
