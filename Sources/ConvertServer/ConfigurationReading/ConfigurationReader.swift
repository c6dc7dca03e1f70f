import ConvertEngine
package import ConvertProfiles
package import Gateway
import HTTPSemantics
import Text

/// Reads a configuration document into values, and collects all its errors.
///
/// An extension reads each section. A method that cannot read its value records the error and returns nil, and its
/// caller continues. So one error hides no other.
package struct ConfigurationReader {
    /// The most errors that are listed.
    static let maxFaults = 1000

    /// The base of relative paths: the file's directory; empty for the working directory.
    private let directory: String
    /// The profiles that routes name.
    package internal(set) var references: [ProfileReference] = []
    private var found: [ProfileFault] = []

    package init(directory: String) { self.directory = directory }

    /// All errors, in the order of the document.
    package var faults: [ProfileFault] {
        found.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    /// A path from the file in the form that the process can open.
    package func resolved(_ path: String) -> String {
        path.hasPrefix("/") || directory.isEmpty ? path : "\(directory)/\(path)"
    }
}

// MARK: - Objects

extension ConfigurationReader {
    /// The known keys of one object.
    package struct Members {
        let location: DocumentLocation
        fileprivate var values: [String: SettingsValue] = [:]
        /// The keys that unknown keys are probably meant to be. These are misspelt and not missing.
        fileprivate var misspelt: Set<String> = []

        package subscript(name: String) -> SettingsValue? { values[name] }
    }

    mutating func members(
        of value: SettingsValue, as object: ConfigurationFormat.Object, expected: String = "an object",
        hint: String? = nil
    ) -> Members? {
        let known = ConfigurationFormat.members(of: object)
        let list = "known keys: \(known.map { "`\($0)`" }.joined(separator: ", "))"
        return members(of: value, known: known, expected: expected, hint: hint, hintForUnknown: list)
    }

    /// Sorts an object's keys into known ones and errors; nil if it is not an object.
    ///
    /// - Parameter hintForUnknown: the hint for a key that resembles no known one.
    package mutating func members(
        of value: SettingsValue, known: [String], expected: String = "an object", hint: String? = nil,
        hintForUnknown: String
    ) -> Members? {
        guard let all = namedValues(of: value, expected: expected, hint: hint) else { return nil }
        var members = Members(location: value.location)
        for member in all {
            if let name = known.first(where: { ExactText($0) == ExactText(member.name) }) {
                members.values[name] = member.value
                continue
            }
            let nearest = NearestName.nearest(to: member.name, among: known)
            if let nearest { members.misspelt.insert(nearest) }
            refuse(
                member.location, "unknown key `\(member.name)`",
                hint: nearest.map { "did you mean `\($0)`?" } ?? hintForUnknown)
        }
        return members
    }

    /// The members of an object with arbitrary keys, each key once; nil if it is not an object.
    mutating func namedValues(
        of value: SettingsValue, expected: String = "an object", hint: String? = nil
    ) -> [SettingsValue.Member]? {
        guard case .object(let members) = value.content else { return refused(value, expected: expected, hint: hint) }
        var locations: [ExactText: DocumentLocation] = [:]
        return members.filter { member in
            guard let first = locations[ExactText(member.name)] else {
                locations[ExactText(member.name)] = member.location
                return true
            }
            refuse(
                member.location, "duplicate key `\(member.name)`", hint: "the first one is on line \(first.line)")
            return false
        }
    }

    /// The value of a required key.
    mutating func required(_ name: String, of members: Members) -> SettingsValue? {
        if let value = members[name] { return value }
        if !members.misspelt.contains(name) { refuse(members.location, "the key `\(name)` is missing") }
        return nil
    }
}

// MARK: - Values

extension ConfigurationReader {
    /// A string that is not empty and fits into a log line, an address or a label.
    package mutating func text(_ value: SettingsValue, expected: String = "a string") -> String? {
        guard case .text(let text) = value.content else { return refused(value, expected: expected) }
        guard !text.isEmpty else { return refused(value.location, "expected \(expected), found an empty string") }
        guard !Self.holdsControls(text) else {
            return refused(value.location, "expected \(expected), found a string with a control character")
        }
        return text
    }

    /// Whether a text contains a line feed, a zero byte or another control character.
    static func holdsControls(_ text: String) -> Bool {
        text.utf8.contains { $0 < ASCII.space || $0 == ASCII.delete }
    }

    /// An array's elements, or the value itself, because a list of one may be written without brackets.
    package func elements(_ value: SettingsValue) -> [SettingsValue] {
        if case .list(let elements) = value.content { elements } else { [value] }
    }

    /// The strings of a list, each with its value. Other elements are errors.
    package mutating func texts(_ value: SettingsValue, expected: String) -> [(text: String, value: SettingsValue)] {
        var texts: [(String, SettingsValue)] = []
        for element in elements(value) {
            if let text = text(element, expected: expected) { texts.append((text, element)) }
        }
        return texts
    }

    mutating func boolean(_ value: SettingsValue) -> Bool? {
        guard case .boolean(let isTrue) = value.content else { return refused(value, expected: "true or false") }
        return isTrue
    }

    /// A whole number, or a string with a number and its unit.
    package mutating func integer(_ value: SettingsValue, in range: ClosedRange<Int>, _ unit: Quantity.Unit? = nil)
        -> Int?
    {
        let wanted = Quantity.expected(in: range, unit, isJSON: true)
        let number: Int?
        switch value.content {
        case .number(let digits): number = Int(digits)
        case .text(let text) where unit != nil: number = Quantity.value(ofUnited: text, in: unit)
        default:
            return refused(value, expected: wanted)
        }
        guard let number, range.contains(number) else {
            return refused(value.location, "expected \(wanted), found \(value.literal)")
        }
        return number
    }

    /// A time of at least a millisecond: a number of seconds, or a string with a number and its unit.
    mutating func seconds(_ value: SettingsValue) -> Duration? {
        let wanted = "a time from 0.001 to \(ConfigurationFormat.maxSeconds) seconds, such as 0.5, 30 or \"30s\""
        let number: Double?
        switch value.content {
        case .number(let digits): number = Double(digits)
        case .text(let text): number = Quantity.value(ofUnited: text, in: .seconds).map(Double.init)
        default: number = nil
        }
        guard let number, (0.001...Double(ConfigurationFormat.maxSeconds)).contains(number) else {
            return refused(value.location, "expected \(wanted), found \(value.literal)")
        }
        return .seconds(number)
    }

    /// The case of `Value` that a string names. Any other value is an error.
    package mutating func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ value: SettingsValue, of type: Value.Type = Value.self
    ) -> Value? {
        let names = Value.allCases.map(\.rawValue)
        let list = names.map { "`\($0)`" }.joined(separator: ", ")
        guard case .text(let text) = value.content else { return refused(value, expected: "one of \(list)") }
        if let choice = Value(exactly: text) { return choice }
        let nearest = NearestName.nearest(to: text, among: names).map { "did you mean `\($0)`?" }
        return refused(value.location, "`\(text)` is not a valid value", hint: nearest ?? "valid values: \(list)")
    }

    /// Statuses: `Nxx` or exact codes.
    mutating func statuses(_ value: SettingsValue) -> StatusSet {
        var statuses = StatusSet()
        for element in elements(value) {
            let text: String
            switch element.content {
            case .text(let written), .number(let written): text = written
            default:
                refuse(element, expected: "a status")
                continue
            }
            if !statuses.insert(text) {
                refuse(
                    element.location, "`\(text)` is not a status", hint: "write a class, such as `2xx`, or a code"
                )
            }
        }
        return statuses
    }
}

