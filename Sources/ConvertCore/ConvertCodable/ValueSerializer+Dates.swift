import ConvertEngine
public import ConvertProfiles
public import FoundationEssentials

extension ValueSerializer where Value == Date {
    /// A point in time: in JSON as a format writes it, in property lists as their own date.
    ///
    /// The first use throws an error if the format or the zone does not exist.
    ///
    /// - Parameters:
    ///   - format: how dates are written, and the first of what is read. One that is only read, such as `auto`, is written as
    ///     `rfc3339`.
    ///   - others: what is read besides.
    ///   - zone: the zone of dates that name none, and of dates written: an IANA name, `±HH:MM` or `UTC`. When nil, dates
    ///     without a zone are refused, and dates are written in UTC.
    ///   - allowsLoss: whether a date is written if the format cannot hold all of it, such as a fraction of a second in
    ///     `epochSeconds` or in an XML property list. Otherwise that is an error, and what is written is read as
    ///     a date of the same microsecond.
    ///
    /// A number is read as `Date(timeIntervalSince1970:)` makes it, as Foundation's strategies do, and a string as the nearest date.
    /// Those two differ by up to 0.2 microseconds.
    ///
    /// Microseconds are kept, and finer digits are not. `Date()` has finer ones, so it is read as a date that differs by less than a
    /// microsecond.
    public static func date(
        _ format: DateFormat = .rfc3339, alsoReading others: [DateFormat] = [], assuming zone: String? = "UTC",
        allowsLoss: Bool = false
    ) -> ValueSerializer {
        let text = Result { () throws(DateText.Fault) in
            try DateText(format, alsoReading: others, assuming: zone)
        }
        return ValueSerializer { (date, target) throws(SerializationError) in
            if target == .propertyList {
                guard allowsLoss else { return .date(date) }
                return .date(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
            }
            let text = try Self.usable(text)
            guard let value = text.value(date) else {
                throw SerializationError(expected: "a date in the years 0001 to 9999", found: "another date")
            }
            guard allowsLoss || text.holds(date, in: value) else {
                throw SerializationError(
                    expected: "a date that the format \(format.name) can hold",
                    found: "a finer one; round it, or allow loss")
            }
            return value
        } deserialize: { (value, source) throws(SerializationError) in
            if case .date(let date) = value { return date }
            // The dates of property lists are read as text.
            if source == .propertyList, let date = DateText.utc.date(value) { return date }
            guard let date = try Self.usable(text).date(value) else {
                let names = ([format] + others).map(\.name).joined(separator: " or ")
                throw SerializationError(expected: "a date in the format \(names)", found: value.kind)
            }
            return date
        }
    }

    private static func usable(_ text: Result<DateText, DateText.Fault>) throws(SerializationError) -> DateText {
        switch text {
        case .success(let text): return text
        case .failure(let fault):
            throw SerializationError(expected: "a valid date format and zone", found: "another (\(fault.message))")
        }
    }
}
