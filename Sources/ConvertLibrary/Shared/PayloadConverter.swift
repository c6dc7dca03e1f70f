import ConvertEngine
import ConvertProfiles

/// A converter for payloads one after another. It uses no more memory than its limit.
final class PayloadConverter {
    /// A converter with more storage after a payload is not used for the next one.
    private static let maxKeptBytes = 4 << 20
    /// The most bytes of a payload, so that its positions are numbers: 2 GiB where these have 32 bits.
    private static let maxPayloadBytes = Int.max - maxPieceBytes
    private static let minPieceBytes = 64
    private static let maxPieceBytes = 64 * 1024
    /// The length of a piece is chosen so that its output is hardly longer than this.
    private static let maxPieceOutputBytes = 16 << 20
    /// The most bytes of output of one call: 512 MiB where numbers have 32 bits.
    private static let maxOutputBytes = Int.max / 4

    private let plan: Plan
    private let framing: Converter.Framing
    private let maxHeldBytes: Int
    /// The number of bytes that a piece of a payload should have. The memory is checked after each piece.
    let pieceBytes: Int
    private var converter: Converter
    private var taken = 0
    /// Bad records of this payload, or of the last one if none has begun.
    private(set) var skippedRecords = 0

    /// A converter for one direction of a profile. Like `LoadedProfile.parsing`, it is no initializer.
    static func of(
        _ profile: LoadedProfile, isInverse: Bool, hasLines: Bool
    ) throws(ProfileError) -> PayloadConverter {
        let plan = try profile.plan(isInverse ? .inverse : .forward)
        return PayloadConverter(plan, framing: hasLines ? .lines : .document, maxHeldBytes: profile.limits.maxHeldBytes)
    }

    private init(_ plan: Plan, framing: Converter.Framing, maxHeldBytes: Int) {
        self.plan = plan
        self.framing = framing
        self.maxHeldBytes = maxHeldBytes
        let growth = framing == .lines ? plan.maxGrowth : plan.maxIndentedGrowth
        pieceBytes = max(Self.minPieceBytes, min(Self.maxPieceOutputBytes / growth, Self.maxPieceBytes))
        converter = Converter(plan, framing: framing)
    }

    func convert(_ chunk: Span<UInt8>, isLast: Bool, into output: inout ByteBuffer) throws(ConversionError) {
        var start = 0
        let mayEndFast = isLast && !converter.mayHoldOutput
        while start < (mayEndFast ? chunk.count - pieceBytes : chunk.count) {
            let end = min(start + pieceBytes, chunk.count)
            try converter.begin(chunk.extracting(start..<end), into: &output)
            taken += end - start
            start = end
            try checkMemory(output.count)
            while converter.isWriting {
                try converter.continueWriting(into: &output)
                try checkMemory(output.count)
            }
        }
        if mayEndFast {
            try converter.finish(chunk.extracting(start..<chunk.count), into: &output)
        } else if isLast {
            try converter.finish(into: &output)
        }
        skippedRecords = converter.skippedRecords
    }

    /// Prepares the converter for another payload.
    func reset() {
        taken = 0
        converter.reset()
        if converter.storedBytes > Self.maxKeptBytes { converter = Converter(plan, framing: framing) }
    }

    private func checkMemory(_ outputBytes: Int) throws(ConversionError) {
        if taken > Self.maxPayloadBytes { throw refusal("the payload has more than \(Self.maxPayloadBytes) bytes") }
        if outputBytes > Self.maxOutputBytes {
            throw refusal("one piece of the payload has more than \(Self.maxOutputBytes) bytes of output")
        }
        if converter.heldBytes > maxHeldBytes {
            throw refusal("the payload needs more than \(maxHeldBytes) bytes of memory")
        }
    }

    private func refusal(_ message: String) -> ConversionError {
        ConversionError(
            code: .limit, message: message, offset: taken, line: converter.lineFeedsTaken + 1, column: 1, pointer: "")
    }
}
