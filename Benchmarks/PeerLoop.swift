import ConvertCore
import FoundationEssentials
import Glibc

/// Our side of the comparison with other programs: requests on stdin, and one response line for each on stdout.
///
/// `write TASK FILE OUTPUT` converts once and writes the output; the response is `done`. `time TASK FILE SECONDS` converts for
/// about that long; the response is the number of conversions and their total nanoseconds. TASK is also the path of a profile.
/// See `Benchmarks/peers/README.md`.
enum PeerLoop {
    static func run() throws {
        var documents: [String: Document] = [:]
        // Each request has a converter of its own, as each sample of `BenchmarkCase`.
        var works: [EngineWork] = []
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 4 else { throw BenchmarkFailure("no request: \(line)") }
            let document = try documents[words[2]] ?? Document(path: words[2])
            documents[words[2]] = document
            let work = EngineWork(try plan(of: words[1]), document)
            works.append(work)
            if words[0] == "write" {
                try Data(work.result()).write(to: URL(filePath: words[3]))
                print("done")
            } else {
                let seconds = Double(words[3]) ?? 0
                _ = try time(work, seconds: seconds / 10)
                let (count, nanoseconds) = try time(work, seconds: seconds)
                print(count, nanoseconds)
            }
            fflush(nil)
        }
    }

    /// The plan of a task, or of the profile at a path.
    private static func plan(of task: String) throws -> Plan {
        if let task = EngineWork.Task(rawValue: task) { return try task.plan() }
        return try Profile(parsing: [UInt8](Data(contentsOf: URL(filePath: task)))).compile(.forward)
    }

    /// Times each conversion by itself, as the other programs do.
    private static func time(_ work: EngineWork, seconds: Double) throws -> (count: Int, nanoseconds: Int) {
        let end = now() + Int(seconds * 1e9)
        var (count, nanoseconds) = (0, 0)
        repeat {
            let start = now()
            _ = try work.convert()
            nanoseconds += now() - start
            count += 1
        } while now() < end
        return (count, nanoseconds)
    }

    /// The monotonic clock in nanoseconds, as the others read it.
    private static func now() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
