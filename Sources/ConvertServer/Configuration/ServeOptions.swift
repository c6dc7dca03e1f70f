import ConfigurationReading
import ConvertEngine
import Gateway
import HTTPSemantics
import HTTPServer
import HTTPWire
import Sockets

/// The options of `serve` whose values are whole numbers, each with its property of the configuration.
struct ServeNumberOption {
    let option: CommandOption
    let path: WritableKeyPath<ServerConfiguration, Int>
    let range: ClosedRange<Int>

    private init(
        _ name: String, _ path: WritableKeyPath<ServerConfiguration, Int>, _ range: ClosedRange<Int>, _ summary: String
    ) {
        let value = ServerConfiguration()[keyPath: path]
        let unit = CommandOption(name, .none, "").unit
        let placeholder = unit.map { $0 == .bytes ? "SIZE" : "TIME" } ?? "N"
        option = CommandOption(name, .one(placeholder), "\(summary) (default \(unit?.text(value) ?? String(value)))")
        self.path = path
        self.range = range
    }

    /// The maximum of every size, so that sums of several cannot overflow.
    private static let maxBytes = 1 << 50
    private static let maxBufferBytes = 1 << 30
    private static let minBufferedBytes = 1024 * 1024
    private static let minHighWaterBytes = 4096
    private static let maxRatio = 1_000_000
    private static let maxRequests = 1_000_000_000
    private static let maxSeconds = 24 * 60 * 60

    static var all: [ServeNumberOption] {
        [
            .init("max-body-bytes", \.maxBodyBytes, 0...maxBytes, "bytes of a body, 0 for no limit"),
            .init("max-decoded-ratio", \.maxDecodedRatio, 1...maxRatio, "decompressed bytes per compressed byte"),
            .init("max-head-bytes", \.maxHeadBytes, 256...maxBufferBytes, "bytes of a request's header"),
            .init("max-request-line-bytes", \.maxRequestLineBytes, 64...maxBufferBytes, "bytes of a request line"),
            .init(
                "max-field-bytes", \.maxFieldBytes, 0...maxBufferBytes,
                "bytes of one header field, 0 for as many as the header may have"),
            .init("max-fields", \.maxFields, 1...100_000, "header fields of a request"),
            .init("max-depth", \.maxDepth, Limits.depths, "nested objects and arrays in a payload"),
            .init("max-key-bytes", \.maxKeyBytes, 1...maxBufferBytes, "bytes of one key in a payload"),
            .init("max-profile-bytes", \.maxProfileBytes, 2...maxBufferBytes, "bytes of a profile"),
            .init(
                "max-response-bytes", \.maxResponseBytes, 0...maxBytes,
                "bytes of one converted payload, 0 for no limit; 16 times --max-body-bytes if that is set"),
            .init(
                "max-request-cpu-seconds", \.maxRequestCPUSeconds, 0...maxSeconds,
                "processor time to convert one payload, 0 for no limit"),
            .init(
                "max-connections", \.maxConnections, 1...1_000_000,
                "connections at one time, less if memory is limited"),
            .init(
                "max-connections-per-client", \.maxConnectionsPerClient, 0...1_000_000,
                "connections of one client address, 0 for no limit; "
                    + "three quarters of --max-connections if that is set"),
            .init(
                "max-requests-per-connection", \.maxRequestsPerConnection, 0...maxRequests,
                "requests on one connection, 0 for no limit"),
            .init(
                "commit-bytes", \.commitBytes, 0...maxBufferBytes,
                "bytes of a response that are buffered before it is streamed"),
            .init(
                "high-water-bytes", \.highWaterBytes, minHighWaterBytes...maxBufferBytes,
                "unsent bytes of a connection before reading stops"),
            .init(
                "upload-high-water-bytes", \.uploadHighWaterBytes, 0...maxBufferBytes,
                "the same limit while the request body is still arriving, if larger"),
            .init(
                "head-seconds", \.times.headSeconds, 1...maxSeconds,
                "time for a request's header, and for the first byte of a connection"),
            .init("body-seconds", \.times.bodySeconds, 1...maxSeconds, "time without progress of a body"),
            .init("write-seconds", \.times.writeSeconds, 1...maxSeconds, "time without progress of a response"),
            .init(
                "min-bytes-per-second", \.times.minBytesPerSecond, 0...maxBufferBytes,
                "bytes of a body that a client sends, or of a response that it accepts, over a minute"),
            .init(
                "keep-alive-seconds", \.times.keepAliveSeconds, 1...maxSeconds,
                "time between two requests of a connection"),
            .init(
                "drain-delay-seconds", \.drainDelaySeconds, 0...maxSeconds, "time from SIGTERM until listening stops"),
            .init("drain-seconds", \.drainSeconds, 0...maxSeconds, "time for requests in flight after that"),
            .init(
                "max-buffered-bytes", \.gateway.maxBufferedBytes, minBufferedBytes...maxBytes,
                "bytes buffered for all connections; 4 times --max-body-bytes if that is more, "
                    + "less if memory is limited"),
            .init("loops", \.loops, 0...1024, "event loops, 0 for one for each processor that the process may use"),
        ]
    }
}

