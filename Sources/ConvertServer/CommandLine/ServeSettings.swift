/// What `serve` is told, every option resolved to a value.
struct ServeSettings: Hashable {
    var listen = [HealthCommand.defaultAddress]
    /// The directory of the named profiles; none is served when nil.
    var profiles: String?

    var maxHeadBytes = 32 * 1024
    var maxRequestLineBytes = 8 * 1024
    var maxFields = 100
    /// 0 means no limit.
    var maxBodyBytes = 64 * 1024 * 1024
    var maxDepth = 512
    var maxKeyBytes = 64 * 1024
    var maxProfileBytes = 1024 * 1024
    var maxConnections = 10_000
    /// Output that waits before the status line goes out and the body is streamed.
    var commitBytes = 1024 * 1024
    var headSeconds = 10
    /// Time without progress.
    var bodySeconds = 30
    /// Time without progress.
    var writeSeconds = 30
    var keepAliveSeconds = 75
    var drainDelaySeconds = 0
    var drainSeconds = 30
    /// 0 means one a core.
    var loops = 0

    init() {}

    /// Takes every value that a flag, the environment or the file gives.
    init(_ settings: Settings) throws(Failure) {
        if let setting = settings[.listen] {
            guard !setting.texts.isEmpty else { throw setting.fault("names no address") }
            for address in setting.texts where HealthProbe(address) == nil {
                throw setting.fault("'\(address)' is neither ADDR:PORT nor unix:PATH")
            }
            listen = setting.texts
        }
        profiles = settings.text(.profiles)
        for number in Self.numbers {
            if let value = try settings.integer(number.option, in: number.range) { self[keyPath: number.path] = value }
        }
    }
}

extension ServeSettings {
    /// An option whose value is a whole number.
    struct NumberOption {
        let option: CommandOption
        let path: WritableKeyPath<ServeSettings, Int>
        let range: ClosedRange<Int>

        fileprivate init(
            _ name: String, _ path: WritableKeyPath<ServeSettings, Int>, _ range: ClosedRange<Int>,
            _ summary: String
        ) {
            let value = ServeSettings()[keyPath: path]
            option = CommandOption(name, .one("N"), "\(summary) (default \(value))")
            self.path = path
            self.range = range
        }
    }

    /// No limit of a size may be set higher, so that sums of several cannot overflow.
    private static let maxBytes = 1 << 50
    private static let maxSeconds = 24 * 60 * 60

    static var numbers: [NumberOption] {
        [
            NumberOption("max-body-bytes", \.maxBodyBytes, 0...maxBytes, "bytes of a body, 0 for no limit"),
            NumberOption("max-head-bytes", \.maxHeadBytes, 256...(1 << 30), "bytes of a request's head"),
            NumberOption("max-request-line-bytes", \.maxRequestLineBytes, 64...(1 << 30), "bytes of a request line"),
            NumberOption("max-fields", \.maxFields, 1...100_000, "fields of a request's head"),
            NumberOption("max-depth", \.maxDepth, 1...1_000_000, "containers open at one time in a payload"),
            NumberOption("max-key-bytes", \.maxKeyBytes, 1...(1 << 30), "bytes of one name in a payload"),
            NumberOption("max-profile-bytes", \.maxProfileBytes, 2...(1 << 30), "bytes of a profile"),
            NumberOption("max-connections", \.maxConnections, 1...1_000_000, "connections at one time"),
            NumberOption("commit-bytes", \.commitBytes, 0...(1 << 30), "output held back before it is streamed"),
            NumberOption("head-seconds", \.headSeconds, 1...maxSeconds, "time for a request's head"),
            NumberOption("body-seconds", \.bodySeconds, 1...maxSeconds, "time without progress of a body"),
            NumberOption("write-seconds", \.writeSeconds, 1...maxSeconds, "time without progress of an answer"),
            NumberOption("keep-alive-seconds", \.keepAliveSeconds, 1...maxSeconds, "time that a connection may idle"),
            NumberOption(
                "drain-delay-seconds", \.drainDelaySeconds, 0...maxSeconds, "time from SIGTERM to the end of listening"),
            NumberOption(
                "drain-seconds", \.drainSeconds, 0...maxSeconds, "time for requests in flight once listening has ended"),
            NumberOption("loops", \.loops, 0...1024, "event loops, 0 for one a core"),
        ]
    }
}
