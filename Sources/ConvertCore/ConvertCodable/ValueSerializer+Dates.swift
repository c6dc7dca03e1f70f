import ConvertEngine
public import ConvertProfiles
public import FoundationEssentials

extension ValueSerializer where Value == Date {
    /// A point in time: in JSON a date in `format`, in property lists a date of their own type.
    ///
    /// The first use throws an error if the format or the zone does not exist.
    ///
    /// - Parameters:
    ///   - format: the format in which dates are written, and the first that is tried in reading. If it cannot be written, as `auto`,
    ///     `rfc3339` is written.
    ///   - others: more formats for reading.
    ///   - zone: the zone for dates without one, and for writing: an IANA name, `±HH:MM` or `UTC`. With nil, dates
    ///     without a zone are refused, and dates are written in UTC.
    ///   - allowsLoss: whether a date is written if the format loses a part of it, such as a fraction of a second in
    ///     `epochSeconds` or in an XML property list. If false, that is an error, and a written date is read back as one of
    ///     the same microsecond. If true, both forms of property lists get whole seconds.
    ///
    /// A number is read as `Date(timeIntervalSince1970:)` makes it, as Foundation's strategies do, and a string as the nearest date.
    /// These two differ by up to 0.2 microseconds.
    ///
    /// Microseconds are kept, and finer fractions are not. `Date()` has finer ones, so it is read back as a date that differs by less
    /// than a microsecond.
    public static func date(
        _ format: DateFormat = .rfc3339, alsoReading others: [DateFormat] = [], assuming zone: String? = "UTC",
        allowsLoss: Bool = false
    ) -> ValueSerializer {
        let text = Result { () throws(SerializationError) in
            try DateText(format, alsoReading: others, assuming: zone)
        }
        return ValueSerializer { (date, target) throws(SerializationError) in
            if target == .propertyList {
                guard allowsLoss else { return .date(date) }
                return .date(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
            }
            let text = try text.get()
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
            // The reader of property lists turns their dates into text.
            if source == .propertyList, let date = DateText.utc.date(value) { return date }
            guard let date = try text.get().date(value) else {
                let names = ([format] + others).map(\.name).joined(separator: " or ")
                throw SerializationError(expected: "a date in the format \(names)", found: value.kind)
            }
            return date
        }
    }
}
