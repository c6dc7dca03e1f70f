import ConvertCore

/// The file of `serve --config`: an object whose members are the command's options in camelCase.
struct ConfigurationFile {
    /// The most bytes that a configuration file may have.
    static let maxBytes = 1024 * 1024
    /// Sections of the format that this version cannot act on yet.
    private static let laterMembers: Set<String> = ["upstreams", "routes"]

    /// The values by option name, for the lowest layer of the settings.
    let values: [String: [String]]

    /// Reads the file; every fault in it is reported, not only the first.
    init(path: String, options: [CommandOption]) throws(Failure) {
        let input = try InputFile.open(path)
        let document: [UInt8]
        do throws(SystemCallError) {
            document = try input.readAll(maxBytes: Self.maxBytes)
        } catch {
            throw .unreadable(path, error)
        }
        guard document.count <= Self.maxBytes else {
            throw Failure(.badConfiguration, "\(path) is larger than \(Self.maxBytes) bytes")
        }
        let members: [SettingsDocument.Member]
        do throws(ProfileFault) {
            members = try SettingsDocument(parsing: document).members
        } catch {
            throw Failure(.badConfiguration, lines: [Failure.line(for: error, in: path, code: "config")])
        }
        values = try Self.values(members, options: options.filter { $0 != .config }, path: path)
    }

    private static func values(
        _ members: [SettingsDocument.Member], options: [CommandOption], path: String
    ) throws(Failure) -> [String: [String]] {
        var values: [String: [String]] = [:]
        var faults: [String] = []
        for member in members {
            do throws(ProfileFault) {
                let option = try option(for: member, among: options)
                values[option.name] = member.texts
            } catch {
                faults.append(Failure.line(for: error, in: path, code: "config"))
            }
        }
        guard faults.isEmpty else { throw Failure(.badConfiguration, lines: faults) }
        return values
    }

    private static func option(
        for member: SettingsDocument.Member, among options: [CommandOption]
    ) throws(ProfileFault) -> CommandOption {
        func fault(_ message: String, hint: String? = nil) -> ProfileFault {
            ProfileFault(
                pointer: member.pointer, line: member.line, column: member.column, message: message, hint: hint)
        }
        guard !laterMembers.contains(member.name) else { throw fault("\(member.name) is not supported yet") }
        guard let option = options.first(where: { $0.member == member.name }) else {
            let meant = Spelling.nearest(to: member.name, among: options.map(\.member))
            throw fault("there is no setting \(member.name)", hint: meant.map { "did you mean \($0)?" })
        }
        guard let texts = member.texts else { throw fault("\(member.name) is a text, a number or a list of texts") }
        if case .many = option.value { return option }
        guard texts.count == 1 else { throw fault("\(member.name) takes one value") }
        return option
    }
}

extension Settings {
    /// These settings with the file that `--config` names, if one is named, below them.
    func withConfigurationFile() throws(Failure) -> Settings {
        guard let path = text(.config) else { return self }
        var settings = self
        // The server's options, whichever command asks: the file is one for both.
        settings.addFile(path, values: try ConfigurationFile(path: path, options: Command.serve.options).values)
        return settings
    }
}
