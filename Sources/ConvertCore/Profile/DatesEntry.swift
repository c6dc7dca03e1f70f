/// A date form by the name that profiles give it.
public enum DateFormName: String, Sendable, Hashable, CaseIterable {
    case auto, rfc3339, iso8601, date
    case epochSeconds = "epoch-s"
    case epochMilliseconds = "epoch-ms"
    case epochMicroseconds = "epoch-us"
    case epochNanoseconds = "epoch-ns"
    case rfc2822
    case httpDate = "http-date"
    case asctime
    case dotnetJSON = "dotnet-json"
    case dotnetTicks = "dotnet-ticks"
    case filetime
    case appleSeconds = "apple-s"

    /// Whether the name stands for one form, so that dates can be written in it.
    public var isWritable: Bool {
        switch self {
        case .auto, .iso8601, .asctime: false
        default: true
        }
    }
}

/// A date form as written in a profile.
public enum WrittenDateForm: Sendable, Hashable {
    case named(DateFormName)
    /// Unicode LDML letters.
    case pattern(String)
}

/// One rule of a profile's `dates` section, as written.
public struct DatesEntry: Sendable, Hashable {
    /// The fields that are dates; empty for a rule that scans every string.
    public internal(set) var at: [PlacedSelector] = []
    /// At least one; the first is what the inverse writes.
    public internal(set) var from: [WrittenDateForm] = [.named(.auto)]
    public internal(set) var to = WrittenDateForm.named(.rfc3339)
    /// Fraction digits of the seconds; as many as the input had when nil.
    public internal(set) var precision: Int?
    /// IANA name, `±HH:MM` or `UTC`.
    public internal(set) var zone = "UTC"
    /// The zone of a date without one; such a date is refused when nil.
    public internal(set) var assumeZone: String?
    public let place: ProfilePlace

    /// Whether the rule has no fields of its own and looks at every string.
    public var scans: Bool { at.isEmpty }

    init(place: ProfilePlace) { self.place = place }
}

// MARK: - Reading

extension ProfileReader {
    /// Reads the output form alone, one rule, or a list of rules.
    mutating func readDates(_ id: NodeID) -> [DatesEntry] {
        if case .string = document[id].kind {
            var entry = DatesEntry(place: place(id))
            guard let form = outputForm(id) else { return [] }
            entry.to = form
            return [entry]
        }
        guard document[id].kind == .array || document[id].kind == .object else {
            refuse(id, expected: "a date form, a rule or an array of rules")
            return []
        }
        var entries: [DatesEntry] = []
        for element in elements(id) {
            if let entry = readDatesEntry(element) { entries.append(entry) }
        }
        return entries
    }

    private mutating func readDatesEntry(_ id: NodeID) -> DatesEntry? {
        guard let members = members(of: id, as: .dates) else { return nil }
        var entry = DatesEntry(place: place(id))
        if let node = members["at"] {
            entry.at = selectors(node)
            if elements(node).isEmpty {
                refuse(node, "`at` names no field", hint: "leave `at` out to scan all strings")
            }
        } else if !members.hasRefused {
            for name in ["from", "assumeZone"] {
                guard let node = members[name] else { continue }
                refuse(
                    placeOfName(node), "a rule without `at` scans, and has no `\(name)`",
                    hint: "name the fields in `at`")
            }
        }
        if let node = members["from"] { entry.from = inputForms(node) }
        if let node = members["to"] { entry.to = outputForm(node) ?? entry.to }
        if let node = members["precision"] {
            entry.precision = integer(node, in: ProfileFormat.precision)
            if entry.to != .named(.rfc3339) {
                refuse(placeOfName(node), "`precision` goes only with `rfc3339`", hint: "leave `precision` out")
            }
        }
        if let node = members["zone"] { entry.zone = zone(node) ?? entry.zone }
        if let node = members["assumeZone"], document[node].kind != .string(Array("reject".utf8)) {
            entry.assumeZone = zone(node)
        }
        // A rule whose fields are all faulty must not be taken for one that scans.
        return entry.at.isEmpty && members["at"] != nil ? nil : entry
    }

    private mutating func inputForms(_ id: NodeID) -> [WrittenDateForm] {
        var forms: [WrittenDateForm] = []
        for element in elements(id) {
            if let form = form(element, among: DateFormName.allCases) { forms.append(form) }
        }
        if elements(id).isEmpty { refuse(id, "`from` names no form", hint: "leave `from` out for `auto`") }
        return forms
    }

    private mutating func outputForm(_ id: NodeID) -> WrittenDateForm? {
        form(id, among: DateFormName.allCases.filter(\.isWritable))
    }

    private mutating func form(_ id: NodeID, among names: [DateFormName]) -> WrittenDateForm? {
        switch document[id].kind {
        case .string(let written):
            if let name = names.first(where: { written.elementsEqual($0.rawValue.utf8) }) { return .named(name) }
            refuse(id, unknownChoice: written, among: names.map(\.rawValue))
        case .object:
            guard let members = members(of: id, as: .datePattern) else { return nil }
            if let node = members["pattern"] { return pattern(node) }
            if !members.hasRefused { refuse(id, "`pattern` is missing", hint: "write {\"pattern\": \"dd/MM/yyyy\"}") }
        default: refuse(id, expected: "a date form or {\"pattern\": …}")
        }
        return nil
    }
}

// MARK: - What the date engine judges

extension ProfileReader {
    private mutating func pattern(_ id: NodeID) -> WrittenDateForm? {
        guard let text = text(id, expected: "a pattern, a string") else { return nil }
        if let problem = Self.problem(ofPattern: text) {
            refuse(id, problem, hint: "such as `dd/MM/yyyy HH:mm`, other text between apostrophes")
            return nil
        }
        return .pattern(text)
    }

    private mutating func zone(_ id: NodeID) -> String? {
        guard let text = text(id, expected: "a time zone, a string") else { return nil }
        if let problem = Self.problem(ofZone: text) {
            refuse(id, problem, hint: "write an IANA name such as `Europe/Paris`, an offset such as `+02:00`, or `UTC`")
            return nil
        }
        return text
    }

    private static func problem(ofPattern text: String) -> String? {
        let apostrophes = text.utf8.count { $0 == ASCII.apostrophe }
        if !apostrophes.isMultiple(of: 2) { return "an apostrophe of the pattern is not closed" }
        return text.utf8.contains(where: ASCII.isLetter) ? nil : "the pattern names no part of a date"
    }

    /// time-numoffset = ("+" / "-") time-hour ":" time-minute (RFC 3339), at most 18:00; else a name of the zone files.
    private static func problem(ofZone text: String) -> String? {
        let bytes = Array(text.utf8)
        let complaint = "\(quoted(bytes)) is no time zone"
        guard let first = bytes.first else { return "the time zone is empty" }
        if first == ASCII.plus || first == ASCII.minus {
            guard bytes.count == 6, bytes[3] == ASCII.colon else { return complaint }
            let digits = [bytes[1], bytes[2], bytes[4], bytes[5]]
            guard digits.allSatisfy(ASCII.isDigit) else { return complaint }
            let values = digits.map { Int($0 - ASCII.zero) }
            let minute = values[2] * 10 + values[3]
            let isInRange = minute < 60 && (values[0] * 10 + values[1]) * 60 + minute <= 18 * 60
            return isInRange ? nil : "\(quoted(bytes)) is more than 18 hours or has more than 59 minutes"
        }
        let marks = [ASCII.slash, ASCII.underscore, ASCII.minus, ASCII.plus]
        let isName = bytes.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || marks.contains($0) }
        return isName && ASCII.isLetter(first) ? nil : complaint
    }
}