extension CommandOption {
    static let profiles = CommandOption("profiles", .one("DIR"), "the directory of the named profiles, *.json")
    static let inlineProfiles = CommandOption(
        "inline-profiles", .one("on|off|auto"),
        "whether requests may send profiles (default auto: only if every address is loopback or a Unix socket)")
    static let accessLog = CommandOption(
        "access-log", .one("on|off"), "a line of JSON on stdout for each request (default on)")

    static let admin = CommandOption(
        "admin", .many("ADDR:PORT|unix:PATH"),
        "an address for the operator, with all paths of the service; --listen then has /v1/... only")
    static let trustedProxies = CommandOption(
        "trusted-proxies", .many("CIDR|unix"), "proxies whose X-Forwarded-For is used (default none)")
    static let trustedFields = CommandOption(
        "trusted-fields", .many("NAME"),
        "fields about clients that these proxies write themselves (default X-Forwarded-For and X-Forwarded-Proto)")
    static let via = CommandOption("via", .one("NAME"), "the name of the gateway in Via fields (default random)")

    static let serveOptions: [CommandOption] =
        [.config, .listen, .admin, .profiles, .inlineProfiles, .trustedProxies, .trustedFields, .via, .accessLog]
        + ServeNumberOption.all.map(\.option)
}

extension ServerConfiguration {
    /// The defaults with all values from flags, the environment and the file.
    ///
    /// - Parameter memoryBytes: the memory limit of the process.
    init(_ settings: Settings, memoryBytes: Int? = SystemMemory.limitBytes) throws(Failure) {
        self.init()
        if settings[.listen] != nil { listen = try settings.addresses() }
        profilesDirectory = settings.text(.profiles)
        inlineProfiles = try settings.choice(.inlineProfiles, of: InlineProfiles.self) ?? inlineProfiles
        if settings[.accessLog] != nil { writesAccessLog = try settings.isOn(.accessLog) }
        var isSet: Set<WritableKeyPath<ServerConfiguration, Int>> = []
        for number in ServeNumberOption.all {
            guard let value = try settings.integer(number.option, in: number.range) else { continue }
            self[keyPath: number.path] = value
            isSet.insert(number.path)
        }
        memory = MemoryShares(limitBytes: memoryBytes, loops: loopCount)
        if !isSet.contains(\.gateway.maxBufferedBytes) {
            gateway.maxBufferedBytes = memory.maxBufferedBytes(
                standard: max(gateway.maxBufferedBytes, maxBodyBytes * Self.bufferedBodies))
        }
        if !isSet.contains(\.maxConnections) { maxConnections = memory.maxConnections(standard: maxConnections) }
        if !isSet.contains(\.maxResponseBytes) { maxResponseBytes = maxBodyBytes * Self.maxResponseGrowth }
        if !isSet.contains(\.maxConnectionsPerClient) {
            maxConnectionsPerClient = Self.connectionsPerClient(of: maxConnections)
        }
        gateway.admin = try settings.addresses(of: .admin) ?? []
        try settings.refuseSharedAddress(listen: listen, admin: gateway.admin)
        gateway.trustedProxies = try settings.trustedProxies()
        if let setting = settings[.trustedFields] {
            if let text = setting.texts.first(where: { !ForwardingFields.isTrustable($0) }) {
                throw setting.failure("'\(text)' is \(ForwardingFields.notTrustable)")
            }
            gateway.trustedProxies.fields = FieldNames(setting.texts)
        }
        gateway.via = try settings.viaName()
        gateway.upstreams = settings.file?.upstreams ?? []
        gateway.routes = settings.file?.routes ?? []
        gateway.changedSeconds = settings.file?.changedSeconds ?? 0
    }
}

