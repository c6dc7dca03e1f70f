import ConfigurationReading
import ConvertEngine
import ConvertProfiles
import Sockets
import Text

/// The options of one run from all sources. Flags take precedence over the environment, and the environment over the
/// file.
///
/// An empty variable counts as missing.
struct Settings {
    /// An option's text and where it came from.
    struct Setting: Sendable {
        let texts: [String]
        /// The source in messages: `--indent`, `CONVERT_INDENT` or the path of the configuration file.
        let origin: String
        /// The exit code if the text is invalid.
        let exitCode: ExitCode
        /// The value in the configuration file, if it is from there.
        var location: DocumentLocation?

        func failure(_ message: String) -> Failure {
            guard let location else { return Failure(exitCode, "\(origin): \(message)") }
            return Failure([ProfileFault(at: location, message)], inConfiguration: origin)
        }
    }

    let flags: [String: [String]]
    let environment: ProcessEnvironment
    /// The lowest layer.
    var file: ConfigurationFile?

    subscript(option: CommandOption) -> Setting? {
        if let texts = flags[option.name] {
            return Setting(texts: texts, origin: "--\(option.name)", exitCode: .usage)
        }
        if let text = environment[option.variable], !text.isEmpty {
            var texts = [text]
            if case .many = option.value { texts = Self.elements(text) }
            return Setting(texts: texts, origin: option.variable, exitCode: .badConfiguration)
        }
        if let file, let value = file.values[option.name] {
            return Setting(
                texts: value.texts, origin: file.path, exitCode: .badConfiguration, location: value.location)
        }
        return nil
    }

    /// The elements of a variable's list, without the blanks around them.
    private static func elements(_ text: String) -> [String] {
        text.utf8.split(separator: ASCII.comma).map { String(Substring($0.trimmed)) }
    }

    func isGiven(_ option: CommandOption) -> Bool { flags[option.name] != nil }

    func text(_ option: CommandOption) -> String? { self[option]?.texts.last }

    func isOn(_ option: CommandOption) throws(Failure) -> Bool {
        guard let setting = self[option], let text = setting.texts.last else { return false }
        switch text.lowercased() {
        case "true", "1", "yes", "on": return true
        case "false", "0", "no", "off": return false
        default: throw setting.failure("expected on or off (or true, false, yes, no, 1, 0), found '\(text)'")
        }
    }

    /// A whole number within `range`, with the unit of the option if it has one; nil if the option is not set.
    func integer(_ option: CommandOption, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let setting = self[option], let text = setting.texts.last else { return nil }
        guard let number = Quantity.value(of: text, in: option.unit), range.contains(number) else {
            throw setting.failure("expected \(Quantity.expected(in: range, option.unit)), found '\(text)'")
        }
        return number
    }

    /// One of the values of `Value`; nil if the option is not set.
    func choice<Value: RawRepresentable & CaseIterable>(
        _ option: CommandOption, of type: Value.Type
    ) throws(Failure) -> Value? where Value.RawValue == String {
        guard let setting = self[option], let text = setting.texts.last else { return nil }
        if let choice = Value(exactly: text) { return choice }
        let known = Value.allCases.map(\.rawValue)
        let meant = NearestName.nearest(to: text, among: known).map { "did you mean \($0)?" }
        throw setting.failure(
            "'\(text)' is not a valid value; \(meant ?? "valid values: \(known.joined(separator: ", "))")")
    }
}
