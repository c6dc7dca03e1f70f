import Conversions
import ConvertEngine
import ConvertProfiles
import Sockets

/// `convert-server convert`: converts a payload by a profile.
struct ConvertCommand {
    /// More jobs than a machine has processors would only cost memory.
    static let jobs = 1...256

    private let filter: FilterRun

    init(_ settings: Settings, operands: [String]) throws(Failure) {
        let (plan, strictPlan, withholds) = try Self.plans(
            settings, readsStdin: operands.isEmpty || operands.contains("-"))
        let jobs = try settings.integer(.jobs, in: Self.jobs) ?? 1
        var filter = try FilterRun(plan, settings, operands: operands, of: .convert, jobs: jobs)
        filter.withholds = withholds
        for option in [CommandOption.rejects, .maxRejects] where settings.isGiven(option) {
            guard strictPlan == nil || !filter.hasLines else { continue }
            throw .usage(
                "--\(option.name) needs --ndjson, and --on-error skip or null, or a profile with `records`",
                command: .convert)
        }
        if let strictPlan, filter.hasLines {
            try Self.check(rejects: settings.text(.rejects), settings, operands: operands)
            let maxCount = try settings.integer(.maxRejects, in: 0...Int.max) ?? .max
            filter.skipping = LineJobs.Skipping(
                strictPlan: strictPlan, log: try BadRecordLog(path: settings.text(.rejects), maxCount: maxCount))
        }
        // The variable is a default for any input. Only the flag is meant for this one.
        if jobs > 1, !filter.hasLines, settings.isGiven(.jobs), let setting = settings[.jobs] {
            throw setting.failure("works with NDJSON only; add --ndjson")
        }
        self.filter = filter
    }

    func run() throws(Failure) -> ExitCode { try filter.run() }

    /// Refuses a file of rejects that the run reads or writes too.
    private static func check(rejects: String?, _ settings: Settings, operands: [String]) throws(Failure) {
        guard let rejects else { return }
        guard rejects != "-" else {
            throw .usage("--rejects needs a file: stdout has the converted lines", command: .convert)
        }
        let inputs = (operands.isEmpty ? ["-"] : operands) + [settings.text(.profile)].compactMap(\.self)
        let files = inputs.map { $0 == "-" ? "/dev/stdin" : $0 } + [settings.outputPath ?? "/dev/stdout"]
        guard let other = files.first(where: { isSameFile($0, rejects) }) else { return }
        throw .usage("--rejects would overwrite `\(other)`, which is read or written too", command: .convert)
    }

    /// Whether two paths lead to one file, which may not be there yet.
    private static func isSameFile(_ first: String, _ second: String) -> Bool {
        if let file = FileIdentity(path: first, followsLinks: true) {
            return file.isRegular && file == FileIdentity(path: second, followsLinks: true)
        }
        let files = [first, second].map { path in
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            let directory = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : "."
            return (FileIdentity(path: directory, followsLinks: true), parts.last)
        }
        return files[0].0 != nil && files[0] == files[1]
    }

    /// The plan, and whether it withholds data. If bad records do not end the conversion, also the same plan with which
    /// they do.
    private static func plans(
        _ settings: Settings, readsStdin: Bool
    ) throws(Failure) -> (plan: Plan, strictPlan: Plan?, withholds: Bool) {
        let keys = try settings.choice(.keys, of: KeyCase.self)
        let dates = settings[.dates]
        let direction = try settings.choice(.direction, of: Profile.Direction.self) ?? .forward
        let file = settings.text(.profile)
        let onError = try settings.choice(.onError, of: RecordPolicy.self)
        guard file != nil || keys != nil || dates != nil || settings.isGiven(.onError) else {
            throw .usage("convert needs --profile, --keys, --dates or --on-error", command: .convert)
        }
        if file == "-", readsStdin {
            throw .usage("the profile and the payload cannot both be stdin", command: .convert)
        }
        var profile = try file.map { file throws(Failure) in try ProfileFile(path: file).profile() }
        if keys != nil || dates != nil {
            profile = try replace(in: profile, keys: keys, dates: dates)
        }
        if let onError { profile = (profile ?? Profile()).replacing(onError: onError) }
        guard let profile else { throw Failure(.internalError, "no profile was made") }
        let limits = try settings.limits()
        do throws(ProfileError) {
            let plan = try profile.compile(direction, limits: limits)
            let withholds = direction == .forward && !profile.withheld.isEmpty
            guard plan.sparesRecords else { return (plan, nil, withholds) }
            return (plan, try profile.replacing(onError: .fail).compile(direction, limits: limits), withholds)
        } catch {
            throw Self.failure(error, file: file, isFromOption: ["keys": keys != nil, "dates": dates != nil])
        }
    }
}

extension ConvertCommand {
    /// The profile with the sections of the command line. Without a profile, these sections are the whole profile.
    private static func replace(
        in profile: Profile?, keys: KeyCase?, dates: Settings.Setting?
    ) throws(Failure) -> Profile {
        let format = dates?.texts.last
        do throws(ProfileError) {
            guard let profile else { return try Profile(keys: keys, dates: format) }
            return try profile.replacing(keys: keys, dates: format)
        } catch {
            // The case was checked before, so only the date format can be wrong.
            let messages = error.faults.map(\.advice)
            guard let dates, let message = messages.first else { throw .optionErrors(messages) }
            throw dates.failure(message)
        }
    }

    /// The reason why the profile cannot be compiled. Sections from options have no position in the file.
    private static func failure(
        _ error: ProfileError, file: String?, isFromOption: [Substring: Bool]
    ) -> Failure {
        guard let file else { return .optionErrors(error.faults.map(\.advice)) }
        return Failure(
            .badConfiguration,
            report: error.faults.map { fault in
                let section = fault.pointer.dropFirst().prefix { $0 != "/" }
                return isFromOption[section] == true
                    ? ReportLine("convert-server: profile: \(fault.advice) (--\(section))")
                    : Failure.line(for: fault, in: file)
            })
    }
}
