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

    /// The differences, and the numbers of payloads.
    private struct Results: ~Copyable {
        var comparison: ProfileComparison
        var payloads = 0
        /// Payloads whose outputs differ, or that only one profile can convert.
        var different = 0
        /// Payloads that neither profile can convert.
        var failed = 0
        /// Events and texts that are not JSON.
        var texts = 0

        var same: Int { payloads - different - failed - texts }

        /// Compares a payload. Returns the error if neither profile can convert it.
        mutating func add(_ payload: [UInt8], _ framing: Converter.Framing) -> ConversionError? {
            payloads += 1
            switch comparison.add(payload, framing) {
            case .same: return nil
            case .differs, .error: different += 1
            case .unconvertible(let error): return error
            case .cut: preconditionFailure("without a limit of time, no comparison is cut")
            }
            return nil
        }

        mutating func add(_ failure: Failure) {
            failure.lines.forEach(Console.complain)
            failed += 1
        }
    }

    /// Prints the differences of all files together. A payload that neither profile can convert is an error.
    func run() throws(Failure) -> ExitCode {
        var results = Results(
            comparison: ProfileComparison(old: old, new: new, .all, explainsAll: true, maxGroups: .max))
        for file in files {
            let bytes = try InputFile.contents(of: file)
            if let stream {
                try compareStream(bytes, stream, file, &results)
            } else {
                try compare(bytes, file, &results)
            }
        }
        switch format {
        case .text: try Console.print(text(results))
        case .json: try Console.print(Self.json(results), to: nil)
        }
        if results.failed > 0 { return .badData }
        return results.different > 0 ? .negative : .success
    }

    // MARK: Payloads

    private func compare(_ bytes: [UInt8], _ file: String, _ results: inout Results) throws(Failure) {
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
            guard var error = results.add(Array(payload), format.framing) else { continue }
            var hints = PayloadHints(file: file, framing: format.framing)
            hints.note(payload.span)
            let hint = index == 0 && !format.isTranslated ? hints.hint(for: error, in: payload.span) : nil
            error.line += index
            results.add(Failure(error, in: file, hasPosition: !format.isTranslated, hint: hint))
        }
    }

    private func compareStream(
        _ bytes: [UInt8], _ framing: StreamFraming, _ file: String, _ results: inout Results
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
                if let error = results.add([UInt8](copying: stream.payload.bytes), .lines) {
                    if error.code == .json || !stream.isJSON {
                        results.texts += 1
                    } else {
                        results.add(Failure(error, in: file, hasPosition: false))
                    }
                }
                stream.pass(into: &output)
                output.removeAll()
            }
        } catch {
            throw Failure(error, in: file)
        }
    }

    // MARK: Output

    private func text(_ results: borrowing Results) -> String {
        var parts = ["\(results.different) different", "\(results.same) the same"]
        if results.texts > 0 { parts.append("\(results.texts) not JSON") }
        if results.failed > 0 { parts.append("\(results.failed) that neither profile converts") }
        var lines = [
            "\(results.payloads) \(results.payloads == 1 ? "payload" : "payloads"): \(parts.joined(separator: ", "))"
        ]
        if isColored { lines[0] = TerminalStyle.emphasized(lines[0]) }
        if !results.comparison.tally.groups.isEmpty {
            lines += ExplanationTable.table(
                [["PATH", "DIFFERENCE", "OLD RULE", "NEW RULE"]] + results.comparison.tally.groups.map(Self.row))
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

    private static func json(_ results: borrowing Results) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("payloads", results.payloads)
            writer.member("different", results.different)
            writer.member("same", results.same)
            writer.member("failed", results.failed)
            writer.member("notJSON", results.texts)
            results.comparison.tally.write(to: &writer)
        }
    }
}

extension CommandOption {
    static let comparedProfiles = CommandOption(
        "profile", .many("FILE"), "the two profiles: first the old one, then the new one", letter: "p")
    static let comparisonFormat = CommandOption(
        "format", .one("text|json"), "how the differences are written (default text)")
}
