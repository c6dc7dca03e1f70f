// MARK: - The response to `GET /metrics`

package import Sockets
import Synchronization
package import Telemetry

extension MetricsRegistry {
    /// The document of `/metrics`, with the type `PrometheusText.contentType`, from values at the time of a scrape.
    ///
    /// - Parameters:
    ///   - heldBytes: the buffered bytes of unfinished messages.
    ///   - servers: the servers of upstreams in use.
    package func exposition(
        monotonicNanoseconds: Int64, process: ProcessStatistics, droppedLines: LogSink.Drops, heldBytes: Int,
        servers: [ServerReading]
    ) -> [UInt8] {
        // The counts are read before the names, because a label has its name before anything is counted under it.
        let totals = totals
        var text = PrometheusText()
        writeRequests(totals, to: &text)
        writeConversions(totals, to: &text)
        writeForwarding(totals, to: &text)
        writeShadows(to: &text)
        writeUpstreams(totals, servers, to: &text)
        writeConnections(totals, to: &text)
        text.family(
            "convert_buffered_bytes", .gauge,
            "Bytes of requests and responses that are buffered, for all connections.",
            .count(UInt64(clamping: heldBytes)))
        writeReloads(to: &text)
        writeLog(droppedLines, to: &text)
        writeProcess(process, monotonicNanoseconds, to: &text)
        return text.bytes
    }

    private func writeRequests(_ totals: LoopTotals, to text: inout PrometheusText) {
        let routes = routes.values
        let profiles = profiles.values
        text.family("convert_requests_total", .counter, "Requests that got a response or were aborted.")
        for (key, count) in totals.requests.sorted(by: { $0.key.packed < $1.key.packed }) {
            let status = StatusLabel.text(key.status)
            text.sample(count, ["route": routes[key.route], "status": status, "profile": profiles[key.profile]])
        }
        // A route without requests has no series.
        let used = zip(routes, totals.routes).filter { $0.1.durations.count > 0 }
        text.family("convert_request_body_bytes_total", .counter, "Bytes of request bodies as received.")
        for (route, counts) in used { text.sample(counts.requestBytes, ["route": route]) }
        text.family("convert_response_body_bytes_total", .counter, "Bytes of response bodies as sent.")
        for (route, counts) in used { text.sample(counts.responseBytes, ["route": route]) }
        text.family(
            "convert_request_duration_seconds", .histogram,
            "Time from the first byte of a request until the system accepted the last byte of its response.")
        for (route, counts) in used { text.histogram(["route": route], counts.durations) }
    }

    private func writeConversions(_ totals: LoopTotals, to text: inout PrometheusText) {
        text.family("convert_conversions_total", .counter, "Payloads by how their conversion ended.")
        for result in ConversionResult.all {
            let labels = result.labels
            text.sample(totals.conversions[result.index], ["result": labels.result, "code": labels.code])
        }
        text.family(
            "convert_skipped_records_total", .counter, "Bad records that profiles skipped or replaced by null.",
            .count(totals[.skippedRecords]))
        writeStreams(totals, to: &text)
    }

    /// Writes the payloads of streams, if there are any or a route converts them.
    private func writeStreams(_ totals: LoopTotals, to text: inout PrometheusText) {
        let known = streams.withLock { $0 }
        let used = zip(routes.values, totals.routes).enumerated().filter { index, route in
            known.contains(RouteLabel(index: UInt16(index))) || route.1.payloads.contains { $0 > 0 }
        }
        guard !used.isEmpty else { return }
        text.family(
            "convert_stream_payloads_total", .counter,
            "Payloads of event streams, JSON sequences and WebSocket connections by result.")
        for (_, (route, counts)) in used {
            for outcome in StreamOutcome.allCases {
                text.sample(counts.payloads[outcome.rawValue], ["route": route, "result": outcome.label])
            }
        }
    }

    private func writeForwarding(_ totals: LoopTotals, to text: inout PrometheusText) {
        guard !totals.forwarded.isEmpty else { return }
        let routes = routes.values
        let backends = backends.values.map(BackendLabel.values)
        let series = totals.forwarded.sorted { $0.key.packed < $1.key.packed }
        /// The samples whose outcome has a value for the label `name`.
        func samples(_ name: StaticString, _ value: (ForwardingOutcome) -> String?) {
            for (key, count) in series {
                guard let outcome = key.outcome, let value = value(outcome) else { continue }
                let (upstream, server) = backends[key.backend]
                text.sample(
                    count, ["route": routes[key.route], "upstream": upstream, "server": server, name: value])
            }
        }
        text.family(
            "convert_upstream_answers_total", .counter, "Final responses of servers by the class of their status.")
        samples("status") { if case .responded(let statusClass) = $0 { "\(statusClass)xx" } else { nil } }
        text.family("convert_upstream_failures_total", .counter, "Attempts without a complete response.")
        samples("reason") { if case .failed(let failure) = $0 { failure.rawValue } else { nil } }
        text.family(
            "convert_upstream_retries_total", .counter, "Requests that were sent a second time, to this server.")
        samples("") { if case .retried = $0 { "" } else { nil } }
        text.family(
            "convert_skipped_answers_total", .counter,
            "Responses of routes with a response profile that were not converted.")
        samples("reason") { if case .skipped(let reason) = $0 { reason.rawValue } else { nil } }
    }

