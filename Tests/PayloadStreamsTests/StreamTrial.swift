import ConvertEngine
import ConvertProfiles

@testable import PayloadStreams

/// Runs a stream through a converter, in given pieces.
struct StreamTrial {
    var output: [UInt8] = []
    var steps: [PayloadStream.Step] = []
    var error: ConversionError?
    /// The number of bytes that were written before the last piece arrived.
    var early = 0

    static let profile = #"{ "keys": { "case": "camelCase" } }"#

    init(
        _ framing: StreamFraming, _ pieces: [[UInt8]], _ rule: StreamRule = StreamRule(), profile: String = profile,
        maxUnitBytes: Int = PayloadStream.defaultMaxUnitBytes
    ) throws {
        let plan = try Profile(parsing: Array(profile.utf8)).compile(.forward)
        var stream = PayloadStream(framing, rule, maxUnitBytes: maxUnitBytes)
        var converter = Converter(plan, framing: .lines)
        var output = ByteBuffer()
        func settle(
            _ step: PayloadStream.Step, _ stream: inout PayloadStream, _ output: inout ByteBuffer
        ) throws(ConversionError) {
            switch step {
            case .needsInput, .passed: break
            case .notJSON: throw .noObject
            case .payload:
                var converted = ByteBuffer()
                converter.resetForNextLines()
                do throws(ConversionError) {
                    try converter.finish(stream.payload.bytes, into: &converted)
                } catch {
                    guard error.code == .json, !rule.withholds else {
                        var error = error
                        let position = stream.position(of: error.offset)
                        (error.line, error.column, error.offset) = (position.line, position.column, position.offset)
                        throw error
                    }
                    return stream.pass(into: &output)
                }
                if converted.isEmpty {
                    stream.discard(into: &output)
                } else {
                    stream.write(converted.bytes.extracting(0..<converted.count - 1), into: &output)
                }
            }
        }
        do throws(ConversionError) {
            for (index, piece) in pieces.enumerated() {
                if index == pieces.count - 1 { early = output.count }
                var position = 0
                while true {
                    let step = try stream.take(piece.span, at: &position, into: &output)
                    guard step != .needsInput else { break }
                    steps.append(step)
                    try settle(step, &stream, &output)
                }
            }
            while case let step = stream.end(into: &output), step != .needsInput {
                steps.append(step)
                try settle(step, &stream, &output)
            }
        } catch {
            self.error = error
        }
        self.output = Array(output)
    }

    init(_ framing: StreamFraming, _ text: String, _ rule: StreamRule = StreamRule(), profile: String = profile) throws
    {
        try self.init(framing, [Array(text.utf8)], rule, profile: profile)
    }

    var text: String { String(decoding: output, as: UTF8.self) }
}
