import ConvertEngine

/// The losses of a rule for dates: whether the inverse can write the first `from` again from the text in the form `to`.
extension DatesEntry {
    /// The first reason that is found; nil if every date that the first `from` writes comes back unchanged.
    var loss: ProfileFault? {
        if scans {
            return fault(
                "scanned dates may have had any format",
                hint: "name the keys or paths in `at` and their format in `from`")
        }
        let source = from.first ?? .auto
        guard source.isWritable else {
            let hint = "put the input's format first in `from`, such as `rfc3339`"
            return fault("dates cannot be written back as \(Self.shown(source))", hint: hint)
        }
        if from.count > 1 {
            return fault("all dates come back as \(Self.shown(source))", hint: "leave one format in `from`")
        }
        if case .pattern(let pattern) = source, let reason = pattern.writingError {
            return fault("dates cannot be written back: \(reason)")
        }
        if case .pattern(let pattern) = to, let reason = pattern.readingError {
            return fault("dates cannot be read back with the pattern in `to`: \(reason)")
        }
        return lossOfDetail(source) ?? lossOfHour(source)
    }

    /// The condition on dates, for a rule without loss.
    var condition: String {
        let source = from.first ?? .auto
        let clock = (assumeZone ?? .utc).name
        let message = "reversible for dates written as \(Self.shown(source))"
        guard source.isWithoutZone else { return source.writesZone ? "\(message) in \(clock)" : message }
        return assumeZone?.isFixed == false ? "\(message), at times that exist in \(clock)" : message
    }

    /// The loss if `to` has larger steps than `source`, or a year without the century.
    private func lossOfDetail(_ source: DateForm) -> ProfileFault? {
        let written = precision.map { DateStep.fraction(digits: $0) } ?? to.step
        if written > source.step {
            let form = precision.map { "`precision` \($0)" } ?? Self.shown(to)
            return fault(
                "\(form) keeps \(written), but \(Self.shown(source)) may contain \(source.step)",
                hint: source == .rfc3339 && written <= .second
                    ? "state the input's precision with a pattern in `from`, such as yyyy-MM-dd'T'HH:mm:ssXXX"
                    : "choose a `to` or a `precision` that keeps as much")
        }
        if to.hasShortYear, !source.hasShortYear {
            return fault("a year of two digits does not contain the century", hint: "write yyyy in `to`")
        }
        return nil
    }

    /// The loss if `to` writes local time without the offset: when a zone sets its clock back, one hour occurs twice.
    private func lossOfHour(_ source: DateForm) -> ProfileFault? {
        guard to.writesLocalTime, !zone.isFixed, !(source.isWithoutZone && assumeZone == zone) else { return nil }
        return fault(
            "one hour of the year occurs twice in \(zone.name), and `to` does not say which",
            hint: "add xxx, the offset, to the pattern, or write in UTC")
    }

    private static func shown(_ form: DateForm) -> String {
        if case .pattern = form { form.name } else { "`\(form.name)`" }
    }
}

/// The smallest difference between two dates that a form can show, in nanoseconds.
struct DateStep: Comparable, CustomStringConvertible {
    let nanoseconds: Int64

    static let second = DateStep(nanoseconds: 1_000_000_000)
    static let minute = DateStep(nanoseconds: 60 * second.nanoseconds)
    static let hour = DateStep(nanoseconds: 60 * minute.nanoseconds)
    static let day = DateStep(nanoseconds: 24 * hour.nanoseconds)

    /// The step of `digits` fraction digits of a second. Digits after the ninth do not count.
    static func fraction(digits: Int) -> DateStep {
        var step = second.nanoseconds
        for _ in 0..<min(digits, 9) { step /= 10 }
        return DateStep(nanoseconds: step)
    }

    static func < (left: DateStep, right: DateStep) -> Bool { left.nanoseconds < right.nanoseconds }

    var description: String {
        switch self {
        case .day: "whole days"
        case .hour: "whole hours"
        case .minute: "whole minutes"
        case .second: "whole seconds"
        default: "steps of \(nanoseconds) ns"
        }
    }
}

extension DateForm {
    fileprivate var step: DateStep {
        switch self {
        case .auto, .iso8601, .rfc3339, .epochNanoseconds, .appleSeconds: .fraction(digits: 9)
        case .dotnetTicks, .fileTime: .fraction(digits: 7)
        case .epochMicroseconds: .fraction(digits: 6)
        case .epochMilliseconds, .dotnetJSON: .fraction(digits: 3)
        case .epochSeconds, .rfc2822, .httpDate, .asctime: .second
        case .date: .day
        case .pattern(let pattern): pattern.step
        }
    }

    fileprivate var hasShortYear: Bool {
        if case .pattern(let pattern) = self { pattern.fields.contains(.year(width: 2)) } else { false }
    }

    /// Whether its text depends on a zone, and shows it.
    fileprivate var writesZone: Bool {
        switch self {
        case .rfc3339, .rfc2822: true
        case .pattern: !isWithoutZone
        default: false
        }
    }

    /// Whether the zone of a date is neither in its text nor fixed by the form.
    var isWithoutZone: Bool {
        switch self {
        case .date, .asctime: true
        case .pattern(let pattern): !pattern.fields.contains { $0.kind == .zone }
        default: false
        }
    }

    /// Whether its text is a local time without its zone.
    fileprivate var writesLocalTime: Bool { isWithoutZone && !writesDaysOnly }
}

extension DatePattern {
    fileprivate var step: DateStep {
        var step = DateStep.day
        for field in fields {
            switch field {
            case .fraction(let width): step = min(step, .fraction(digits: width))
            case .second: step = min(step, .second)
            case .minute: step = min(step, .minute)
            case .hour: step = min(step, .hour)
            default: break
            }
        }
        return step
    }
}
