import APIDescriptions
import Conversions
import ConvertEngine
import ConvertProfiles
import Gateway
import HTTPSemantics
import Sockets
import Text

/// `convert-server openapi`: rewrites the description of an API as clients see it behind a profile.
struct OpenAPICommand {
    /// What the profile converts in its forward direction.
    private enum Traffic: String, CaseIterable {
        case response, request
    }

    /// The most warnings that are written.
    static let maxWarnings = 20

    private let file: String
    private let plans: DescriptionPlans
    /// The reason why requests cannot be converted with the profile; nil if they can.
    private let requestError: String?
    /// Spaces for each level; nil for as many as the description has.
    private let indent: Int?
    private let target: String?

    init(_ settings: Settings, operands: [String]) throws(Failure) {
        guard operands.count < 2 else {
            throw .usage("openapi takes one FILE, not \(operands.count)", command: .openapi)
        }
        file = operands.first ?? "-"
        indent = try settings.integer(.keptIndent, in: MinifyCommand.indents)
        target = settings.outputPath
        if let route = settings.text(.route) {
            for option in [CommandOption.profile, .traffic, .statuses] where settings.isGiven(option) {
                throw .usage("use either --\(option.name) or --route, not both", command: .openapi)
            }
            guard settings[.config] != nil else { throw .usage("--route needs --config FILE", command: .openapi) }
            let described = try DescribedRoute(named: route, settings)
            do throws(ProfileError) {
                (plans, requestError) = (try described.plans(), nil)
            } catch {
                throw Failure(error, in: "route `\(route)`")
            }
            return
        }
        guard let profile = settings.text(.profile) else {
            throw .usage("openapi needs --profile FILE, or --config FILE and --route NAME", command: .openapi)
        }
        guard profile != "-" || file != "-" else {
            throw .usage("the profile and the description cannot both be stdin", command: .openapi)
        }
        let traffic = try settings.choice(.traffic, of: Traffic.self) ?? .response
        (plans, requestError) = try Self.plans(
            try ProfileFile(path: profile), traffic, statuses: try Self.statuses(settings))
    }

    private static func statuses(_ settings: Settings) throws(Failure) -> StatusSet? {
        guard let setting = settings[.statuses], let text = setting.texts.last else { return nil }
        var statuses = StatusSet()
        for element in text.split(separator: ",") where !statuses.insert(String(element)) {
            throw setting.failure("expected statuses such as 2xx,404, found '\(text)'")
        }
        return statuses
    }

    private static func plans(
        _ file: ProfileFile, _ traffic: Traffic, statuses: StatusSet?
    ) throws(Failure) -> (DescriptionPlans, requestError: String?) {
        let profile = try file.profile()
        do throws(ProfileError) {
            guard traffic == .response else {
                let plan = try profile.compile(.inverse)
                return (DescriptionPlans(response: plan, request: plan, statuses: statuses ?? .success), nil)
            }
            let usual = profile.withheld.isEmpty ? StatusSet.success : .all
            let plans = DescriptionPlans(
                response: try profile.compile(.forward), request: try profile.compileUndone(),
                statuses: statuses ?? usual)
            do throws(ProfileError) {
                _ = try profile.compile(.inverse)
            } catch {
                return (plans, error.faults.first?.advice)
            }
            return (plans, nil)
        } catch {
            throw Failure(error, in: file.path)
        }
    }

    func run() throws(Failure) -> ExitCode {
        let text = try InputFile.contents(
            of: file, maxBytes: APIDescription.maxBytes, expected: "a description is a file such as openapi.json")
        let rewritten: APIDescription.Rewritten
        do throws(DescriptionError) {
            rewritten = try APIDescription(text).rewritten(by: plans)
        } catch {
            throw Failure(.badData, lines: ["\(file): openapi: \(error)"])
        }
        if let requestError {
            Console.complain("\(file): warning: no gateway can convert requests with this profile: \(requestError)")
        }
        for warning in rewritten.warnings.prefix(Self.maxWarnings) { Console.complain("\(file): warning: \(warning)") }
        let others = rewritten.warnings.count - Self.maxWarnings
        if others > 0 { Console.complain("\(file): warning: and \(others) more") }
        try Console.print(try formatted(rewritten.text, like: text), to: target)
        return .success
    }

    /// The text with the indentation of the original one, and with two spaces if that was YAML.
    private func formatted(_ text: [UInt8], like original: [UInt8]) throws(Failure) -> [UInt8] {
        let spaces = min(indent ?? Self.indentation(of: original), MinifyCommand.indents.upperBound)
        guard spaces > 0 else { return text }
        do throws(ConversionError) {
            let limits = Limits(maxDepth: Limits.depths.upperBound)
            return try Plan.minify(output: OutputOptions(indent: spaces), limits: limits).convert(text)
        } catch {
            throw Failure(error, in: file)
        }
    }

    /// The spaces before the first key, if it is on a line of its own. Only YAML begins without a brace.
    private static func indentation(of text: [UInt8]) -> Int {
        guard let brace = text.firstIndex(where: { $0 > ASCII.space }), text[brace] == ASCII.openBrace else { return 2 }
        guard let quote = text[brace...].firstIndex(of: ASCII.quote) else { return 0 }
        let between = text[(brace + 1)..<quote]
        guard let line = between.lastIndex(of: ASCII.lineFeed) else { return 0 }
        return between[(line + 1)...].count { $0 == ASCII.space }
    }
}
