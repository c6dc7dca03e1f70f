import Glibc
import TestSupport

@testable import ConvertServer
@testable import HTTPServer
@testable import Sockets
@testable import Text

/// `gateway_backend.py`: servers that send exactly the bytes that a test chooses, and record what they receive.
final class ScriptedBackend {
    struct Failure: Error { let log: String }

    /// One request as it arrived.
    struct Request {
        /// The number of its connection, from 0.
        let connection: Int
        let listener: Int
        /// Whether its body arrived completely.
        let isComplete: Bool
        let line: String
        let fields: [(name: String, value: String)]
        let body: [UInt8]

        var method: String { String(line.prefix { $0 != " " }) }
        var target: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
        var text: String { String(decoding: body, as: UTF8.self) }

        /// The values of a field, joined as a list; nil if the field is absent.
        subscript(name: String) -> String? {
            let values = fields.filter { $0.name == name.lowercased() }.map(\.value)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
    }

    /// One connection as the backend sees it.
    struct Connection {
        enum State: String { case open, fin, reset, closed }
        let listener: Int
        let state: State
        let received: [UInt8]
    }

    private static let fixedPorts = 3

    /// The addresses in the format of `servers` in a configuration.
    let servers: [String]
    /// An address that refuses connections.
    let refusing: String
    /// An address that neither accepts nor refuses connections.
    let full: String
    private let child: pid_t
    private let control: RawClient
    private let directory: TemporaryDirectory

    /// Starts this number of servers, and one more on a Unix socket if `unix` is its path. With `hasOnePort` they share one port on
    /// 127.0.0.1, 127.0.0.2 and so on.
    init(listeners: Int = 1, unix: String? = nil, hasOnePort: Bool = false) throws {
        directory = try TemporaryDirectory()
        let log = try directory.write("log", "")
        child = try ChildProcess(
            script: "gateway/gateway_backend.py",
            (hasOnePort ? ["--one-port"] : []) + [String(listeners)] + (unix.map { [$0] } ?? []),
            input: .closed, output: .file(log)
        ).launch()
        let ports = try waitForValue { () -> [Int]? in
            let text = String(decoding: try InputFile(path: log).readAll(maxBytes: 64 * 1024), as: UTF8.self)
            guard text.hasSuffix("\n"), text.hasPrefix("ports ") else { return nil }
            return text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        }
        guard let ports, ports.count == Self.fixedPorts + listeners else {
            kill(child, SIGKILL)
            _ = ChildProcess.end(child)
            throw Failure(log: String(decoding: try InputFile(path: log).readAll(maxBytes: 64 * 1024), as: UTF8.self))
        }
        control = try RawClient("127.0.0.1:\(ports[0])")
        refusing = "http://127.0.0.1:\(ports[1])"
        full = "http://127.0.0.1:\(ports[2])"
        servers =
            ports.dropFirst(Self.fixedPorts).enumerated().map { index, port in
                "http://127.0.0.\(hasOnePort ? index + 1 : 1):\(port)"
            } + (unix.map { ["unix:\($0)"] } ?? [])
    }

    deinit {
        kill(child, SIGKILL)
        _ = ChildProcess.end(child)
    }

    /// Sets the script for the next request, whatever its path.
    func script(listener: Int = -1, _ script: BackendScript) throws { try self.script("*", listener: listener, script) }

    /// Sets the script for the next request with this path.
    func script(_ path: String, listener: Int = -1, _ script: BackendScript) throws {
        _ = try command(script.command(listener: listener, path: path))
    }

    func open(gate name: String) throws { _ = try command(Array("open \(name)\n".utf8)) }

    /// Makes the server refuse connections from now on.
    func down(_ listener: Int) throws { _ = try command(Array("down \(listener)\n".utf8)) }

    func up(_ listener: Int) throws { _ = try command(Array("up \(listener)\n".utf8)) }

    /// Closes the open connections, as a server does after its idle timeout.
    func closeConnections(_ listener: Int = 0) throws { _ = try command(Array("fin \(listener)\n".utf8)) }

    /// All requests so far.
    var requests: [Request] {
        get throws { try requests(from: 0) }
    }

    /// The requests from this number on.
    func requests(from first: Int) throws -> [Request] {
        var reply = Reply(bytes: try command(Array("requests \(first)\n".utf8)))
        var requests: [Request] = []
        while let words = reply.line() {
            let numbers = words.dropFirst().compactMap { Int($0) }
            let head = String(decoding: reply.take(numbers[3]), as: UTF8.self).split(separator: "\r\n")
            let fields = head.dropFirst().map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                let value = parts.count == 2 ? parts[1].trimmingPrefix(" ") : ""
                return (name: parts[0].lowercased(), value: String(value))
            }
            requests.append(
                Request(
                    connection: numbers[0], listener: numbers[1], isComplete: numbers[2] == 1,
                    line: String(head.first ?? ""), fields: fields, body: reply.take(numbers[4])))
        }
        return requests
    }

    /// The most recent request.
    func lastRequest() throws -> Request {
        guard let last = try requests.last else { throw Failure(log: "no request") }
        return last
    }

    var connections: [Connection] {
        get throws {
            var reply = Reply(bytes: try command(Array("connections\n".utf8)))
            var connections: [Connection] = []
            while let words = reply.line() {
                connections.append(
                    Connection(
                        listener: Int(words[1]) ?? -1, state: Connection.State(rawValue: String(words[2])) ?? .closed,
                        received: reply.take(Int(words[3]) ?? 0)))
            }
            return connections
        }
    }

    /// Waits until `condition` is true for the requests; false if it never is.
    func waitsForRequests(until condition: ([Request]) throws -> Bool) throws -> Bool {
        try waits { try condition(requests) }
    }

    /// Waits until `condition` is true for the connections; false if it never is.
    func waitsForConnections(until condition: ([Connection]) -> Bool) throws -> Bool {
        try waits { try condition(connections) }
    }

    /// Sends a command and reads its reply, which begins with its length in bytes.
    private func command(_ bytes: [UInt8]) throws -> [UInt8] {
        try control.send(bytes)
        var reply: [UInt8] = []
        while true {
            if let end = reply.firstIndex(of: ASCII.lineFeed) {
                let count = Int(String(decoding: reply[..<end], as: UTF8.self)) ?? 0
                if reply.count == end + 1 + count { return Array(reply[(end + 1)...]) }
            }
            let more = try control.receive()
            if more.isEmpty { throw Failure(log: "the backend has ended") }
            reply += more
        }
    }

    /// A reply that is being parsed.
    private struct Reply {
        let bytes: [UInt8]
        var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func line() -> [Substring]? {
            guard let end = bytes[position...].firstIndex(of: ASCII.lineFeed) else { return nil }
            defer { position = end + 1 }
            return String(decoding: bytes[position..<end], as: UTF8.self).split(separator: " ").map { $0 }
        }

        mutating func take(_ count: Int) -> [UInt8] {
            defer { position += count }
            return Array(bytes[position..<(position + count)])
        }
    }
}
