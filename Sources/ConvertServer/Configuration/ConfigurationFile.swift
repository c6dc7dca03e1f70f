import ConfigurationReading
import ConvertProfiles
import Gateway
import HTTPSemantics
import HTTPServer
import Sockets
import Text
import Upstreams

/// The file of `--config`: the options of `serve` in camelCase, and the routes and upstreams of the gateway.
struct ConfigurationFile: Sendable {
    static let maxBytes = 1024 * 1024

    /// The path as given, for messages.
    let path: String
    /// The values by option name, for the lowest layer of the settings. Paths have the form that the process can open.
    private(set) var values: [String: (texts: [String], location: DocumentLocation)] = [:]
    private(set) var upstreams: [UpstreamConfiguration] = []
    private(set) var routes: [RouteConfiguration] = []
    /// The profiles that the routes name.
    private(set) var references: [ProfileReference] = []
    /// When the file came or was changed, in seconds since 1970.
    private(set) var changedSeconds: Int64 = 0
    /// All errors of the file. Its values are valid only if there are none.
    private(set) var faults: [ProfileFault] = []

    /// Reads the file, or as much of it as is readable.
    ///
    /// - Parameter isRegular: whether only a regular file is accepted. Another one could block forever.
    init(path: String, isRegular: Bool = false) throws(Failure) {
        let document = try InputFile.contents(of: path, isRegular: isRegular, maxBytes: Self.maxBytes)
        guard document.count <= Self.maxBytes else {
            throw Failure(.badConfiguration, "\(path) is larger than \(Self.maxBytes) bytes")
        }
        self.init(path: path, document: document)
        changedSeconds = DirectoryListing.Entry(path: path, name: path)?.changedSeconds ?? 0
    }

    /// Reads a document. Its relative paths begin at the directory of `path`.
    init(path: String, document: [UInt8]) {
        self.path = path
        let root: SettingsValue
        do throws(ProfileFault) {
            root = try SettingsDocument.parse(document)
        } catch {
            faults = [error]
            return
        }
        let directory = path.lastIndex(of: "/").map { String(path[...$0].dropLast()) }
        var reader = ConfigurationReader(directory: directory.map { $0.isEmpty ? "/." : $0 } ?? "")
        if let members = reader.members(of: root, known: Self.keys, hintForUnknown: Self.keysHint) {
            read(members, &reader)
        }
        references = reader.references
        faults = reader.faults
    }

    /// The options that the file may contain: all but the file's own name.
    private static var options: [CommandOption] { Command.serve.options.filter { $0 != .config } }

    /// The keys of the root. `convert.schema.json` has the same for editors, and a test compares the two.
    static var keys: [String] { options.map(\.member) + ["upstreams", "routes", "$schema"] }

    private static let keysHint =
        "the keys are the options of `serve --help` in camelCase, `upstreams` and `routes`"

    private mutating func read(_ members: ConfigurationReader.Members, _ reader: inout ConfigurationReader) {
        if let value = members["$schema"] { _ = reader.text(value) }
        for option in Self.options {
            guard let value = members[option.member] else { continue }
            if let texts = reader.texts(of: option, value) { values[option.name] = (texts, value.location) }
        }
        if let value = members["upstreams"] { upstreams = reader.upstreams(value) }
        if let value = members["routes"] { routes = reader.routes(value, upstreams: upstreams.map(\.name)) }
    }
}

extension ConfigurationReader {
    /// The texts of an option's value as on the command line; nil if the value has an error.
    fileprivate mutating func texts(of option: CommandOption, _ value: SettingsValue) -> [String]? {
        switch option {
        case .listen, .admin:
            let expected =
                "`ADDR:PORT`, such as `127.0.0.1:8080`, or `unix:PATH`, which `?mode=0660&owner=NAME&group=NAME` may "
                + "follow"
            refuseEmptyList(value, "write \(expected), or leave `\(option.member)` out")
            return list(value, expected: expected) { reader, text in
                guard ListenAddress(text) != nil else { return nil }
                return text.dropping(prefix: "unix:").map { "unix:\(reader.resolved(String($0)))" } ?? text
            }
        case .trustedProxies:
            return list(value, expected: "a network such as `10.0.0.0/8`, an address or `unix`") { _, text in
                var proxies = TrustedProxies()
                return proxies.insert(text) ? text : nil
            }
        case .trustedFields:
            return list(value, expected: "the name of a field about clients, such as `X-Forwarded-For`") { _, text in
                ForwardingFields.isTrustable(text) ? text : nil
            }
        case .profiles: return text(value, expected: "a directory").map { [resolved($0)] }
        case .via:
            guard let name = text(value, expected: "a name") else { return nil }
            guard ViaTrace.isName(name) else {
                return refused(value.location, "`\(name)` is not a name for Via fields", hint: ViaTrace.nameHint)
            }
            return [name]
        case .inlineProfiles: return choice(value, of: InlineProfiles.self).map { [$0.rawValue] }
        case .accessLog:
            if case .boolean(let isOn) = value.content { return [isOn ? "on" : "off"] }
            return choice(value, of: Switch.self).map { [$0.rawValue] }
        default:
            guard let number = ServeNumberOption.all.first(where: { $0.option == option }) else {
                preconditionFailure("the option \(option.name) cannot be in the file")
            }
            return integer(value, in: number.range, option.unit).map { [String($0)] }
        }
    }

    private enum Switch: String, CaseIterable { case on, off }

    /// The strings of a list, each as `read` returns it; nil if one has an error.
    private mutating func list(
        _ value: SettingsValue, expected: String, _ read: (ConfigurationReader, String) -> String?
    ) -> [String]? {
        let written = texts(value, expected: expected)
        var texts: [String] = []
        for (text, element) in written {
            if let text = read(self, text) {
                texts.append(text)
            } else {
                refuse(element.location, "`\(text)` is not \(expected)")
            }
        }
        return texts.count == elements(value).count ? texts : nil
    }
}

extension Failure {
    /// Errors of a configuration file, one line each, in the order of the document.
    init(_ faults: [ProfileFault], inConfiguration file: String) {
        let sorted = faults.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        self.init(.badConfiguration, report: sorted.map { Self.line(for: $0, in: file, code: "config") })
    }
}

extension Settings {
    /// These settings with the file of `--config` below them, if there is one. The file may have errors.
    ///
    /// - Parameter isReload: whether the file was read before, and must be a regular one.
    func readingFile(isReload: Bool = false) throws(Failure) -> Settings {
        guard let path = text(.config) else { return self }
        var settings = self
        // The file has the server's options, also for other commands.
        settings.file = try ConfigurationFile(path: path, isRegular: isReload)
        return settings
    }
}
