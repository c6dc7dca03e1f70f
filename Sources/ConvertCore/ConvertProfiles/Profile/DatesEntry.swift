import ConvertEngine
import ConvertText

/// One rule of a profile's `dates` section, as written.
package struct DatesEntry: Sendable, Equatable {
    /// The values that are dates; empty for a rule that scans every string.
    package internal(set) var at: [LocatedSelector] = []
    /// The forms that are read; the inverse writes the first. Empty means `auto`.
    var from: [DateForm] = []
    var to = DateForm.rfc3339
    /// Digits of the fraction of the seconds; nil for as many as the input has.
    package internal(set) var precision: Int?
    /// The zone that dates are written in.
    var zone = Zone.utc
    /// The zone of a date without one. If nil, such a date is refused.
    var assumeZone: Zone?
    /// What happens to a value that is not a date; nil if the profile decides for all rules.
    var badValue: BadValuePolicy?
    package let location: DocumentLocation

    /// Whether the rule has no selectors and scans every string.
    package var scans: Bool { at.isEmpty }

    /// The compiled rule, for a profile without errors.
    func rule() -> DateRule {
        DateRule(from: from, to: to, precision: precision, zone: zone, assumeZone: assumeZone, isScan: scans)
    }
}

// MARK: - Reading

extension ProfileReader {
    /// Reads the output form alone, one rule, or a list of rules.
    mutating func readDates(_ id: NodeID) -> [DatesEntry] {
        if case .string = document[id].kind {
            var entry = DatesEntry(location: location(id))
            guard let form = outputForm(id) else { return [] }
            entry.to = form
            return [entry]
        }
        guard document[id].kind == .array || document[id].kind == .object else {
            refuse(id, expected: "a date format, a rule or an array of rules")
            return []
        }
        return elements(id).compactMap { readDatesEntry($0) }
    }

    private mutating func readDatesEntry(_ id: NodeID) -> DatesEntry? {
        guard let members = members(of: id, as: .dates) else { return nil }
        var entry = DatesEntry(location: location(id))
        let errorCount = faults.count
        if let node = members["at"] {
            entry.at = selectors(node)
            if elements(node).isEmpty {
                refuse(node, "`at` is empty", hint: "leave `at` out to scan all strings")
            }
        }
        if let node = members["from"] { entry.from = inputForms(node) }
        if let node = members["to"] { entry.to = outputForm(node) ?? entry.to }
        if let node = members["precision"] { entry.precision = integer(node, in: ProfileFormat.precision) }
        if let node = members["zone"] { entry.zone = zone(node) ?? entry.zone }
        if let node = members["assumeZone"], document[node].kind != .string(Array("reject".utf8)) {
            entry.assumeZone = zone(node)
        }
        if let node = members["badValue"] { entry.badValue = choice(node) }
        checkMembersTogether(members, of: entry)
        if faults.count == errorCount { warnOfMissingZone(members, of: entry) }
        // A rule whose selectors are all wrong must not become one that scans.
        return entry.at.isEmpty && members["at"] != nil ? nil : entry
    }

    /// Refuses members that exclude each other. After an unknown key, a missing `at` is no error here, because it may be misspelt.
    private mutating func checkMembersTogether(_ members: Members, of entry: DatesEntry) {
        if let node = members["precision"], entry.to != .rfc3339 {
            refuse(locationOfKey(node), "`precision` works only with `rfc3339`", hint: "leave `precision` out")
        }
        guard members["at"] == nil, !members.hasRefused else { return }
        for name in ["from", "assumeZone", "badValue"] {
            guard let node = members[name] else { continue }
            refuse(
                locationOfKey(node), "a rule without `at` scans all strings and cannot have `\(name)`",
                hint: "name the keys or paths in `at`")
        }
    }

    /// Warns if a rule without errors accepts no date, because the formats in `from` have no time zone.
    private mutating func warnOfMissingZone(_ members: Members, of entry: DatesEntry) {
        guard let node = members["from"], members["assumeZone"] == nil,
            entry.from.allSatisfy({ $0.isWithoutZone && !($0.writesDaysOnly && entry.to.writesDaysOnly) })
        else { return }
        warn(
            location(node),
            "forwards, the rule accepts no date, because dates in this format have no time zone",
            hint: "state it in `assumeZone`, such as \"UTC\"")
    }

    private mutating func inputForms(_ id: NodeID) -> [DateForm] {
        if elements(id).isEmpty { refuse(id, "`from` is empty", hint: "leave `from` out for `auto`") }
        return elements(id).compactMap { element in
            form(element, among: DateForm.names) { pattern in
                pattern.readingError.map { "dates cannot be read with this pattern: \($0)" }
            }
        }
    }

    private mutating func outputForm(_ id: NodeID) -> DateForm? {
        form(id, among: DateForm.writableNames) { pattern in
            pattern.writingError.map { "dates cannot be written with this pattern: \($0)" }
        }
    }

    private mutating func form(
        _ id: NodeID, among names: [String], errorOfPattern: (DatePattern) -> String?
    ) -> DateForm? {
        switch document[id].kind {
        case .string(let written):
            if let name = names.first(where: { written.elementsEqual($0.utf8) }) { return DateForm(named: name) }
            if Self.isLikePattern(written) {
                refuse(
                    id, "\(Self.quoted(written)) is not a date format",
                    hint: "write a pattern in a profile as {\"pattern\": \"dd.MM.yyyy\"}")
            } else {
                refuse(id, unknownChoice: written, among: names)
            }
        case .object:
            guard let members = members(of: id, as: .pattern),
                let node = required("pattern", of: id, members, hint: "write {\"pattern\": \"dd/MM/yyyy\"}"),
                let pattern = pattern(node)
            else { return nil }
            guard let reason = errorOfPattern(pattern) else { return .pattern(pattern) }
            refuse(node, reason, hint: "such as `dd/MM/yyyy HH:mm`")
        default: refuse(id, expected: "a date format or an object with `pattern`")
        }
        return nil
    }

    /// Whether a text has a percent sign, or a letter of a date twice, as in `dd.MM.yyyy`.
    private static func isLikePattern(_ text: [UInt8]) -> Bool {
        let letters = Array("yYmMdDhH".utf8)
        return zip(text, text.dropFirst()).contains { $0 == ASCII.percent || $0 == $1 && letters.contains($0) }
    }

    private mutating func pattern(_ id: NodeID) -> DatePattern? {
        guard let text = text(id, expected: "a pattern") else { return nil }
        do throws(DatePatternError) {
            return try DatePattern(text)
        } catch {
            refuse(id, "\(error.message), at byte \(error.offset) of the pattern", hint: "such as `dd/MM/yyyy HH:mm`")
            return nil
        }
    }

    private mutating func zone(_ id: NodeID) -> Zone? {
        guard let text = text(id, expected: "a time zone") else { return nil }
        do throws(ZoneError) {
            return try Zone(named: text)
        } catch {
            let nearest = isFull ? nil : ZoneFile.nearestName(to: text)
            let meant = nearest.map { "did you mean `\($0)`? " } ?? ""
            let hint = "\(meant)write an IANA name such as `Europe/Paris`, an offset such as `+02:00`, or `UTC`"
            refuse(id, "\(Self.quoted(Array(text.utf8))) is not a time zone: \(error.message)", hint: hint)
            return nil
        }
    }
}
