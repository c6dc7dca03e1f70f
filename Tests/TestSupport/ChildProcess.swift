package import Glibc
import Synchronization

@testable import Sockets

/// Runs a program to its end, writes its stdin and collects its output.
///
/// One lock covers making pipes and starting programs, so that tests in parallel do not inherit each other's pipes.
package struct ChildProcess {
    package enum Input {
        case bytes([UInt8])
        /// The same, but a read fails instead of waiting while there are no bytes.
        case nonBlocking([UInt8])
        case file(String)
        case closed
    }

    package enum Output {
        /// The output is collected.
        case pipe
        /// A pipe whose reader is already closed.
        case brokenPipe
        case file(String)
        case closed
    }

    /// How a program ended, and its output.
    package struct Outcome {
        /// The exit code, or the negative number of the signal that ended it.
        package let status: Int32
        package let output: [UInt8]
        package let errors: String
        /// The maximum of resident memory after all input was sent, if the system reports it.
        package let peakResidentKilobytes: Int?

        package var text: String { String(decoding: output, as: UTF8.self) }
        package var errorLines: [Substring] { errors.split(separator: "\n") }
    }

    package struct SpawnError: Error { let number: Int32 }

    /// The time limit of a program in milliseconds, after which it is killed.
    package static let maxMilliseconds: Int32 = 120_000

    package var program: String
    package var arguments: [String]
    package var environment: [String: String] = [:]
    package var input = Input.bytes([])
    package var output = Output.pipe
    private var joinsErrors = false

    package init(
        program: String, arguments: [String], environment: [String: String] = [:], input: Input = .bytes([]),
        output: Output = .pipe
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.input = input
        self.output = output
    }

    /// Starts the program without waiting for its end; its stderr goes to its output.
    package func launch() throws -> pid_t {
        var joined = self
        joined.joinsErrors = true
        return try Self.lock.withLock { _ in try joined.start().child }
    }

    /// Sends SIGTERM to a launched program, waits for its end, and returns its status.
    package static func end(_ child: pid_t) -> Int32 {
        kill(child, SIGTERM)
        return status(of: child)
    }

    /// Whether a launched program has ended by itself; `end` must still be called.
    package static func hasEnded(_ child: pid_t) -> Bool {
        var information = unsafe siginfo_t()
        guard unsafe waitid(P_PID, id_t(child), &information, WEXITED | WNOHANG | WNOWAIT) == 0 else { return true }
        return unsafe information.si_signo == SIGCHLD
    }

    package func run() throws -> Outcome {
        let (child, pipes) = try Self.lock.withLock { _ in try start() }
        pipes.input.reader.close()
        pipes.output.writer.close()
        pipes.errors.writer.close()
        return collect(
            from: child, input: pipes.input.writer, output: pipes.output.reader, errors: pipes.errors.reader)
    }

    private static let lock = Mutex(())

    private func start() throws -> (child: pid_t, pipes: (input: Pipe, output: Pipe, errors: Pipe)) {
        let pipes = (input: try Pipe(ofSockets: true), output: try Pipe(), errors: try Pipe())
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        switch input {
        case .bytes, .nonBlocking:
            unsafe posix_spawn_file_actions_adddup2(&actions, pipes.input.reader.number, STDIN_FILENO)
        case .file(let path): unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDONLY, 0)
        case .closed: unsafe posix_spawn_file_actions_addclose(&actions, STDIN_FILENO)
        }
        switch output {
        case .pipe, .brokenPipe:
            unsafe posix_spawn_file_actions_adddup2(&actions, pipes.output.writer.number, STDOUT_FILENO)
        case .file(let path): unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, path, O_WRONLY, 0)
        case .closed: unsafe posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO)
        }
        let errors = joinsErrors ? STDOUT_FILENO : pipes.errors.writer.number
        unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        if case .nonBlocking = input { pipes.input.reader.makeNonBlocking() }
        if case .brokenPipe = output { pipes.output.reader.close() }
        return (unsafe try spawn(&actions), pipes)
    }

    private func spawn(_ actions: inout posix_spawn_file_actions_t) throws -> pid_t {
        let words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var child: pid_t = 0
        let result = unsafe posix_spawn(&child, program, &actions, nil, words, variables)
        guard result == 0 else { throw SpawnError(number: result) }
        return child
    }

    /// Transfers bytes until the program has closed its outputs, then waits for its end.
    private func collect(from child: pid_t, input: Descriptor, output: Descriptor, errors: Descriptor) -> Outcome {
        var unsent: ArraySlice<UInt8> = []
        switch self.input {
        case .bytes(let bytes), .nonBlocking(let bytes): unsent = bytes[...]
        case .file, .closed: break
        }
        if unsent.isEmpty { input.close() }
        input.makeNonBlocking()
        var collected: [Int32: [UInt8]] = [:]
        var peakResidentKilobytes: Int?
        var open = [output, errors].filter(\.isOpen)
        while !open.isEmpty {
            let watched = open + (input.isOpen ? [input] : [])
            var polls = watched.map {
                pollfd(fd: $0.number, events: Int16($0 === input ? POLLOUT : POLLIN), revents: 0)
            }
            guard unsafe poll(&polls, nfds_t(polls.count), Self.maxMilliseconds) > 0 else {
                kill(child, SIGKILL)
                break
            }
            for (descriptor, poll) in zip(watched, polls) where poll.revents != 0 {
                if descriptor === input {
                    let isTaken = descriptor.write(&unsent)
                    guard !isTaken || unsent.isEmpty else { continue }
                    peakResidentKilobytes = Self.peakResidentKilobytes(of: child)
                    descriptor.close()
                } else if let bytes = descriptor.read() {
                    collected[descriptor.number, default: []] += bytes
                } else {
                    open.removeAll { $0 === descriptor }
                }
            }
        }
        return Outcome(
            status: Self.status(of: child),
            output: collected[output.number] ?? [],
            errors: String(decoding: collected[errors.number] ?? [], as: UTF8.self),
            peakResidentKilobytes: peakResidentKilobytes)
    }

    /// Waits for the program's end.
    private static func status(of child: pid_t) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : -signal
    }

    /// The `VmHWM` line of the process's status.
    private static func peakResidentKilobytes(of child: pid_t) -> Int? {
        guard let status = try? InputFile(path: "/proc/\(child)/status"),
            let bytes = try? status.readAll(maxBytes: 64 * 1024)
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
        return Int(line.filter(\.isNumber))
    }
}

