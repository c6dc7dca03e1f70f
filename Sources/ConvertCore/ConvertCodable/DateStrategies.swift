import ConvertEngine
public import FoundationEssentials

/// The reason why a date strategy cannot be created.
public struct DateStrategyError: Error, Sendable, Hashable {
    /// A message about the zone, in one line.
    public let message: String
}

extension DateStrategyError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension JSONDecoder.DateDecodingStrategy {
    /// Reads a date in any form that a profile's `auto` accepts: RFC 3339 and ISO 8601, RFC 2822 and HTTP, `/Date(…)/`, and time
    /// since 1970.
    ///
    /// Time since 1970 is a number or digits: seconds, milliseconds, microseconds or nanoseconds, by its size. A date without a zone is
    /// refused. So is a date without a time, because that is the start of the day in the assumed zone. A number is
    /// always a count: 20240714 is a day in 1970.
    public static func flexible() -> JSONDecoder.DateDecodingStrategy { flexible(zone: nil) }

    /// Reads a date in any form that a profile's `auto` accepts. A date without a zone is in the zone `name`: an IANA name,
    /// `±HH:MM` or `UTC`.
    ///
    /// - Throws: `DateStrategyError` for a zone that this system does not know.
    public static func flexible(
        assuming name: String
    ) throws(DateStrategyError) -> JSONDecoder.DateDecodingStrategy { flexible(zone: try Zone(strategyZone: name)) }

    private static func flexible(zone: Zone?) -> JSONDecoder.DateDecodingStrategy {
        let dates = FlexibleDates(zone: zone)
        return .custom { decoder in try dates.read(decoder) }
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// Writes RFC 3339 in UTC, with as many fraction digits as the date has, to the microsecond. `flexible()` reads it back.
    public static func flexible() -> JSONEncoder.DateEncodingStrategy { flexible(zone: .utc) }

    /// Writes RFC 3339 in local time of the zone `name`: an IANA name, `±HH:MM` or `UTC`.
    ///
    /// - Throws: `DateStrategyError` for a zone that this system does not know.
    public static func flexible(
        zone name: String
    ) throws(DateStrategyError) -> JSONEncoder.DateEncodingStrategy { flexible(zone: try Zone(strategyZone: name)) }

    private static func flexible(zone: Zone) -> JSONEncoder.DateEncodingStrategy {
        let dates = FlexibleDates(zone: zone)
        return .custom { date, encoder in try dates.write(date, to: encoder) }
    }
}

/// Dates between any coder and the engine's forms.
private struct FlexibleDates {
    /// The zone that is assumed when reading, and in which dates are written.
    let zone: Zone?

    /// The limit in bytes; longer strings are not dates.
    private static let maxDateBytes = 1024

    func read(_ decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            let bytes = Array(text.utf8)
            let reading = bytes.count <= Self.maxDateBytes ? DateForm.auto.read(string: bytes.span) : nil
            return Date(try instant(reading, decoder))
        }
        let number = try Self.numberText(container)
        return Date(since1970: try instant(DateForm.auto.read(number: number.span), decoder))
    }

    private func instant(_ reading: DateReading?, _ decoder: any Decoder) throws -> Instant {
        guard let reading else { throw Self.error("expected a date", decoder.codingPath) }
        do throws(DateReading.InstantError) {
            return try reading.instant(assuming: zone)
        } catch .noZone {
            throw Self.error("expected a date with a zone", decoder.codingPath)
        } catch .noLeapSecond {
            throw Self.error(
                "expected second 60 only at 23:59 UTC on 30 June or 31 December", decoder.codingPath)
        }
    }

    private static func numberText(_ container: any SingleValueDecodingContainer) throws -> [UInt8] {
        if let integer = try? container.decode(Int64.self) { return Array(String(integer).utf8) }
        do {
            return Array(try container.decode(Decimal.self).description.utf8)
        } catch DecodingError.typeMismatch(_, let context) {
            throw DecodingError.typeMismatch(Date.self, dateContext(context.codingPath))
        } catch DecodingError.valueNotFound(_, let context) {
            throw DecodingError.valueNotFound(Date.self, dateContext(context.codingPath))
        }
    }

    private static func dateContext(_ path: [any CodingKey]) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: path,
            debugDescription: "expected a date, found another kind of value at \"\(JSONPointer(codingPath: path))\"")
    }

    private static func error(_ expected: String, _ path: [any CodingKey]) -> DecodingError {
        let message = "\(expected), found another value at \"\(JSONPointer(codingPath: path))\""
        let context = DecodingError.Context(codingPath: path, debugDescription: message)
        return .dataCorrupted(context)
    }

    func write(_ date: Date, to encoder: any Encoder) throws {
        guard let text = DateText(from: [.auto], to: .rfc3339, zone: zone).value(date)?.string else {
            let context = EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: "expected a date in the years 0001 to 9999")
            // The seconds and not the date: the error's text contains the value, and describing an infinite `Date` traps.
            throw EncodingError.invalidValue(date.timeIntervalSince1970, context)
        }
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Zone {
    fileprivate init(strategyZone name: String) throws(DateStrategyError) {
        do throws(ZoneError) {
            try self.init(named: name)
        } catch {
            throw DateStrategyError(message: "\(name) is not a known time zone")
        }
    }
}
