import TestSupport
import Testing

@testable import HTTPSemantics
@testable import Observability
@testable import Sockets
@testable import Telemetry

struct DurationHistogramTests {
    @Test func `a bucket includes its bound, and not a nanosecond more`() {
        for (index, bound) in DurationHistogram.bounds.enumerated() {
            let histogram = DurationHistogram()
            histogram.observe(nanoseconds: bound)
            histogram.observe(nanoseconds: bound + 1)
            var total = DurationHistogram.Total()
            histogram.add(to: &total)
            #expect(total.buckets[index] == 1, "\(bound)")
            #expect(total.buckets[index + 1] == 1, "\(bound)")
            #expect(total.count == 2)
            #expect(total.nanoseconds == 2 * bound + 1)
        }
    }

    @Test func `buckets are cumulative, the last is the count, and the sum is exact`() throws {
        let registry = MetricsRegistry(startedWall: 0, startedMonotonic: 0, version: "0")
        let metrics = registry.makeLoopMetrics()
        // 0, 1, 3, 9, … nanoseconds, up to a value beyond the last bound.
        var durations: [Int64] = [0]
        var power: Int64 = 1
        while power < 100_000_000_000 {
            durations.append(power)
            power *= 3
        }
        for duration in durations { metrics.requestEnded(route: .minify, status: 200, nanoseconds: duration) }
        let document = try ExpositionDocument(
            registry.exposition(
                monotonicNanoseconds: 0, process: ProcessStatistics(), droppedLines: LogSink.Drops(), heldBytes: 0,
                servers: []))
        let family = try #require(document["convert_request_duration_seconds"])
        let buckets = family.samples.filter { $0.name.hasSuffix("_bucket") }
        #expect(buckets.count == DurationHistogram.bounds.count + 1)
        #expect(buckets.last?.labels["le"] == "+Inf")
        var last = (bound: -1.0, count: 0.0)
        for bucket in buckets {
            let label = try #require(bucket.labels["le"])
            let bound = label == "+Inf" ? .infinity : try #require(Double(label))
            #expect(bound > last.bound)
            #expect(bucket.number >= last.count)
            #expect(bucket.number == Double(durations.count { Double($0) <= (bound * 1e9).rounded() }), "\(bound)")
            last = (bound, bucket.number)
        }
        let route = ["route": "/v1/minify"]
        #expect(document.value("convert_request_duration_seconds_count", route) == "\(durations.count)")
        #expect(last.count == Double(durations.count))
        let sum = durations.reduce(0, +)
        let fraction = String(sum % 1_000_000_000)
        let digits = String(repeating: "0", count: 9 - fraction.count) + fraction
        let text = try #require(document.value("convert_request_duration_seconds_sum", route))
        #expect("\(sum / 1_000_000_000).\(digits)".hasPrefix(text))
        #expect(Double(text) == Double(sum) / 1e9)
    }

    @Test func `a clock that goes back counts as zero time`() {
        let registry = MetricsRegistry(startedWall: 0, startedMonotonic: 0, version: "0")
        registry.makeLoopMetrics().requestEnded(route: .minify, status: 200, nanoseconds: -5)
        let total = registry.totals.routes[Int(RouteLabel.minify.index)].durations
        #expect(total.buckets[0] == 1)
        #expect(total.nanoseconds == 0)
    }

    @Test func `Server-Timing shows milliseconds, rounded to hundredths`() {
        let rows: [(Int64, String)] = [
            (420_000, "0.42"), (0, "0.00"), (-1, "0.00"), (4_999, "0.00"), (5_000, "0.01"), (999_999, "1.00"),
            (1_234_567, "1.23"), (61_000_000_000, "61000.00"), (70_000, "0.07"),
        ]
        for (nanoseconds, text) in rows {
            let value = String(decoding: ServerTiming.convert(nanoseconds: nanoseconds), as: UTF8.self)
            #expect(value == "convert;dur=\(text)", "\(nanoseconds)")
        }
    }
}
