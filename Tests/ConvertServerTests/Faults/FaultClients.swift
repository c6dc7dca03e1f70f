import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import Sockets

/// Large numbers of clients, run by a Python script beside the server under test.
enum FaultClients {
    struct Failure: Error { let errors: String }

    /// Whether the tests run at full size, as `CONVERT_FAULTS=full` requests, instead of a size for daily use.
    static let isFull = ProcessEnvironment.process["CONVERT_FAULTS"] == "full"

    /// Runs `count` clients and returns their measurements by name. At full size it also prints them.
    static func run(_ task: String, _ server: LiveServer, count: Int) throws -> [String: Double] {
        let outcome = try ChildProcess(
            script: "reference/fault_clients.py",
            [task, server.address, String(server.measures.process), String(count)]
        ).run()
        guard outcome.status == 0 else { throw Failure(errors: outcome.errors) }
        if isFull { print("\(task) \(count): \(outcome.text.split(separator: "\n").joined(separator: ", "))") }
        let pairs = outcome.text.split(separator: "\n").compactMap { line -> (String, Double)? in
            let words = line.split(separator: " ")
            return words.count == 2 ? Double(words[1]).map { (String(words[0]), $0) } : nil
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// The maximum number of open descriptors for this process's children.
    static var maxDescriptors: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_max)
    }
}
