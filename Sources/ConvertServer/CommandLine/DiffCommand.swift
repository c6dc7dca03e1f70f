import Conversions
import ConvertEngine
import ConvertFormats
import ConvertProfiles
import PayloadStreams
import Sockets
import Text

/// `convert-server diff`: converts payloads with two profiles, and lists where the outputs differ.
struct DiffCommand {
    /// How the differences are written.
    enum Format: String, CaseIterable {
        case text, json
    }

    private let files: [String]
    private let format: Format
    private let inputFormat: PayloadFormat?
    private let stream: StreamFraming?
    private let limits: Limits
    private let isColored: Bool
    private let old: ComparedProfile
    private let new: ComparedProfile

    init(_ settings: Settings, operands: [String]) throws(Failure) {
        let profiles = settings[.comparedProfiles]?.texts ?? []
        guard profiles.count == 2 else {
            throw .usage("diff needs --profile twice: the old one, then the new one", command: .diff)
        }
        files = operands.isEmpty ? ["-"] : operands
        guard (profiles + files).count(where: { $0 == "-" }) < 2 else {
            throw .usage("stdin is named more than once", command: .diff)
        }
        let direction = try settings.choice(.direction, of: Profile.Direction.self) ?? .forward
        format = try settings.choice(.comparisonFormat, of: Format.self) ?? .text
        inputFormat = try settings.format(of: .diff)
        stream = try settings.streamFraming(of: .diff, format: inputFormat)
        limits = try settings.limits()
        isColored = TerminalStyle.isWanted(on: .output, settings.environment)
        old = try Self.profile(profiles[0], direction, limits)
        new = try Self.profile(profiles[1], direction, limits)
    }

    private static func profile(
        _ path: String, _ direction: Profile.Direction, _ limits: Limits
    ) throws(Failure) -> ComparedProfile {
        let profile = try ProfileFile(path: path).profile()
        do throws(ProfileError) {
            return ComparedProfile(profile, try profile.compile(direction, limits: limits))
        } catch {
            throw Failure(error, in: path)
        }
    }

    /// The numbers of payloads.
    private struct Counts {
        var payloads = 0
        /// Payloads whose outputs differ, or that only one profile can convert.
        var different = 0
        /// Payloads that neither profile can convert.
        var failed = 0
        /// Events and texts that are not JSON.
        var texts = 0

        var same: Int { payloads - different - failed - texts }
    }

    /// Prints the differences of all files together. A payload that neither profile can convert is an error.
    func run() throws(Failure) -> ExitCode {
        var comparison = ProfileComparison(old: old, new: new, .all, explainsAll: true, maxGroups: .max)
        var counts = Counts()
        for file in files {
            let bytes = try InputFile.contents(of: file)
            if let stream {
                try compareStream(bytes, stream, file, &comparison, &counts)
            } else {
                try compare(bytes, file, &comparison, &counts)
            }
        }
        switch format {
        case .text: try Console.print(text(comparison.tally, counts))
        case .json: try Console.print(Self.json(comparison.tally, counts), to: nil)
        }
        if counts.failed > 0 { return .badData }
        return counts.different > 0 ? .negative : .success
    }

    // MARK: Payloads

    private func compare(
        _ bytes: [UInt8], _ file: String, _ comparison: inout ProfileComparison, _ counts: inout Counts
    ) throws(Failure) {
        let format = inputFormat ?? FilterRun.format(ofFile: file)
        let body: [UInt8]
        do throws(ConversionError) {
            body = try format.json(of: bytes, limits: TranslationLimits(limits))
        } catch {
            throw Failure(error, in: file)
        }
        // Blank lines are no payloads, but count for the positions of errors.
        let payloads =
            format.framing == .lines
            ? body.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) : [body[...]]
        for (index, payload) in payloads.enumerated() {
            if format.framing == .lines, payload.allSatisfy(ASCII.isSpace) { continue }
            guard var error = Self.compare(Array(payload), format.framing, &comparison, &counts) else { continue }
            error.line += index
            Failure(error, in: file, hasPosition: !format.isTranslated).lines.forEach(Console.complain)
            counts.failed += 1
        }
    }

    private func compareStream(
        _ bytes: [UInt8], _ framing: StreamFraming, _ file: String, _ comparison: inout ProfileComparison,
        _ counts: inout Counts
    ) throws(Failure) {
        var stream = PayloadStream(framing)
        var output = ByteBuffer()
        var position = 0
        do throws(ConversionError) {
            while true {
                var step = try stream.take(bytes.span, at: &position, into: &output)
                if step == .needsInput { step = stream.end(into: &output) }
                if step == .needsInput { return }
                guard step == .payload else { continue }
                if let error = Self.compare([UInt8](copying: stream.payload.bytes), .lines, &comparison, &counts) {
                    if error.code == .json {
                        counts.texts += 1
                    } else {
                        Failure(error, in: file, hasPosition: false).lines.forEach(Console.complain)
                        counts.failed += 1
                    }
                }
                stream.pass(into: &output)
                output.removeAll()
            }
        } catch {
            throw Failure(error, in: file)
        }
    }

    /// Compares a payload. Returns the error if neither profile can convert it.
    private static func compare(
        _ payload: [UInt8], _ framing: Converter.Framing, _ comparison: inout ProfileComparison, _ counts: inout Counts
    ) -> ConversionError? {
        counts.payloads += 1
        switch comparison.add(payload, framing) {
        case .same: return nil
        case .differs, .error: counts.different += 1
        case .unconvertible(let error): return error
        case .cut: preconditionFailure("without a limit of time, no comparison is cut")
        }
        return nil
    }

    // MARK: Output

    private func text(_ tally: DifferenceTally, _ counts: Counts) -> String {
        var parts = ["\(counts.different) different", "\(counts.same) the same"]
        if counts.texts > 0 { parts.append("\(counts.texts) not JSON") }
        if counts.failed > 0 { parts.append("\(counts.failed) that neither profile converts") }
        var lines = [
            "\(counts.payloads) \(counts.payloads == 1 ? "payload" : "payloads"): \(parts.joined(separator: ", "))"
        ]
        if isColored { lines[0] = TerminalStyle.emphasized(lines[0]) }
        if !tally.groups.isEmpty {
            lines += ExplanationTable.table(
                [["PATH", "DIFFERENCE", "OLD RULE", "NEW RULE"]] + tally.groups.map(Self.row))
        }
        return lines.map { "\($0)\n" }.joined()
    }

    private static func row(_ group: DifferenceTally.Group) -> [String] {
        func side(_ rule: String?, _ error: ConversionError.Code?) -> String {
            let parts = [error?.rawValue, rule].compactMap(\.self)
            return parts.isEmpty ? "-" : parts.joined(separator: ": ")
        }
        return [
            ExplanationTable.shown(group.difference.path) + (group.count > 1 ? " ×\(group.count)" : ""),
            group.difference.kind.rawValue,
            side(group.oldRule, group.difference.oldError), side(group.newRule, group.difference.newError),
        ]
    }

    private static func json(_ tally: DifferenceTally, _ counts: Counts) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("payloads", counts.payloads)
            writer.member("different", counts.different)
            writer.member("same", counts.same)
            writer.member("failed", counts.failed)
            writer.member("notJSON", counts.texts)
            tally.write(to: &writer)
        }
    }
}

extension CommandOption {
    static let comparedProfiles = CommandOption(
        "profile", .many("FILE"), "the two profiles: first the old one, then the new one", letter: "p")
    static let comparisonFormat = CommandOption(
        "format", .one("text|json"), "how the differences are written (default text)")
}
