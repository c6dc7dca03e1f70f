-- For wrk: posts the file named after `--`, and prints the measurement as one line of JSON.
function init(arguments)
    local file = assert(io.open(arguments[1], "rb"))
    wrk.method = "POST"
    wrk.body = file:read("*a")
    wrk.headers["Content-Type"] = "application/json"
    file:close()
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '\n{"requests": %d, "microseconds": %d, "p50": %d, "p99": %d, "errors": %d}\n',
        summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
