import ConvertEngine

/// The text of a binary property list's dates in JSON strings.
enum PropertyListText {
    /// The RFC 3339 date, to the microsecond, for a binary property list's seconds since 2001; nil outside the years 1
    /// to 9999.
    static func date(secondsSince2001 seconds: Double) -> [UInt8]? {
        guard seconds.magnitude < 1e12 else { return nil }
        let whole = seconds.rounded(.down)
        let microseconds = Int64(((seconds - whole) * 1e6).rounded(.toNearestOrEven))
        let carried = Int64(whole) + microseconds / 1_000_000
        let instant = Instant(
            seconds: carried + Instant.secondsTo2001, nanoseconds: Int32(microseconds % 1_000_000) * 1_000)
        var output = ByteBuffer()
        guard DateForm.rfc3339.write(instant, zone: .utc, precision: nil, into: &output) else { return nil }
        return Array(output)
    }
}
