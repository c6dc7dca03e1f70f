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
        if faults.isEmpty { checkParts(entry, members) }
        // A rule whose fields are all faulty must not be taken for one that scans.
        return entry.at.isEmpty && members["at"] != nil ? nil : entry
    }

    /// Checks what only the parts together show, such as a pattern that can be read but not written.
    private mutating func checkParts(_ entry: DatesEntry, _ members: Members) {
        do throws(DateRuleError) {
            _ = try DateRule(entry)
        } catch {
            guard let node = members[error.member.rawValue] else { return }
            refuse(node, error.message)
        }
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
        do throws(DatePatternError) {
            _ = try DatePattern(text)
            return .pattern(text)
        } catch {
            refuse(id, error.message, hint: "such as `dd/MM/yyyy HH:mm`, other text between apostrophes")
            return nil
        }
    }

    private mutating func zone(_ id: NodeID) -> String? {
        guard let text = text(id, expected: "a time zone, a string") else { return nil }
        do throws(ZoneError) {
            _ = try Zone(named: text)
            return text
        } catch {
            refuse(
                id, "\(Self.quoted(Array(text.utf8))) is no time zone: \(error.message)",
                hint: "write an IANA name such as `Europe/Paris`, an offset such as `+02:00`, or `UTC`")
            return nil
        }
    }
}
