import Glibc
import TestSupport

@testable import ConvertServer
@testable import Sockets

/// `convert-server serve` on its own port, ended together with its owner.
final class RunningServer {
    struct Failure: Error { let log: String }

    /// The number of attempts to read the server's first line, and the pause between them in microseconds.
    private static let maxTurns = 1500
    private static let pauseMicroseconds: useconds_t = 20_000

    /// `127.0.0.1:PORT`.
    let address: String
    private let child: pid_t
    private var status: Int32?
    private let log: String
    private let directory: TemporaryDirectory

    /// Starts the server with the example profiles and waits until its log says that it listens.
    init(_ arguments: String...) throws {
        directory = try TemporaryDirectory()
        log = try directory.write("log", "")
        child = try ChildProcess(
            program: BuiltProgram.path,
            arguments: [
                "serve", "--listen", "127.0.0.1:0", "--profiles", "\(BuiltProgram.project)/examples/profiles",
            ] + arguments,
            input: .closed, output: .file(log)
        ).launch()
        var found: String?
        for _ in 0..<Self.maxTurns {
            found = Self.address(in: try Self.read(log))
            if found != nil || ChildProcess.hasEnded(child) { break }
            usleep(Self.pauseMicroseconds)
        }
        guard let found else {
            _ = ChildProcess.end(child)
            throw Failure(log: try Self.read(log))
        }
        address = found
    }

    deinit { _ = end() }

    /// Sends SIGTERM and waits for the end; returns the exit code.
    func end() -> Int32 {
        if status == nil { status = ChildProcess.end(child) }
        return status ?? 0
    }

    private static func read(_ file: String) throws -> String {
        String(decoding: try InputFile(path: file).readAll(maxBytes: 1024 * 1024), as: UTF8.self)
    }

    /// The `127.0.0.1:PORT` in the first complete line.
    private static func address(in log: String) -> String? {
        guard let end = log.firstIndex(of: "\n"), let match = log[..<end].firstMatch(of: /127\.0\.0\.1:[1-9][0-9]*/)
        else { return nil }
        return String(match.output)
    }
}
