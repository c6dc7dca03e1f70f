import ConvertCore
import HTTPWire

/// An upstream's answer on its way through a converter; the original is held as long as it may still have to go on instead.
final class AnswerConversion {
    let converter: BodyConverter
    private let framing: Converter.Framing
    /// The bytes as they came, while `onError` may still ask for them.
    private(set) var original: [UInt8]?
    var commit = CommitRule()

    init(
        _ conversion: ResponseConversion, _ framing: Converter.Framing, coding: ContentCoding, _ pool: ConverterPool
    ) {
        converter = BodyConverter(conversion.recipe, framing, coding: coding, maxDecodedBytes: nil, pool)
        self.framing = framing
        original = conversion.policy.onError == .pass ? [] : nil
    }

    /// Whether the output holds a whole record of NDJSON.
    var hasRecord: Bool { framing == .lines && !converter.unit.output.isEmpty }

    /// What is held back: output and original.
    var heldBytes: Int { converter.unit.output.count + (original?.count ?? 0) }

    func forgetOriginal() { original = nil }

    /// Takes the next bytes as they came.
    func take(_ bytes: Span<UInt8>, _ portion: inout ByteBuffer) throws(Problem) {
        original?.append(span: bytes)
        do throws(Problem) {
            try converter.convert(bytes, &portion)
        } catch {
            throw Self.badAnswer(error)
        }
    }

    /// Ends the answer.
    func finish() throws(Problem) {
        do throws(Problem) {
            try converter.finish()
        } catch {
            throw Self.badAnswer(error)
        }
    }

    /// What is wrong with an answer is the upstream's fault, not the client's.
    private static func badAnswer(_ problem: Problem) -> Problem {
        var problem = problem
        problem.status = 502
        problem.detail = "the upstream's answer cannot be converted: \(problem.detail)"
        problem.fields = []
        return problem
    }
}
