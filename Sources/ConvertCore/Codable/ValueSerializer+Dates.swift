public import FoundationEssentials

extension ValueSerializer where Value == Date {
    /// A point in time: in JSON as a format writes it, in property lists as their own date.
    ///
    /// A format or zone that does not exist is told by the error of the first use.
    ///
    /// - Parameters:
    ///   - format: how dates are written, and the first of what is read. One that is only read, such as `auto`, is written as
    ///     `rfc3339`.
    ///   - others: what is read besides.
    ///   - zone: the zone of dates that name none, and of dates written: an IANA name, `±HH:MM` or `UTC`. When nil, dates
    ///     without a zone are refused, and dates are written in UTC.
    ///
    /// A `Date` counts in doubles: microseconds are kept, and finer digits are not.
    public static func date(
        _ format: DateFormat = .rfc3339, alsoReading others: [DateFormat] = [], assuming zone: String? = "UTC"
    ) -> ValueSerializer {
        let text = Result { () throws(DateText.Fault) in
            try DateText(format, alsoReading: others, assuming: zone)
        }
        return ValueSerializer { (date, target) throws(SerializationError) in
            if target == .propertyList { return .date(date) }
            guard let value = try Self.usable(text).value(date) else {
                throw SerializationError(expected: "a date in the years 0001 to 9999", found: "another date")
            }
            return value
        } deserialize: { (value, source) throws(SerializationError) in
            if case .date(let date) = value { return date }
            // The dates of property lists are read as text.
            if source == .propertyList, let date = DateText.utc.date(value) { return date }
            guard let date = try Self.usable(text).date(value) else {
                let names = ([format] + others).map(\.name).joined(separator: " or ")
                throw SerializationError(expected: "a date as \(names)", found: value.kind)
            }
            return date
        }
    }

    private static func usable(_ text: Result<DateText, DateText.Fault>) throws(SerializationError) -> DateText {
        switch text {
        case .success(let text): return text
        case .failure(let fault): throw SerializationError(expected: "a date format", found: fault.message)
        }
    }
}