    private func writeShadows(to text: inout PrometheusText) {
        let counts = shadows.withLock({ $0 }).sorted { $0.key.index < $1.key.index }
        guard !counts.isEmpty else { return }
        let routes = routes.values
        text.family("convert_shadow_total", .counter, "Responses that were chosen for a comparison of two profiles.")
        for (route, counts) in counts {
            for outcome in ShadowOutcome.allCases {
                text.sample(
                    counts[outcome.rawValue], ["route": routes[Int(route.index)], "result": outcome.label])
            }
        }
    }

    private func writeUpstreams(_ totals: LoopTotals, _ servers: [ServerReading], to text: inout PrometheusText) {
        let used = zip(backends.values, totals.upstreams).filter { $0.1.count > 0 }
        if !used.isEmpty {
            text.family(
                "convert_upstream_duration_seconds", .histogram,
                "Time from the start of an attempt to the header of its response, or to its failure.")
            for (backend, durations) in used {
                let (upstream, server) = BackendLabel.values(backend)
                text.histogram(["upstream": upstream, "server": server], durations)
            }
        }
        guard !servers.isEmpty else { return }
        text.family(
            "convert_upstream_server_healthy", .gauge,
            "Whether a server is healthy: 0 while its checks fail, or from 5 failed connections until it responds.")
        for server in servers {
            text.sample(
                server.isHealthy ? 1 : 0,
                ["upstream": server.upstream, "server": server.server, "address": server.address])
        }
    }

    private func writeConnections(_ totals: LoopTotals, to text: inout PrometheusText) {
        text.family(
            "convert_connections_open", .gauge, "Connections that are open.",
            .count(totals[.acceptedConnections] &- totals[.closedConnections]))
        text.family(
            "convert_connections_accepted_total", .counter, "Connections that were accepted.",
            .count(totals[.acceptedConnections]))
        text.family(
            "convert_connections_displaced_total", .counter, "Idle connections that were closed for a new one.",
            .count(totals[.displacedConnections]))
        text.family("convert_connections_refused_total", .counter, "Connections that were refused.")
        text.sample(totals[.refusedAtLimit], ["reason": "limit"])
        text.sample(totals[.refusedExhausted], ["reason": "exhausted"])
        text.sample(totals[.refusedForClient], ["reason": "client"])
    }

    private func writeReloads(to text: inout PrometheusText) {
        let reloads = reloads.withLock { $0 }
        text.family(
            "convert_profile_reloads_total", .counter,
            "Loads of configuration and profiles, with the first one.")
        text.sample(reloads.successes, ["result": "success"])
        text.sample(reloads.failures, ["result": "failure"])
        text.family(
            "convert_profiles_loaded", .gauge, "Profiles that can be used.",
            .count(UInt64(clamping: reloads.loadedProfiles)))
        text.family(
            "convert_profile_last_reload_successful", .gauge, "Whether the last load had no error.",
            reloads.isLastSuccessful.map { .count($0 ? 1 : 0) })
        text.family(
            "convert_profile_last_reload_timestamp_seconds", .gauge,
            "Time of the last load of configuration and profiles, in seconds since 1970.",
            reloads.lastNanoseconds.map { .seconds(nanoseconds: UInt64(clamping: $0)) })
        text.family(
            "convert_profile_last_reload_success_timestamp_seconds", .gauge,
            "Time of the last load without an error, in seconds since 1970.",
            reloads.lastSuccessNanoseconds.map { .seconds(nanoseconds: UInt64(clamping: $0)) })
    }

    private func writeLog(_ drops: LogSink.Drops, to text: inout PrometheusText) {
        text.family("convert_log_dropped_lines_total", .counter, "Lines of the access log that were lost.")
        text.sample(drops.overflow, ["reason": "overflow"])
        text.sample(drops.failure, ["reason": "failure"])
    }

    private func writeProcess(
        _ process: ProcessStatistics, _ monotonicNanoseconds: Int64, to text: inout PrometheusText
    ) {
        text.family("convert_build_info", .gauge, "Always 1; the version is the label.")
        text.sample(1, ["version": version])
        text.family(
            "convert_uptime_seconds", .gauge, "Time since the server started.",
            .seconds(nanoseconds: UInt64(clamping: monotonicNanoseconds - startedMonotonic)))
        text.family(
            "process_start_time_seconds", .gauge, "Start of the process, in seconds since 1970.",
            .seconds(nanoseconds: UInt64(clamping: startedWall)))
        text.family(
            "process_cpu_seconds_total", .counter, "Processor time, user and system.",
            process.processorNanoseconds.map { .seconds(nanoseconds: $0) })
        text.family(
            "process_resident_memory_bytes", .gauge, "Resident memory, in bytes.",
            process.residentBytes.map { .count($0) })
        text.family("process_open_fds", .gauge, "Open file descriptors.", process.openDescriptors.map { .count($0) })
        text.family(
            "process_max_fds", .gauge, "Limit of open file descriptors.", process.maxDescriptors.map { .count($0) })
    }
}
