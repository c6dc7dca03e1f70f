import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// A converter's output, error and skipped records for a payload that is fed in pieces.
struct ConverterTrial: Equatable {
    var output: [UInt8] = []
    var error: ConversionError?
    private var skipped: [ConversionError.Code: Int] = [:]
    /// The number of lines before the one with the error, and of bytes of their output, when each line has a converter of its own.
    private var (linesBefore, bytesBefore) = (0, 0)

    /// Feeds `payload` in pieces that end at `cuts` (ascending offsets) to a converter that is reset first.
    ///
    /// With `drains` the output is taken out after each piece, as a server does. With `knowsLast` the last piece is given to
    /// `finish`.
    init(
        _ converter: inout Converter, _ payload: [UInt8], cuts: [Int] = [], drains: Bool = false,
        knowsLast: Bool = false
    ) {
        converter.reset()
        var buffer = ByteBuffer()
        do throws(ConversionError) {
            var start = 0
            for end in knowsLast ? cuts : cuts + [payload.count] {
                try converter.convert(payload.span.extracting(start..<end), into: &buffer)
                if drains { drain(&buffer) }
                start = end
            }
            if knowsLast {
                try converter.finish(payload.span.extracting(start...), into: &buffer)
            } else {
                try converter.finish(into: &buffer)
            }
        } catch {
            self.error = error
        }
        drain(&buffer)
        for code in converter.skippedRecordsByCode.codes { skipped[code] = converter.skippedRecordsByCode[code] }
    }

    /// Feeds each line of NDJSON to a converter of its own, up to the first line with an error.
    init(linesAlone payload: [UInt8], _ plan: Plan) {
        var start = 0
        while start < payload.count, error == nil {
            let end = payload[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? payload.count
            let alone = ConverterTrial(plan, Array(payload[start..<end]), framing: .lines)
            output += alone.output
            error = alone.error
            skipped.merge(alone.skipped, uniquingKeysWith: +)
            if error == nil { (linesBefore, bytesBefore) = (linesBefore + 1, output.count) }
            start = end
        }
    }

    /// With `pieceBytes`, buffered objects are written in pieces of that size, and sorted only at the outermost one's end if they
    /// are longer.
    init(
        _ plan: Plan, _ payload: [UInt8], framing: Converter.Framing = .document, cuts: [Int] = [],
        pieceBytes: Int? = nil
    ) {
        var converter = Converter(plan, framing: framing)
        if let pieceBytes {
            converter.setPieceBytes(pieceBytes)
            converter.setMinLongBytes(pieceBytes)
        }
        self.init(&converter, payload, cuts: cuts)
    }

    /// A profile's output for a payload, after a check that the payload fed byte by byte gives the same.
    static func text(
        _ profile: String, _ payload: String, _ direction: Profile.Direction = .forward,
        framing: Converter.Framing = .document
    ) throws -> String {
        let plan = try Profile(parsing: profile).compile(direction)
        let bytes = Array(payload.utf8)
        var converter = Converter(plan, framing: framing)
        let whole = ConverterTrial(&converter, bytes)
        let singly = ConverterTrial(&converter, bytes, cuts: Array(0..<bytes.count))
        #expect(singly.agrees(with: whole), "\(profile) \(payload)")
        return try plan.convert(payload, framing: framing)
    }

    private mutating func drain(_ buffer: inout ByteBuffer) {
        output += [UInt8](buffer)
        buffer.removeAll()
    }

    var skippedRecords: Int { skipped.values.reduce(0, +) }
    var text: String { String(decoding: output, as: UTF8.self) }
    /// Nil after an error.
    var wholeOutput: [UInt8]? { error == nil ? output : nil }

    /// Whether both ended the same way. If both failed, one output must begin with the other, and this one have the lines before the error.
    ///
    /// - Parameter otherWords: whether the errors may differ in all but code, pointer, line and column.
    func agrees(with other: ConverterTrial, otherWords: Bool = false) -> Bool {
        if otherWords {
            guard error?.code == other.error?.code, error?.pointer == other.error?.pointer,
                error?.line == other.error.map({ $0.line + other.linesBefore }), error?.column == other.error?.column
            else { return false }
        } else if error != other.error {
            return false
        }
        if error == nil { return output == other.output && skipped == other.skipped }
        guard output.count >= other.bytesBefore else { return false }
        let common = min(output.count, other.output.count)
        return output.prefix(common) == other.output.prefix(common)
    }
}

extension Plan {
    /// The forward plan of a profile that the test wrote itself.
    static func forward(_ profile: String) throws -> Plan {
        try Profile(parsing: Array(profile.utf8)).compile(.forward)
    }

    /// A plan that changes nothing and allows duplicate keys, since RFC 8259 allows them.
    static func permissive() throws -> Plan {
        try forward(#"{"on": {"duplicateKey": "keep"}}"#)
    }
}

extension Converter {
    /// Sets how many bytes of buffered text are written at a time.
    mutating func setPieceBytes(_ pieceBytes: Int) {
        engine.pieceBytes = pieceBytes
        stages.sorter?.value.pieceBytes = pieceBytes
    }

    /// Sets the number of bytes from which on the members of an object are sorted only at the end of the outermost one.
    mutating func setMinLongBytes(_ minLongBytes: Int) {
        engine.sorting.minLongBytes = minLongBytes
        stages.sorter?.value.sorting.minLongBytes = minLongBytes
    }

    /// Starts a payload with small output pieces and abandons it after `pieces` of them, as a client that disconnects does.
    mutating func leave(_ payload: Span<UInt8>, after pieces: Int) {
        reset()
        setPieceBytes(1 + pieces % 7)
        defer { setPieceBytes(Engine.maxPieceBytes) }
        var output = ByteBuffer()
        do throws(ConversionError) {
            try begin(payload, into: &output)
            for _ in 0..<pieces where isWriting { try continueWriting(into: &output) }
        } catch {
            // The payload is abandoned in any case.
        }
    }
}

extension ConverterTrial: CustomStringConvertible {
    var description: String {
        let written = String(decoding: output.suffix(300), as: UTF8.self)
        guard let error else { return "…\(written)" }
        return "\(error.code.rawValue) \(error.pointer) at \(error.offset) (\(error.line):\(error.column)): "
            + "\(error.message) after …\(written)"
    }
}
