import ConvertEngine
import ConvertFormats
import ConvertProfiles
import Sockets
import Text

/// `convert-server infer`: proposes a profile from payloads and their expected output.
struct InferCommand {
    /// The default limit of all samples together.
    private static let maxBytes = 16 * 1024 * 1024

    private let inputs: [String]
    private let outputs: [String]
    private let target: String?

    init(_ settings: Settings) throws(Failure) {
        inputs = settings[.sampleInput]?.texts ?? []
        outputs = settings[.sampleOutput]?.texts ?? []
        target = settings.outputPath
        guard !inputs.isEmpty, inputs.count == outputs.count else {
            throw .usage(
                inputs.isEmpty && outputs.isEmpty
                    ? "infer needs --in FILE and --out FILE"
                    : "infer needs an --out FILE for each --in FILE, not \(outputs.count) for \(inputs.count)",
                command: .infer)
        }
    }

    /// Writes the profile, or reports the samples for which no profile was found.
    func run() throws(Failure) -> ExitCode {
        var samples: [ProfileInference.Sample] = []
        var names: [String] = []
        for (input, output) in zip(inputs, outputs) {
            let (payloads, results) = (try Self.payloads(of: input), try Self.payloads(of: output))
            guard payloads.count == results.count else {
                throw Failure(
                    .badData, "\(input) has \(payloads.count) payloads, and \(output) has \(results.count)")
            }
            for (payload, result) in zip(payloads, results) {
                samples.append(ProfileInference.Sample(input: try payload.checked(), output: try result.checked()))
                names.append("\(payload.name) -> \(result.name)")
            }
        }
        let inference = ProfileInference(samples)
        for note in inference.notes { Console.complain("note: \(note)") }
        guard inference.failures.isEmpty else {
            let failed = inference.failures.prefix(10).map { "not explained: \(names[$0])" }
            let count = "\(inference.failures.count) of \(samples.count)"
            throw Failure(
                .badData,
                lines: ["convert-server: no profile was found that explains all samples: it fails for \(count)"]
                    + failed)
        }
        try Console.print(inference.document, to: target)
        return .success
    }

    // MARK: Samples

    private struct Payload {
        let name: String
        let text: [UInt8]
        var isLine = false

        /// The text, if it is JSON.
        func checked() throws(Failure) -> [UInt8] {
            do throws(ConversionError) {
                return try Plan.minify(limits: Limits(maxDepth: ProfileInference.maxDepth)).convert(text)
            } catch {
                let hasMore = !isLine && PayloadHints(file: name, framing: .document).hasSecondText(error, text.span)
                throw Failure(
                    error, in: name, hint: hasMore ? "if each line is one JSON text, name the file *.ndjson" : nil)
            }
        }
    }

    private static func payloads(of path: String) throws(Failure) -> [Payload] {
        let bytes = try InputFile.contents(of: path, maxBytes: maxBytes)
        guard bytes.count <= maxBytes else { throw Failure(.badData, "\(path) is larger than \(maxBytes) bytes") }
        guard FilterRun.format(ofFile: path).framing == .lines else { return [Payload(name: path, text: bytes)] }
        return bytes.split(separator: ASCII.lineFeed).enumerated().map { index, line in
            Payload(name: "\(path), line \(index + 1)", text: Array(line), isLine: true)
        }
    }
}
