import ConvertEngine
import ConvertProfiles
import FoundationEssentials

/// The form of a date in a file, as one string or number: the formats of profiles, for `Date`.
struct DateText: Sendable {
    /// The forms that are read, in order; never empty.
    private let from: [DateForm]
    private let to: DateForm
    /// The zone for dates without one, and in which all dates are written.
    private let zone: Zone?

    /// RFC 3339, which property lists write too.
    static let utc = DateText(from: [.rfc3339], to: .rfc3339, zone: .utc)

    /// Reads any form of ISO 8601, in UTC if the date has no zone, and writes RFC 3339.
    static let iso8601 = DateText(from: [.iso8601], to: .rfc3339, zone: .utc)

    init(from: [DateForm], to: DateForm, zone: Zone?) {
        self.from = from
        self.to = to
        self.zone = zone
    }

    /// - Throws: an error in the caller's format or zone.
    init(_ format: DateFormat, alsoReading others: [DateFormat], assuming zone: String?) throws(SerializationError) {
        let first = try Self.form(format)
        if case .pattern(let pattern) = first, let reason = pattern.writingError { throw Self.unusable(reason) }
        var forms = [first]
        for format in others { forms.append(try Self.form(format)) }
        from = forms
        to = first.isWritable ? first : .rfc3339
        self.zone = if let zone { try Self.zone(zone) } else { nil }
    }

    /// The date in a string or a number; nil for any other value.
    func date(_ value: SerializedValue) -> Date? {
        for form in from {
            switch value {
            case .string(let text):
                let reading = form.read(string: Array(text.utf8).span)
                if let instant = try? reading?.instant(assuming: zone) { return Date(instant) }
            case .number(let text):
                let reading = form.read(number: Array(text.utf8).span)
                if let instant = try? reading?.instant(assuming: zone) { return Date(since1970: instant) }
            default: return nil
            }
        }
        return nil
    }

    /// A date as a string or a number; nil outside the years 0001 to 9999.
    func value(_ date: Date) -> SerializedValue? {
        var text = ByteBuffer()
        guard let instant = Instant(date),
            to.write(instant, zone: zone ?? .utc, precision: nil, into: &text)
        else { return nil }
        let content = String(decoding: Array(text), as: UTF8.self)
        return to.writesNumber ? .number(content) : .string(content)
    }

    /// Whether reading `value` returns the same date, to the microsecond.
    func holds(_ date: Date, in value: SerializedValue) -> Bool {
        guard let read = self.date(value).flatMap(Instant.init), let instant = Instant(date) else { return false }
        return read == instant
    }

    private static func form(_ format: DateFormat) throws(SerializationError) -> DateForm {
        guard format.isPattern else { return DateForm(named: format.name) ?? .auto }
        let pattern: DatePattern
        do throws(DatePatternError) {
            pattern = try DatePattern(format.name)
        } catch {
            throw unusable("\(error.message), at byte \(error.offset) of the pattern")
        }
        if let reason = pattern.readingError { throw unusable(reason) }
        return .pattern(pattern)
    }

    private static func zone(_ name: String) throws(SerializationError) -> Zone {
        do throws(ZoneError) {
            return try Zone(named: name)
        } catch {
            throw unusable(error.message)
        }
    }

    private static func unusable(_ reason: String) -> SerializationError {
        SerializationError(expected: "a valid date format and zone", found: "another (\(reason))")
    }
}