extension ServerConfiguration {
    /// Changes that need a restart: a sentence for the addresses that differ, and one for the other settings.
    func changesForRestart(since known: ServerConfiguration) -> [String] {
        let listen = listen == known.listen ? [] : [CommandOption.listen]
        let admin = gateway.admin == known.gateway.admin ? [] : [CommandOption.admin]
        let changes = [(listen + admin).map(\.member), known.limitsChanged(in: self)].filter { !$0.isEmpty }
        return changes.map { keys in
            "a change of \(keys.map { "`\($0)`" }.joined(separator: ", ")) needs a restart"
        }
    }

    /// The settings, except addresses, that differ in `next` and are read at the start only, by their keys in the
    /// configuration file.
    func limitsChanged(in next: ServerConfiguration) -> [String] {
        let numbers = ServeNumberOption.all.filter { self[keyPath: $0.path] != next[keyPath: $0.path] }.map(\.option)
        let log = writesAccessLog == next.writesAccessLog ? [] : [CommandOption.accessLog]
        let inline = inlineProfiles == next.inlineProfiles ? [] : [CommandOption.inlineProfiles]
        return (numbers + log + inline).map(\.member)
    }
}

extension Settings {
    /// The addresses of the server, at least one; by default the standard address.
    func addresses() throws(Failure) -> [ListenAddress] {
        try addresses(of: .listen) ?? ServerConfiguration().listen
    }

    /// The addresses of an option, at least one; nil if the option is not set.
    func addresses(of option: CommandOption) throws(Failure) -> [ListenAddress]? {
        guard let setting = self[option] else { return nil }
        guard !setting.texts.isEmpty else {
            throw setting.failure("an address is missing; write ADDR:PORT or unix:PATH")
        }
        var addresses: [ListenAddress] = []
        for text in setting.texts {
            guard let address = ListenAddress(text) else {
                let expected =
                    text.hasPrefix("unix:")
                    ? "unix:PATH, or unix:PATH?mode=0660&owner=NAME&group=NAME with the mode in octal digits"
                    : "ADDR:PORT or unix:PATH, such as 127.0.0.1:8080"
                throw setting.failure("expected \(expected), found '\(text)'")
            }
            if case .unix(let path, _) = address, (try? SocketAddress(path: path)) == nil {
                throw setting.failure("the path '\(path)' is too long for a Unix socket; write at most 107 bytes")
            }
            addresses.append(address)
        }
        return addresses
    }

    /// Refuses an address at which two sockets would listen.
    fileprivate func refuseSharedAddress(listen: [ListenAddress], admin: [ListenAddress]) throws(Failure) {
        var known: [(address: ListenAddress, option: CommandOption)] = []
        for (option, addresses) in [(CommandOption.listen, listen), (CommandOption.admin, admin)] {
            for address in addresses {
                if let first = known.first(where: { $0.address.overlaps(address) }), let setting = self[option] {
                    guard first.address.description == address.description else {
                        throw setting.failure(
                            "\(address) overlaps with \(first.address) in `\(first.option.member)`; write another port")
                    }
                    throw setting.failure(
                        first.option == option
                            ? "\(address) is listed twice"
                            : "\(address) is also an address of `listen`; write another one")
                }
                known.append((address, option))
            }
        }
    }

    fileprivate func trustedProxies() throws(Failure) -> TrustedProxies {
        var proxies = TrustedProxies()
        guard let setting = self[.trustedProxies] else { return proxies }
        for text in setting.texts where !proxies.insert(text) {
            throw setting.failure("expected a network such as 10.0.0.0/8, an address or unix, found '\(text)'")
        }
        return proxies
    }

    fileprivate func viaName() throws(Failure) -> String? {
        guard let setting = self[.via], let name = setting.texts.last else { return nil }
        guard ViaTrace.isName(name) else {
            throw setting.failure("'\(name)' is not a name for Via fields: \(ViaTrace.nameHint)")
        }
        return name
    }
}