/// The two ends of a pipe.
private struct Pipe {
    let reader: Descriptor
    let writer: Descriptor

    /// Makes a pipe. With a pair of sockets, writing after the reader has closed raises no SIGPIPE in the tests.
    init(ofSockets: Bool = false) throws {
        var ends: [Int32] = [-1, -1]
        let result =
            if ofSockets {
                unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
            } else {
                unsafe pipe(&ends)
            }
        guard result == 0 else { throw ChildProcess.SpawnError(number: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reader = Descriptor(ends[0])
        writer = Descriptor(ends[1])
    }
}

/// A descriptor that records whether it was closed.
private final class Descriptor {
    let number: Int32
    private(set) var isOpen = true

    init(_ number: Int32) { self.number = number }

    deinit { close() }

    func close() {
        if isOpen { _ = Glibc.close(number) }
        isOpen = false
    }

    func makeNonBlocking() {
        if isOpen { _ = fcntl(number, F_SETFL, O_NONBLOCK) }
    }

    /// Writes as many bytes as fit; false if the reader has closed.
    func write(_ bytes: inout ArraySlice<UInt8>) -> Bool {
        let count = unsafe bytes.withUnsafeBytes {
            unsafe send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        bytes = bytes.dropFirst(count)
        return true
    }

    /// The bytes that are available, nil at the end.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
        return count > 0 ? Array(buffer[..<count]) : nil
    }
}
