/// A format of dates, with its name in `from` and `to` of profiles.
package enum DateForm: Sendable, Hashable {
    case auto, rfc3339, iso8601, date
    case epochSeconds, epochMilliseconds, epochMicroseconds, epochNanoseconds
    case rfc2822, httpDate, asctime, dotnetJSON, dotnetTicks, fileTime, appleSeconds
    case pattern(DatePattern)

    /// The forms that have a name in profiles, in the order of the specification.
    private static let named: [(name: String, form: DateForm)] = [
        ("auto", .auto), ("rfc3339", .rfc3339), ("iso8601", .iso8601), ("date", .date), ("epoch-s", .epochSeconds),
        ("epoch-ms", .epochMilliseconds), ("epoch-us", .epochMicroseconds), ("epoch-ns", .epochNanoseconds),
        ("rfc2822", .rfc2822), ("http-date", .httpDate), ("asctime", .asctime), ("dotnet-json", .dotnetJSON),
        ("dotnet-ticks", .dotnetTicks), ("filetime", .fileTime), ("apple-s", .appleSeconds),
    ]

    /// All names, for messages that suggest one.
    package static var names: [String] { named.map { $0.name } }
    /// The names that `to` accepts.
    package static var writableNames: [String] { named.filter { $0.form.isWritable }.map { $0.name } }

    package init?(named name: String) {
        guard let found = Self.named.first(where: { $0.name == name }) else { return nil }
        self = found.form
    }

    /// The name in a profile; for a pattern, its text.
    package var name: String {
        if case .pattern(let pattern) = self { return "the pattern \(pattern.text)" }
        return Self.named.first { $0.form == self }?.name ?? ""
    }

    /// Whether `to` accepts it.
    package var isWritable: Bool { self != .auto && self != .iso8601 && self != .asctime }

    /// Whether it is written as a JSON number instead of a string.
    package var writesNumber: Bool { count != nil }

    /// For forms that are counts, the unit, 10 to the power −`unitDigits` seconds, and the origin in seconds since 1970; nil for others.
    var count: (unitDigits: Int, origin: Int64)? {
        switch self {
        case .epochSeconds: (0, 0)
        case .epochMilliseconds: (3, 0)
        case .epochMicroseconds: (6, 0)
        case .epochNanoseconds: (9, 0)
        case .dotnetTicks: (7, -Instant.secondsFromYearOne)
        case .fileTime: (7, -Instant.secondsFrom1601)
        case .appleSeconds: (0, Instant.secondsTo2001)
        default: nil
        }
    }

    /// Whether it writes days only, so that a date without a time needs no zone.
    package var writesDaysOnly: Bool {
        switch self {
        case .date: true
        case .pattern(let pattern): pattern.isDateOnly
        default: false
        }
    }
}
