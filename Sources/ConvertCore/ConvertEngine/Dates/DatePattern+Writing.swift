import ConvertText

extension DatePattern {
    /// Writes a local date and time; fractions are cut off, never rounded.
    func write(_ moment: CivilDateTime, into output: inout ByteBuffer) {
        for field in fields { Self.write(field, moment, into: &output) }
    }

    private static func write(_ field: Field, _ moment: CivilDateTime, into output: inout ByteBuffer) {
        let date = moment.date
        switch field {
        case .literal(let bytes): output.append(bytes)
        case .year(let width): output.appendDigits(width == 2 ? date.year % 100 : date.year, width: width)
        case .month(let width): output.appendDigits(date.month, width: width)
        case .shortMonth: output.append(DateNames.shortMonths[date.month - 1])
        case .longMonth: output.append(DateNames.months[date.month - 1])
        case .narrowMonth: output.append(DateNames.months[date.month - 1][0])
        case .day(let width): output.appendDigits(date.day, width: width)
        case .dayOfYear(let width): output.appendDigits(date.dayOfYear, width: width)
        case .shortWeekday: output.append(DateNames.shortDays[date.weekday])
        case .longWeekday: output.append(DateNames.days[date.weekday])
        case .narrowWeekday: output.append(DateNames.days[date.weekday][0])
        case .half: output.append(DateNames.halves[moment.hour / 12])
        case .hour(let cycle, let width): output.appendDigits(cycle.number(ofHour: moment.hour), width: width)
        case .minute(let width): output.appendDigits(moment.minute, width: width)
        case .second(let width): output.appendDigits(moment.second, width: width)
        case .fraction(let width): output.appendFraction(moment.nanoseconds, digits: width)
        case .offset(let style): write(offset: moment.offset, style, into: &output)
        // A pattern with this field cannot be used for writing.
        case .zoneName: break
        }
    }

    private static func write(offset: Int, _ style: OffsetStyle, into output: inout ByteBuffer) {
        guard offset != 0 || !style.usesZ else { return output.append(ASCII.upperZ) }
        let dropsMinutes = style.dropsZeroMinutes && offset % 3_600 == 0
        output.appendOffset(offset, hasColon: style.hasColon, hasMinutes: !dropsMinutes)
    }

    /// Whether it writes the offset. Then the local time must be that of the written offset, which has whole minutes.
    var writesOffset: Bool {
        fields.contains { field in
            if case .offset = field { true } else { false }
        }
    }
}

extension DatePattern.HourCycle {
    fileprivate func number(ofHour hour: Int) -> Int {
        switch self {
        case .from0To23: hour
        case .from1To24: hour == 0 ? 24 : hour
        case .from0To11: hour % 12
        case .from1To12: hour % 12 == 0 ? 12 : hour % 12
        }
    }
}
