-- Prints wrk's measurement as a line of JSON.
done = function(summary, latency)
    local errors = summary.errors
    print(string.format(
        '{"requests": %d, "microseconds": %d, "errors": %d, "p50": %d, "p99": %d}',
        summary.requests, summary.duration,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout,
        latency:percentile(50), latency:percentile(99)))
end
