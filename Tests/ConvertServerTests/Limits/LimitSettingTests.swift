import HTTPServerTestSupport
import Testing

@testable import ConvertServer
@testable import Gateway
@testable import HTTPServer
@testable import Sockets

/// Every limit and deadline can be set in each of the three ways, and has the documented effect.
struct LimitSettingTests {
    private static let nothing = ProcessEnvironment { _ in nil }

    /// Two or three values in the option's range that are not its default.
    private static func values(of number: ServeNumberOption) -> [Int] {
        let standard = ServerConfiguration()[keyPath: number.path]
        let lower = number.range.lowerBound
        return [lower, lower + 1, number.range.upperBound].filter { $0 != standard }
    }

    private static func file(_ option: CommandOption, _ value: Int) -> ConfigurationFile {
        ConfigurationFile(text: "{\"\(option.member)\": \(value)}")
    }

    @Test func `a flag, a variable and the file set every number`() throws {
        for number in ServeNumberOption.all {
            let option = number.option
            for value in Self.values(of: number) {
                let flagged = Settings(flags: [option.name: [String(value)]], environment: Self.nothing)
                let named = Settings(
                    flags: [:],
                    environment: ProcessEnvironment { $0 == option.variable ? String(value) : nil })
                var filed = Settings(flags: [:], environment: Self.nothing)
                filed.file = Self.file(option, value)
                for settings in [flagged, named, filed] {
                    #expect(try ServerConfiguration(settings)[keyPath: number.path] == value, "\(option.name)")
                }
            }
        }
    }

    /// Pairs of options: the second follows from the first unless it is set.
    private static let derived = ["max-body-bytes max-response-bytes", "max-connections max-connections-per-client"]

    @Test func `no option sets another one's limit`() throws {
        for number in ServeNumberOption.all {
            let value = try #require(Self.values(of: number).first)
            let settings = Settings(
                flags: [number.option.name: [String(value)]], environment: Self.nothing)
            let configuration = try ServerConfiguration(settings)
            for other in ServeNumberOption.all where other.option != number.option {
                if Self.derived.contains("\(number.option.name) \(other.option.name)") { continue }
                #expect(
                    configuration[keyPath: other.path] == ServerConfiguration()[keyPath: other.path],
                    "\(number.option.name), \(other.option.name)")
            }
        }
    }

    @Test func `by default, a response has 16 bodies and a client three quarters of connections`()
        throws
    {
        let rows: [(flags: [String: String], responseBytes: Int, perClient: Int)] = [
            ([:], 16 * 67_108_864, 7500), (["max-body-bytes": "1000"], 16_000, 7500),
            (["max-body-bytes": "0"], 0, 7500), (["max-body-bytes": "1000", "max-response-bytes": "7"], 7, 7500),
            (["max-connections": "100"], 1 << 30, 75), (["max-connections": "3"], 1 << 30, 3),
            (["max-connections": "100", "max-connections-per-client": "0"], 1 << 30, 0),
        ]
        for row in rows {
            let settings = Settings(flags: row.flags.mapValues { [$0] }, environment: Self.nothing)
            let configuration = try ServerConfiguration(settings)
            #expect(configuration.maxResponseBytes == row.responseBytes, "\(row)")
            #expect(configuration.maxConnectionsPerClient == row.perClient, "\(row)")
        }
    }

    @Test func `a changed limit is reported by its key in the file`() {
        let standard = ServerConfiguration()
        #expect(standard.limitsChanged(in: standard).isEmpty)
        for number in ServeNumberOption.all {
            for value in Self.values(of: number) {
                var next = standard
                next[keyPath: number.path] = value
                #expect(standard.limitsChanged(in: next) == [number.option.member])
            }
        }
    }

    @Test func `a changed address is reported by its key, also after a change of the other`() {
        let standard = ServerConfiguration()
        var next = standard
        next.listen = [.unix(path: "a")]
        #expect(next.changesForRestart(since: standard) == ["a change of `listen` needs a restart"])
        next.gateway.admin = [.unix(path: "b")]
        #expect(next.changesForRestart(since: standard) == ["a change of `listen`, `admin` needs a restart"])
        next.listen = standard.listen
        next.maxDepth += 1
        #expect(
            next.changesForRestart(since: standard) == [
                "a change of `admin` needs a restart", "a change of `maxDepth` needs a restart",
            ])
    }

    @Test func `a number outside of its range is refused from flag, variable and file`() {
        for number in ServeNumberOption.all {
            let option = number.option
            for value in [number.range.lowerBound - 1, number.range.upperBound + 1] {
                let flagged = Settings(flags: [option.name: [String(value)]], environment: Self.nothing)
                let named = Settings(
                    flags: [:],
                    environment: ProcessEnvironment { $0 == option.variable ? String(value) : nil })
                for (settings, code) in [(flagged, ExitCode.usage), (named, .badConfiguration)] {
                    let failure = #expect(throws: Failure.self) { try ServerConfiguration(settings) }
                    #expect(failure?.exitCode == code, "\(option.name) \(value)")
                }
                #expect(Self.file(option, value).faults.count == 1, "\(option.name) \(value)")
            }
        }
    }

    @Test func `docs/http.md lists every number and its default`() throws {
        let rows = try Documentation("docs/http.md").text.split(separator: "\n").filter { $0.hasPrefix("| `--") }
        let documented = rows.compactMap { row -> String? in
            let columns = row.matches(of: /`--([a-z-]+)` \| ([0-9]+)/)
            return columns.first.map { "\($0.1) \($0.2)" }
        }
        let known = ServeNumberOption.all.map { "\($0.option.name) \(ServerConfiguration()[keyPath: $0.path])" }
        #expect(documented.sorted() == known.sorted())
    }

    @Test func `the options for times set their deadlines`() throws {
        let flags = [
            "head-seconds": ["3"], "body-seconds": ["5"], "write-seconds": ["7"], "keep-alive-seconds": ["11"],
        ]
        let settings = Settings(flags: flags, environment: Self.nothing)
        let times = HTTPContext(try ServerConfiguration(settings)).times
        let rows: [(Activity, Int)] = [
            (.head(number: 0), 3), (.body(number: 1, transferred: 0), 5), (.sending(taken: 0), 7),
            (.idle(number: 1), 11), (.idle(number: 0), 3),
        ]
        for (activity, seconds) in rows {
            var keeper = DeadlineKeeper()
            let now = MonotonicTime(nanoseconds: 1)
            #expect(keeper.update(activity, at: now, times) == now + seconds, "\(activity)")
        }
    }

    @Test func `by default, there is memory for four bodies`() throws {
        let rows: [(flags: [String: Int], bytes: Int)] = [
            ([:], 268_435_456), (["max-body-bytes": 1000], 268_435_456), (["max-body-bytes": 0], 268_435_456),
            (["max-body-bytes": 1 << 30], 4 << 30), (["max-body-bytes": 1 << 50], 4 << 50),
            (["max-body-bytes": 1 << 30, "max-buffered-bytes": 1 << 20], 1 << 20),
        ]
        for (flags, bytes) in rows {
            let settings = Settings(
                flags: flags.mapValues { [String($0)] }, environment: Self.nothing)
            let configuration = try ServerConfiguration(settings, memoryBytes: nil)
            #expect(configuration.gateway.maxBufferedBytes == bytes)
            #expect(HTTPContext(configuration).configuration.gateway.maxBufferedBytes == bytes)
        }
    }
}
