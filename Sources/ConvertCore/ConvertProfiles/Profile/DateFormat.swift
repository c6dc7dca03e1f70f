/// A way to write a date, as a profile names it in `from` and `to`.
///
/// `auto`, `iso8601` and `asctime` are only read; a profile that writes them is refused.
public struct DateFormat: Sendable, Hashable {
    /// The name in a profile, or the text of a pattern.
    package let name: String
    package let isPattern: Bool

    private init(_ name: String, isPattern: Bool = false) {
        self.name = name
        self.isPattern = isPattern
    }

    /// The format as a profile writes it: a JSON string, or an object for a pattern.
    var text: RuleText { isPattern ? RuleText(object: ["pattern": RuleText(name)]) : RuleText(name) }

    /// All formats that can be distinguished: ISO 8601, mail and HTTP dates, `/Date(…)/`, and counts of seconds to nanoseconds. The
    /// size of a count decides its unit.
    public static let auto = DateFormat("auto")
    /// `2024-07-14T16:30:00Z`, RFC 3339.
    public static let rfc3339 = DateFormat("rfc3339")
    /// ISO 8601: dates (`2024-07-14`, `2024-W28-7`, `2024-196`) and date-times (`2024-07-14T16:30:00Z`, `20240714T163000Z`).
    public static let iso8601 = DateFormat("iso8601")
    /// `2024-07-14`; a day without a time never shifts to another day.
    public static let date = DateFormat("date")
    /// Seconds since 1970-01-01T00:00:00Z, an integer when written.
    public static let epochSeconds = DateFormat("epoch-s")
    /// Milliseconds since 1970-01-01T00:00:00Z, an integer when written.
    public static let epochMilliseconds = DateFormat("epoch-ms")
    /// Microseconds since 1970-01-01T00:00:00Z, an integer when written.
    public static let epochMicroseconds = DateFormat("epoch-us")
    /// Nanoseconds since 1970-01-01T00:00:00Z, an integer when written.
    public static let epochNanoseconds = DateFormat("epoch-ns")
    /// `Sun, 14 Jul 2024 16:30:00 +0000`, RFC 5322 and the RFCs before it.
    public static let rfc2822 = DateFormat("rfc2822")
    /// `Sun, 14 Jul 2024 16:30:00 GMT`, RFC 9110.
    public static let httpDate = DateFormat("http-date")
    /// `Sun Jul 14 16:30:00 2024`, as C's `asctime` writes it.
    public static let asctime = DateFormat("asctime")
    /// `/Date(1720974600000)/`, with milliseconds since 1970.
    public static let dotnetJSON = DateFormat("dotnet-json")
    /// Ticks of 100 nanoseconds since 0001-01-01T00:00:00Z, an integer.
    public static let dotnetTicks = DateFormat("dotnet-ticks")
    /// Ticks of 100 nanoseconds since 1601-01-01T00:00:00Z, an integer: Windows' FILETIME.
    public static let fileTime = DateFormat("filetime")
    /// Seconds since 2001-01-01T00:00:00Z, perhaps with a fraction: Foundation's reference date.
    public static let appleSeconds = DateFormat("apple-s")

    /// A pattern of Unicode LDML date letters, such as `dd/MM/yyyy HH:mm`; names of months and days are English.
    public static func pattern(_ pattern: String) -> DateFormat {
        DateFormat(pattern, isPattern: true)
    }
}

extension DateFormat: CustomStringConvertible {
    /// The name in a profile, such as `epoch-s`, or the pattern.
    public var description: String { name }
}
