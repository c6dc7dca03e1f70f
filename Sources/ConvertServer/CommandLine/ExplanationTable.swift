import ConvertEngine
import ConvertFormats
import ConvertProfiles
import Sockets

/// The payload of `check --explain`, and the table of a profile's effects on it.
struct ExplanationTable {
    /// The name of the payload in messages.
    let name: String
    private let bytes: [UInt8]
    private let direction: Profile.Direction
    private let format: PayloadFormat

    /// Reads the payload that `--explain` names; nil without the option.
    init?(_ settings: Settings) throws(Failure) {
        let direction = try settings.choice(.direction, of: Profile.Direction.self)
        let format = try settings.format(of: .check)
        guard let name = settings.text(.explain) else {
            guard settings.isGiven(.direction) || settings.isGiven(.inputFormat) || settings.isGiven(.ndjson) else {
                return nil
            }
            throw .usage("--direction, --input-format and --ndjson need --explain FILE", command: .check)
        }
        self.name = name
        self.direction = direction ?? .forward
        let payload = try InputFile.contents(of: name)
        let kind = format ?? FilterRun.format(ofFile: name)
        self.format = kind
        do throws(ConversionError) {
            bytes = try kind.json(of: payload, limits: TranslationLimits(Limits()))
        } catch {
            throw Failure(error, in: name)
        }
    }

    func explanation(of file: ProfileFile) throws(Failure) -> Explanation {
        do throws(ProfileError) {
            let profile = try Profile(parsing: file.document)
            return try Explanation(of: profile, on: bytes, direction, framing: format.framing)
        } catch {
            throw Failure(error, in: file.path)
        }
    }

    /// The lines about a profile: its effects, the rules without effect, and the error if the payload cannot be
    /// converted.
    func lines(_ explanation: Explanation, of path: String) -> [String] {
        let count = explanation.groups.reduce(0) { $0 + $1.count }
        let idle = explanation.idleRules
        var lines = ["\(path): \(name): \(count) \(count == 1 ? "effect" : "effects")"]
        if !explanation.groups.isEmpty {
            lines += Self.table([["IN", "OUT", "RULE", "WHAT"]] + explanation.groups.map(Self.row))
        }
        if !idle.isEmpty {
            lines += ["", "  NO EFFECT"] + Self.table(idle.map { [$0.label, $0.reason] })
        }
        return lines + (failure(explanation)?.lines ?? [])
    }

    /// The error if the payload cannot be converted. Positions in its translation mean nothing to the reader.
    func failure(_ explanation: Explanation) -> Failure? {
        guard let fault = explanation.fault else { return nil }
        var hints = PayloadHints(file: name, framing: format.framing)
        hints.note(bytes.span)
        return Failure(fault, in: name, hasPosition: !format.isTranslated, hint: hints.hint(for: fault, in: bytes.span))
    }

    private static func row(_ group: Explanation.Group) -> [String] {
        let times = group.count > 1 ? " ×\(group.count)" : ""
        return [
            shown(group.input) + (group.input == nil ? "" : times),
            shown(group.output) + (group.input == nil ? times : ""),
            group.label, group.what + (group.isVaried ? ", …" : ""),
        ]
    }

    /// A pointer for people: the pointer of the root is empty.
    static func shown(_ pointer: String?) -> String {
        guard let pointer else { return "-" }
        return pointer.isEmpty ? "(root)" : pointer
    }

    /// Rows with aligned columns. Control characters in cells are escaped.
    static func table(_ rows: [[String]]) -> [String] {
        // Before the widths are counted.
        let rows = rows.map { $0.map { SingleLine($0).text } }
        let last = (rows.first?.count ?? 1) - 1
        let widths = (0..<last).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return "  " + (cells + [row[last]]).joined(separator: "  ")
        }
    }
}
