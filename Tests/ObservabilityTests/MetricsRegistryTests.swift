import ConvertEngine
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Observability
@testable import Sockets
@testable import Telemetry
@testable import Text

struct MetricsRegistryTests {
    private static let secondsPerDay: Int64 = 86400
    private static let nanosecondsPerSecond: Int64 = 1_000_000_000

    /// A server that started one day after 1970 and 5 seconds after its machine.
    private func registry() -> MetricsRegistry {
        MetricsRegistry(
            startedWall: Self.secondsPerDay * Self.nanosecondsPerSecond,
            startedMonotonic: 5 * Self.nanosecondsPerSecond,
            version: "1.2.3")
    }

    private func document(_ registry: MetricsRegistry) throws -> ExpositionDocument {
        try ExpositionDocument(exposition(registry))
    }

    private func exposition(_ registry: MetricsRegistry) -> [UInt8] {
        registry.exposition(
            monotonicNanoseconds: 12_250_000_000,
            process: ProcessStatistics(
                residentBytes: 9_437_184, openDescriptors: 17, maxDescriptors: 1024,
                processorNanoseconds: 1_250_000_000),
            droppedLines: LogSink.Drops(overflow: 4, failure: 2), heldBytes: 65_536,
            servers: [
                ServerReading(
                    upstream: "shop", server: "http://shop:80", address: "10.0.0.1", isHealthy: true),
                ServerReading(upstream: "shop", server: "unix:/run/shop", address: "", isHealthy: false),
            ])
    }

    /// A registry that has used every metric at least once.
    private func busyRegistry() -> MetricsRegistry {
        let registry = registry()
        let shop = registry.label(ofProfile: "shop")
        let first = registry.makeLoopMetrics()
        let second = registry.makeLoopMetrics()
        for metrics in [first, second, second] {
            metrics.count(.acceptedConnections)
            metrics.requestEnded(
                route: .convertByProfile, profile: shop, status: 200, bytesIn: 100, bytesOut: 80, nanoseconds: 420_000)
            metrics.conversionEnded(.ok)
        }
        let server = registry.label(ofServer: "http://shop", of: "shop")
        first.upstreamTook(2_000_000, server)
        second.upstreamTook(3_000_000, server)
        first.count(.closedConnections)
        first.conversionEnded(.failed(.collision))
        first.conversionEnded(.aborted)
        first.count(.skippedRecords, 12)
        first.payloadEnded(.converted, .convertByProfile)
        second.payloadEnded(.converted, .convertByProfile)
        second.payloadEnded(.notJSON, .convertByProfile)
        registry.shadowEnded(.differs, .convertByProfile)
        second.count(.displacedConnections)
        second.count(.refusedAtLimit)
        second.count(.refusedForClient)
        second.count(.refusedExhausted)
        second.count(.refusedExhausted)
        second.requestEnded(status: 404, nanoseconds: 50_000)
        registry.loaded(profiles: 3, isComplete: true, wallNanoseconds: 90_000 * Self.nanosecondsPerSecond)
        registry.loaded(profiles: 2, isComplete: false, wallNanoseconds: 90_060 * Self.nanosecondsPerSecond)
        return registry
    }

