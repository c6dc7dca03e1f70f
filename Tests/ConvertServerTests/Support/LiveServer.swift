import Glibc
import TestSupport

@testable import ConvertServer
@testable import Sockets

/// The built program as a server with its own directory of profiles; tests can read its log.
final class LiveServer {
    struct Failure: Error { let log: String }

    /// The first address on which it listens, in a client's notation: `127.0.0.1:PORT` by default.
    var address: String { addresses.first ?? "" }
    private(set) var addresses: [String] = []
    let profiles: TemporaryDirectory
    private let child: pid_t
    private let logFile: String
    private let logDirectory: TemporaryDirectory
    private var status: Int32?

    /// - Parameters:
    ///   - texts: the profiles of its directory.
    ///   - directory: an existing directory of profiles that it uses instead.
    ///   - maxDescriptors: the maximum number of open descriptors of the program.
    ///   - prelude: shell commands that run before the shell is replaced by the program.
    convenience init(
        profiles texts: [String: String] = [:], profilesIn directory: String? = nil,
        listen: [String] = ["127.0.0.1:0"], maxDescriptors: Int? = nil, prelude: String? = nil,
        _ arguments: String...
    ) throws {
        let profiles = try TemporaryDirectory()
        for (name, text) in texts { _ = try profiles.write("\(name).json", text) }
        try self.init(
            profiles,
            ["--profiles", directory ?? profiles.path] + listen.flatMap { ["--listen", $0] } + arguments,
            prelude: prelude ?? maxDescriptors.map { "ulimit -n \($0)" }, addressCount: listen.count)
    }

    /// With its own configuration file, which must listen on one port of 127.0.0.1; `directory` contains the files that it refers to.
    convenience init(
        configuration: String, in directory: TemporaryDirectory, environment: [String: String] = [:],
        maxDescriptors: Int? = nil, _ arguments: [String]
    ) throws {
        try self.init(
            directory, ["--config", configuration] + arguments, environment: environment,
            prelude: maxDescriptors.map { "ulimit -n \($0)" }, isPublic: { $0.hasPrefix("127.0.0.1:") })
    }

    /// Starts the program and waits until its log has `addressCount` addresses that are public.
    private init(
        _ profiles: TemporaryDirectory, _ arguments: [String], environment: [String: String] = [:],
        prelude: String? = nil, addressCount: Int = 1, isPublic: @escaping (String) -> Bool = { _ in true }
    ) throws {
        logDirectory = try TemporaryDirectory()
        logFile = try logDirectory.write("log", "")
        self.profiles = profiles
        var command = [BuiltProgram.path, "serve"] + arguments
        if let prelude { command = ["/bin/sh", "-c", "\(prelude); exec \"$0\" \"$@\""] + command }
        child = try ChildProcess(
            program: command[0], arguments: Array(command.dropFirst()), environment: environment, input: .closed,
            output: .file(logFile)
        ).launch()
        addresses = try wait { log in
            let found = log.matches(of: /"message":"listening on [^"]+","address":"(?:http:\/\/)?([^"]+)"\}\n/)
                .map { String($0.1) }.filter(isPublic)
            return found.count >= addressCount ? found : nil
        }
    }

    deinit {
        guard status == nil else { return }
        kill(child, SIGKILL)
        _ = ChildProcess.end(child)
    }

    var log: String {
        let bytes = try? InputFile(path: logFile).readAll(maxBytes: 16 * 1024 * 1024)
        return String(decoding: bytes ?? [], as: UTF8.self)
    }

    /// Waits until `find` returns a value for the log. Throws if it does not, and if the program ends before.
    func wait<Found>(_ find: (String) -> Found?) throws -> Found {
        let found = waitForValue { () -> Result<Found, Failure>? in
            let log = log
            if let found = find(log) { return .success(found) }
            return ChildProcess.hasEnded(child) ? .failure(Failure(log: log)) : nil
        }
        guard let found else { throw Failure(log: log) }
        return try found.get()
    }

    /// The number of open descriptors once it stays constant: some loops may still start after one has already sent a response.
    func restingDescriptorCount() -> Int? {
        var counts: [Int?] = []
        let rests = waits {
            counts.append(measures.descriptorCount)
            return counts.count >= 20 && Set(counts.suffix(20)).count == 1
        }
        return rests ? counts.last ?? nil : nil
    }

    /// Changes the descriptor limit of the running program.
    func limitDescriptors(to count: Int) throws {
        let outcome = try ChildProcess(
            command: "prlimit", ["--pid", "\(child)", "--nofile=\(count):\(count)"]
        ).run()
        guard outcome.status == 0 else { throw Failure(log: outcome.errors) }
    }

    /// A client with an active request, whose body `[ ]`, or another of three bytes, is still missing.
    func busyClient(from source: String? = nil) throws -> RawClient {
        let client = try RawClient(address, from: source)
        try client.send("POST /v1/minify HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        let response = String(decoding: try client.receive(), as: UTF8.self)
        guard HTTPText.status(response) == 100 else { throw Failure(log: response) }
        return client
    }

    var measures: ProcessMeasures { ProcessMeasures(process: child) }

    func signal(_ number: Int32) { kill(child, number) }

    var hasEnded: Bool { ChildProcess.hasEnded(child) }

    /// Waits for the program's end and returns its exit code; nil if it does not end.
    func exitCode() -> Int32? {
        guard waits(until: { hasEnded }) else { return nil }
        let code = ChildProcess.end(child)
        status = code
        return code
    }

    /// The complete response as text for one request on its own connection.
    func ask(_ request: String) throws -> String {
        let client = try RawClient(address)
        try client.send(request)
        return try client.text()
    }

    func get(_ path: String) throws -> String {
        try ask("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    }

    func post(_ path: String, _ body: String, type: String = "application/json") throws -> String {
        try ask(HTTPText.post(path, body, type: type, isLast: true))
    }
}