extension SettingsValue {
    /// A number or a string as in the document.
    fileprivate var literal: String {
        switch content {
        case .number(let digits): digits
        case .text(let text): "`\(text)`"
        default: noun
        }
    }
}

// MARK: - Errors

extension ConfigurationReader {
    package mutating func refuse(_ location: DocumentLocation, _ message: String, hint: String? = nil) {
        guard found.count < Self.maxFaults else { return }
        found.append(ProfileFault(at: location, message, hint: hint))
    }

    /// Refuses an empty list. The hint describes the behaviour without the key.
    package mutating func refuseEmptyList(_ value: SettingsValue, _ hint: String) {
        if case .list(let elements) = value.content, elements.isEmpty {
            refuse(value.location, "the list is empty", hint: hint)
        }
    }

    mutating func refuse(_ value: SettingsValue, expected: String, hint: String? = nil) {
        refuse(value.location, "expected \(expected), found \(value.noun)", hint: hint)
    }

    /// Does the same, and returns nil in place of the value.
    package mutating func refused<Value>(_ location: DocumentLocation, _ message: String, hint: String? = nil) -> Value?
    {
        refuse(location, message, hint: hint)
        return nil
    }

    mutating func refused<Value>(_ value: SettingsValue, expected: String, hint: String? = nil) -> Value? {
        refused(value.location, "expected \(expected), found \(value.noun)", hint: hint)
    }
}