    @Test func `a scrape reports the sums of all event loops`() throws {
        let document = try document(busyRegistry())
        let shop = ["route": "/v1/convert/{profile}", "status": "200", "profile": "shop"]
        let rows: [(String, [String: String], String)] = [
            ("convert_requests_total", shop, "3"),
            ("convert_requests_total", ["route": "(unmatched)", "status": "404"], "1"),
            ("convert_request_body_bytes_total", ["route": "/v1/convert/{profile}"], "300"),
            ("convert_response_body_bytes_total", ["route": "/v1/convert/{profile}"], "240"),
            ("convert_request_duration_seconds_sum", ["route": "/v1/convert/{profile}"], "0.00126"),
            ("convert_request_duration_seconds_count", ["route": "/v1/convert/{profile}"], "3"),
            ("convert_conversions_total", ["result": "ok"], "3"),
            ("convert_conversions_total", ["result": "aborted"], "1"),
            ("convert_conversions_total", ["result": "fault", "code": "collision"], "1"),
            ("convert_conversions_total", ["result": "fault", "code": "json"], "0"),
            ("convert_skipped_records_total", [:], "12"),
            ("convert_stream_payloads_total", ["route": "/v1/convert/{profile}", "result": "converted"], "2"),
            ("convert_stream_payloads_total", ["route": "/v1/convert/{profile}", "result": "not-json"], "1"),
            ("convert_stream_payloads_total", ["route": "/v1/convert/{profile}", "result": "passed"], "0"),
            ("convert_connections_open", [:], "2"),
            ("convert_connections_accepted_total", [:], "3"),
            ("convert_connections_displaced_total", [:], "1"),
            ("convert_connections_refused_total", ["reason": "limit"], "1"),
            ("convert_connections_refused_total", ["reason": "client"], "1"),
            ("convert_connections_refused_total", ["reason": "exhausted"], "2"),
            ("convert_buffered_bytes", [:], "65536"),
            ("convert_upstream_duration_seconds_sum", ["upstream": "shop", "server": "http://shop"], "0.005"),
            (
                "convert_upstream_duration_seconds_bucket",
                ["upstream": "shop", "server": "http://shop", "le": "0.0025"], "1"
            ),
            (
                "convert_upstream_server_healthy",
                ["upstream": "shop", "server": "http://shop:80", "address": "10.0.0.1"], "1"
            ),
            ("convert_upstream_server_healthy", ["upstream": "shop", "server": "unix:/run/shop"], "0"),
            ("convert_shadow_total", ["route": "/v1/convert/{profile}", "result": "differs"], "1"),
            ("convert_profile_reloads_total", ["result": "success"], "1"),
            ("convert_profile_reloads_total", ["result": "failure"], "1"),
            ("convert_profiles_loaded", [:], "2"),
            ("convert_profile_last_reload_successful", [:], "0"),
            ("convert_profile_last_reload_timestamp_seconds", [:], "90060"),
            ("convert_profile_last_reload_success_timestamp_seconds", [:], "90000"),
            ("convert_log_dropped_lines_total", ["reason": "overflow"], "4"),
            ("convert_log_dropped_lines_total", ["reason": "failure"], "2"),
            ("convert_build_info", ["version": "1.2.3"], "1"),
            ("convert_uptime_seconds", [:], "7.25"),
            ("process_start_time_seconds", [:], "86400"),
            ("process_cpu_seconds_total", [:], "1.25"),
            ("process_resident_memory_bytes", [:], "9437184"),
            ("process_open_fds", [:], "17"),
            ("process_max_fds", [:], "1024"),
        ]
        for (name, labels, value) in rows { #expect(document.value(name, labels) == value, "\(name) \(labels)") }
        let told = Set(rows.map(\.0).map { $0.replacing("_duration_seconds_sum", with: "_duration_seconds") })
        for family in document.families { #expect(told.contains(family.name), "\(family.name) is untested") }
    }

    @Test func `a server that has just started reports no value that it does not know`() throws {
        let document = try ExpositionDocument(
            registry().exposition(
                monotonicNanoseconds: 5_000_000_000, process: ProcessStatistics(), droppedLines: LogSink.Drops(),
                heldBytes: 0, servers: []))
        #expect(document.value("convert_uptime_seconds") == "0")
        #expect(document.value("convert_connections_open") == "0")
        #expect(document["convert_requests_total"]?.samples.isEmpty == true)
        for name in [
            "convert_profile_last_reload_successful", "convert_profile_last_reload_timestamp_seconds",
            "process_resident_memory_bytes", "process_open_fds",
        ] {
            #expect(document[name] == nil, "\(name)")
        }
    }

    @Test func `a route that converts streams reports their payloads before the first one`() throws {
        let registry = registry()
        registry.convertsStreams(registry.label(ofRoute: "live"))
        _ = registry.label(ofRoute: "plain")
        let document = try document(registry)
        #expect(document["convert_stream_payloads_total"]?.samples.count == 3)
        for result in ["converted", "not-json", "passed"] {
            #expect(document.value("convert_stream_payloads_total", ["route": "live", "result": result]) == "0")
        }
    }

    @Test func `names follow the conventions of Prometheus`() throws {
        for family in try document(busyRegistry()).families {
            #expect((family.kind == "counter") == family.name.hasSuffix("_total"), "\(family.name)")
            #expect(family.name.hasPrefix("convert_") || family.name.hasPrefix("process_"), "\(family.name)")
            #expect(family.help.hasSuffix("."), "\(family.name)")
            if family.kind == "histogram" { #expect(family.name.hasSuffix("_seconds"), "\(family.name)") }
        }
    }

    @Test(.enabled(if: PrometheusClient.isAvailable))
    func `Prometheus's own client reads the same samples as our parser`() throws {
        let bytes = exposition(busyRegistry())
        let outcome = try PrometheusClient.parse(bytes)
        #expect(outcome.status == 0, "\(outcome.errors)")
        var theirs: [String] = []
        for line in outcome.text.split(separator: "\n") {
            let words = line.split(separator: "\t")
            theirs.append("\(words[1]) \(words[2]) \(words[3]) \(try #require(Double(words[4])))")
        }
        let ours = try ExpositionDocument(bytes).families.flatMap { family in
            family.samples.map { sample in
                let labels = sample.labels.sorted { $0.key < $1.key }.map { "('\($0.key)', '\($0.value)')" }
                return "\(family.kind) \(sample.name) [\(labels.joined(separator: ", "))] \(sample.number)"
            }
        }
        #expect(theirs == ours)
        #expect(ours.count > 50)
    }

    @Test func `docs/metrics.md lists every metric, its kind and its labels, and no other`() throws {
        let page = try InputFile(path: "\(BuiltProgram.project)/docs/metrics.md").readAll(maxBytes: 1 << 20)
        let rows = String(decoding: page, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("| `") }
        var documented: [String: (kind: String, labels: Set<String>)] = [:]
        for row in rows {
            let columns = row.split(separator: "|").map { $0.trimmed(" ") }
            let labels = columns[3].split(separator: " ").map { $0.trimmed("`,") }
            documented[columns[0].trimmed("`")] = (columns[1], Set(labels))
        }
        // The metrics of upstreams are in docs/gateway.md.
        let families = try document(busyRegistry()).families.filter { !$0.name.hasPrefix("convert_upstream_") }
        #expect(Set(documented.keys) == Set(families.map(\.name)))
        for family in families {
            #expect(documented[family.name]?.kind == family.kind, "\(family.name)")
            let labels = Set(family.samples.flatMap(\.labels.keys)).subtracting(["le"])
            #expect(documented[family.name]?.labels == labels, "\(family.name)")
        }
    }

    // MARK: Threads

    @Test func `loops count in parallel without losses, and scrapes only see growing counts`() throws {
        let loops = 4
        let rounds = 20_000
        let registry = registry()
        let profiles = ["a", "b"].map(registry.label(ofProfile:))
        let running = Atomic(loops)
        let scrapes = Mutex<[LoopTotals]>([])
        DispatchQueue.concurrentPerform(iterations: loops + 1) { index in
            if index == loops {
                while running.load(ordering: .acquiring) > 0 {
                    let totals = registry.totals
                    scrapes.withLock { if $0.count < 500 { $0.append(totals) } }
                }
                return
            }
            let metrics = registry.makeLoopMetrics()
            for round in 0..<rounds {
                metrics.count(.acceptedConnections)
                metrics.requestEnded(
                    route: .minify, profile: profiles[round % 2], status: 200, bytesIn: 3, bytesOut: 2,
                    nanoseconds: Int64(round))
                metrics.conversionEnded(.ok)
                metrics.count(.closedConnections)
            }
            running.subtract(1, ordering: .releasing)
        }
        let totals = registry.totals
        let expected = UInt64(loops * rounds)
        let route = totals.routes[Int(RouteLabel.minify.index)]
        for profile in profiles {
            #expect(totals.requests[SeriesKey(.minify, StatusLabel(200), profile)] == expected / 2)
        }
        #expect(route.durations.count == expected)
        // 0 + 1 + … + (rounds - 1), once a loop.
        #expect(route.durations.nanoseconds == UInt64(loops * rounds * (rounds - 1) / 2))
        #expect(route.requestBytes == 3 * expected)
        #expect(route.responseBytes == 2 * expected)
        #expect(totals.conversions[ConversionResult.ok.index] == expected)
        #expect(totals[.acceptedConnections] == expected)
        #expect(totals[.closedConnections] == expected)

        var last: LoopTotals?
        for scrape in scrapes.withLock({ $0 }) {
            #expect(scrape[.acceptedConnections] >= scrape[.closedConnections])
            for (key, count) in last?.requests ?? [:] { #expect(scrape.requests[key, default: 0] >= count) }
            last = scrape
        }
    }

    // MARK: Hostile input

    @Test func `clients cannot create an unlimited number of series`() throws {
        let registry = registry()
        let metrics = registry.makeLoopMetrics()
        var requests: UInt64 = 0
        // More names than the server distinguishes, on every route, with every status that an upstream could send.
        let labels = (0..<(2 * MetricsRegistry.maxProfiles)).map { registry.label(ofProfile: "profile \($0)") }
        let routes = (0..<(2 * LoopCells.maxRoutes)).map { registry.label(ofRoute: "route \($0)") }
        for status in -1...1100 {
            let label = labels[abs(status) * 7 % labels.count]
            for route in routes[(abs(status) % 200)...].prefix(8) {
                metrics.requestEnded(route: route, profile: label, status: status)
                requests += 1
            }
        }
        let totals = registry.totals
        #expect(totals.requests.count > SeriesTable.maxSeries - 200)
        #expect(totals.requests.count <= SeriesTable.maxSeries + 6)
        #expect(totals.requests.values.reduce(0, +) == requests)
        #expect(totals.routes.reduce(0) { $0 + $1.durations.count } == requests)
        #expect(registry.profiles.values.count == MetricsRegistry.maxProfiles + ProfileLabel.fixed.count)
        #expect(registry.routes.values.count == LoopCells.maxRoutes)
        #expect(labels.last == .other)
        #expect(routes.last == .other)

        let document = try document(registry)
        let samples = try #require(document["convert_requests_total"]).samples
        #expect(samples.reduce(0) { $0 + $1.number } == Double(requests))
        #expect(samples.contains { $0.labels["route"] == "(other)" && $0.labels["profile"] == "(other)" })
    }

    @Test func `a profile with a reserved or hostile name makes one correct series`() throws {
        let names = ["(other)", "a\"} 1\nevil_total 1", "é", "e\u{301}", "é"]
        let registry = registry()
        let metrics = registry.makeLoopMetrics()
        for name in names {
            metrics.requestEnded(route: .minify, profile: registry.label(ofProfile: name), status: 200)
        }
        let document = try document(registry)
        let samples = try #require(document["convert_requests_total"]).samples
        let found = samples.map { Array($0.labels["profile", default: ""].utf8) }
        #expect(found == [names[0], names[1], names[2], names[3]].map { Array($0.utf8) })
        #expect(samples.map(\.value) == ["1", "1", "2", "1"])
        #expect(document["evil_total"] == nil)
    }

    @Test func `registered statuses are reported unchanged, others by their class`() {
        let rows: [(Int, String)] = [
            (100, "100"), (200, "200"), (204, "204"), (226, "226"), (304, "304"), (404, "404"), (418, "418"),
            (431, "431"), (499, "499"), (503, "503"), (511, "511"), (199, "1xx"), (299, "2xx"), (399, "3xx"),
            (498, "4xx"), (599, "5xx"), (600, "other"), (99, "other"), (0, "other"), (-1, "other"), (.max, "other"),
        ]
        for (status, text) in rows { #expect(StatusLabel.text(StatusLabel(status).number) == text, "\(status)") }
        #expect(Set((-10...1000).map(StatusLabel.init)).count < 80)
    }

    @Test func `fixed labels have their numbers, and results their positions`() {
        #expect(RouteLabel.fixed.count == Int(RouteLabel.shadow.index) + 1)
        #expect(RouteLabel.fixed[Int(RouteLabel.description.index)] == "/openapi.yaml")
        #expect(RouteLabel.fixed[Int(RouteLabel.convertByProfile.index)] == "/v1/convert/{profile}")
        #expect(RouteLabel.fixed[Int(RouteLabel.shadow.index)] == "/v1/shadow")
        #expect(RouteLabel.fixed[Int(RouteLabel.metrics.index)] == "/metrics")
        #expect(RouteLabel.fixed[Int(RouteLabel.other.index)] == LabelTable.overflow)
        #expect(ProfileLabel.fixed[Int(ProfileLabel.other.index)] == LabelTable.overflow)
        for (index, result) in ConversionResult.all.enumerated() { #expect(result.index == index) }
    }
}

extension StringProtocol {
    /// The text without those of `characters` at its start and its end.
    fileprivate func trimmed(_ characters: String) -> String {
        var rest = Substring(self)
        while let first = rest.first, characters.contains(first) { rest.removeFirst() }
        while let last = rest.last, characters.contains(last) { rest.removeLast() }
        return String(rest)
    }
}
