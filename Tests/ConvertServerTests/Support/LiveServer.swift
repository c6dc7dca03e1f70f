import Glibc
import TestSupport

@testable import ConvertServer
@testable import Sockets

/// The built program as a server with its own directory of profiles; tests can read its log.
final class LiveServer {
    struct Failure: Error { let log: String }

    /// The number of attempts of a wait, and the pause between them in microseconds.
    private static let maxTurns = 1000
    private static let pauseMicroseconds: useconds_t = 10_000

    /// The first address on which it listens, in a client's notation: `127.0.0.1:PORT` by default.
    var address: String { addresses.first ?? "" }
    private(set) var addresses: [String] = []
    let profiles: TemporaryDirectory
    private let child: pid_t
    private let logFile: String
    private let logDirectory: TemporaryDirectory
    private var status: Int32?

    /// - Parameters:
    ///   - maxDescriptors: the maximum number of open descriptors of the program.
    ///   - prelude: shell commands that run before the shell is replaced by the program.
    init(
        profiles texts: [String: String] = [:], listen: [String] = ["127.0.0.1:0"], maxDescriptors: Int? = nil,
        prelude: String? = nil,
        _ arguments: String...
    ) throws {
        logDirectory = try TemporaryDirectory()
        logFile = try logDirectory.write("log", "")
        profiles = try TemporaryDirectory()
        for (name, text) in texts { _ = try profiles.write("\(name).json", text) }
        var command = [BuiltProgram.path, "serve", "--profiles", profiles.path]
        command += listen.flatMap { ["--listen", $0] } + arguments
        command = Self.command(command, prelude ?? maxDescriptors.map { "ulimit -n \($0)" })
        child = try ChildProcess(
            program: command[0], arguments: Array(command.dropFirst()), input: .closed, output: .file(logFile)
        ).launch()
        addresses = try wait { log in
            let found = log.matches(of: /"message":"listening on [^"]+","address":"(?:http:\/\/)?([^"]+)"\}\n/).map {
                String($0.1)
            }
            return found.count >= listen.count ? found : nil
        }
    }

    /// With its own configuration file, which must listen on one port of 127.0.0.1; `directory` contains the files that it refers to.
    init(
        configuration: String, in directory: TemporaryDirectory, environment: [String: String] = [:],
        maxDescriptors: Int? = nil, _ arguments: [String]
    ) throws {
        logDirectory = try TemporaryDirectory()
        logFile = try logDirectory.write("log", "")
        profiles = directory
        let command = Self.command(
            [BuiltProgram.path, "serve", "--config", configuration] + arguments,
            maxDescriptors.map { "ulimit -n \($0)" })
        child = try ChildProcess(
            program: command[0], arguments: Array(command.dropFirst()), environment: environment, input: .closed,
            output: .file(logFile)
        ).launch()
        addresses = try wait { log in
            log.firstMatch(of: /"message":"listening on [^"]+","address":"(?:http:\/\/)?(127\.0\.0\.1:[0-9]+)"\}\n/).map
            {
                [String($0.1)]
            }
        }
    }

    private static func command(_ command: [String], _ prelude: String?) -> [String] {
        guard let prelude else { return command }
        return ["/bin/sh", "-c", "\(prelude); exec \"$0\" \"$@\""] + command
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

    /// Waits until `find` returns a value for the log.
    func wait<Found>(_ find: (String) -> Found?) throws -> Found {
        for _ in 0..<Self.maxTurns {
            if let found = find(log) { return found }
            if ChildProcess.hasEnded(child) { break }
            usleep(Self.pauseMicroseconds)
        }
        throw Failure(log: log)
    }

    /// Waits until `condition` is true; false if it never is.
    func waits(until condition: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<Self.maxTurns {
            if try condition() { return true }
            usleep(Self.pauseMicroseconds)
        }
        return false
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
            program: "/usr/bin/env", arguments: ["prlimit", "--pid", "\(child)", "--nofile=\(count):\(count)"],
            environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"]
        ).run()
        guard outcome.status == 0 else { throw Failure(log: outcome.errors) }
    }

    /// A client with an active request, whose body `[ ]`, or another of three bytes, is still missing.
    func busyClient(from source: String? = nil) throws -> RawClient {
        let client = try RawClient(address, from: source)
        try client.send("POST /v1/minify HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        let answer = String(decoding: try client.receive(), as: UTF8.self)
        guard HTTPText.status(answer) == 100 else { throw Failure(log: answer) }
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
