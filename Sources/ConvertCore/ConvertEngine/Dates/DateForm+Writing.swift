import ConvertText

extension DateForm {
    /// Appends an instant. Returns false, and appends nothing, if the result is outside the years 0001–9999.
    package func write(_ instant: Instant, zone: Zone, precision: Int?, into output: inout ByteBuffer) -> Bool {
        guard Instant.representableSeconds ~= instant.seconds else { return false }
        switch self {
        case .rfc3339:
            guard let moment = CivilDateTime(instant, offset: Self.wholeMinutes(zone, instant)) else { return false }
            Self.writeRFC3339(moment, precision: precision, into: &output)
        case .rfc2822:
            guard let moment = CivilDateTime(instant, offset: Self.wholeMinutes(zone, instant)) else { return false }
            Self.writeMail(moment, into: &output)
            output.appendOffset(moment.offset, hasColon: false)
        case .httpDate:
            guard let moment = CivilDateTime(instant, offset: 0) else { return false }
            Self.writeMail(moment, into: &output)
            output.append(DateNames.gmt)
        case .date:
            guard let moment = CivilDateTime(instant, offset: zone.offset(at: instant.seconds)) else { return false }
            output.appendDay(moment.date)
        case .pattern(let pattern):
            let offset =
                pattern.writesOffset ? Self.wholeMinutes(zone, instant) : zone.offset(at: instant.seconds)
            guard let moment = CivilDateTime(instant, offset: offset) else { return false }
            pattern.write(moment, into: &output)
        default:
            return writeCount(of: instant, into: &output)
        }
        return true
    }

    /// Appends a day without a time, which belongs to no zone; only for forms that write days only.
    func write(day: CivilDate, into output: inout ByteBuffer) {
        if case .pattern(let pattern) = self {
            pattern.write(CivilDateTime(date: day, secondOfDay: 0, nanoseconds: 0, offset: 0), into: &output)
        } else {
            output.appendDay(day)
        }
    }

    /// The zone's offset without the seconds of old local times, which no text form can express. The instant does not change.
    private static func wholeMinutes(_ zone: Zone, _ instant: Instant) -> Int {
        zone.offset(at: instant.seconds) / 60 * 60
    }

    private static func writeRFC3339(_ moment: CivilDateTime, precision: Int?, into output: inout ByteBuffer) {
        output.appendDay(moment.date)
        output.append(ASCII.upperT)
        output.appendTime(moment)
        if let precision {
            if precision > 0 {
                output.append(ASCII.dot)
                output.appendFraction(moment.nanoseconds, digits: precision)
            }
        } else {
            output.appendShortestFraction(moment.nanoseconds)
        }
        if moment.offset == 0 {
            output.append(ASCII.upperZ)
        } else {
            output.appendOffset(moment.offset, hasColon: true)
        }
    }

    /// Writes `Sun, 06 Nov 1994 08:49:37 `, without the zone.
    private static func writeMail(_ moment: CivilDateTime, into output: inout ByteBuffer) {
        output.append(DateNames.shortDays[moment.date.weekday])
        output.append(ASCII.comma)
        output.append(ASCII.space)
        output.appendTwoDigits(moment.date.day)
        output.append(ASCII.space)
        output.append(DateNames.shortMonths[moment.date.month - 1])
        output.append(ASCII.space)
        output.appendDigits(moment.date.year, width: 4)
        output.append(ASCII.space)
        output.appendTime(moment)
        output.append(ASCII.space)
    }

    /// Writes forms that count from an origin and have no zone. The range of years applies to UTC.
    private func writeCount(of instant: Instant, into output: inout ByteBuffer) -> Bool {
        guard instant.isInYearsOneTo9999 else { return false }
        switch self {
        case .appleSeconds: output.appendDecimalSeconds(of: instant, from: Instant.secondsTo2001)
        case .dotnetJSON:
            output.append(utf8: "/Date(")
            output.appendCount(of: instant, unitDigits: 3)
            output.append(utf8: ")/")
        default:
            // `auto`, `iso8601` and `asctime` cannot be written, and rules that would write them are refused.
            guard let count else { return false }
            output.appendCount(of: instant, from: count.origin, unitDigits: count.unitDigits)
        }
        return true
    }
}
