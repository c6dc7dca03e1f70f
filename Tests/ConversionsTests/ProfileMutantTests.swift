import ConvertCodable
import ConvertEngine
import FoundationEssentials
import TestSupport
import Testing

@testable import Conversions
@testable import ConvertProfiles

/// Profiles with one changed rule, compared with the original on the payloads of the repository.
struct ProfileMutantTests {
    private struct Subject {
        let name: String
        let document: JSONValue
        let payloads: [[UInt8]]
    }

    /// A profile with one change.
    private struct Mutant {
        let name: String
        let document: JSONValue
    }

    private static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(BuiltProgram.project)/\(path)")))
    }

    private static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(BuiltProgram.project)/\(folder)").sorted()
    }

    /// The profiles of `examples`, with the inputs of their examples.
    private static func examples() throws -> [Subject] {
        try names(in: "examples/profiles").map { file in
            let document = try JSONValue(parsing: try read("examples/profiles/\(file)"))
            let inputs = try #require(document["examples"]?.array).compactMap { $0["in"]?.bytes() }
            return Subject(name: file, document: document, payloads: inputs + (moreInputs[file] ?? []))
        }
    }

    /// Inputs for rules that the examples of a profile do not show.
    private static let moreInputs: [String: [[UInt8]]] = [
        // Seconds are milliseconds here, and a number in any form is seconds.
        "access-log.json": [Array(#"{"ts": 1772366400}"#.utf8)],
        "dotnet.json": [#"{"UpdatedAt": "/Date(1772366400250)/"}"#, #"{"OrderDate": 1772366400}"#].map {
            Array($0.utf8)
        },
        // Numbers do not fit the pattern. With one more `X`, an offset has no colon.
        "mobile.json": [
            #"{"orders": [{"createdAt": 1772366400}]}"#, #"{"orders": [{"createdAt": "2026-03-01T12:00:00+01:00"}]}"#,
        ].map { Array($0.utf8) },
        // The plural of an acronym is one word.
        "python-backend.json": [Array(#"{"imageURLs": []}"#.utf8)],
    ]

    /// The fixtures with an output, each with its own input.
    private static func fixtures() throws -> [Subject] {
        try Fixtures.names(in: "transform").compactMap { name in
            guard let profile = try? Fixtures.bytes("transform/\(name)/profile.json"),
                let input = try? Fixtures.bytes("transform/\(name)/input.json"),
                let document = try? JSONValue(parsing: profile)
            else { return nil }
            return Subject(name: name, document: document, payloads: [input])
        }
    }

    /// All profiles that differ by one rule: a key or an element is missing, or a text, number or switch is another one.
    private static func mutants(of document: JSONValue) -> [Mutant] {
        var mutants: [Mutant] = []
        func visit(_ value: JSONValue, _ path: String, _ rebuild: (JSONValue) -> JSONValue) {
            switch value {
            case .object(let object):
                for (index, member) in object.members.enumerated() {
                    if path.isEmpty, ["$schema", "version", "name", "description", "examples"].contains(member.name) {
                        continue
                    }
                    var rest = object
                    rest.members.remove(at: index)
                    mutants.append(Mutant(name: "without \(path)/\(member.name)", document: rebuild(.object(rest))))
                    visit(member.value, "\(path)/\(member.name)") { changed in
                        var other = object
                        other.members[index].value = changed
                        return rebuild(.object(other))
                    }
                }
            case .array(let elements):
                for (index, element) in elements.enumerated() {
                    var rest = elements
                    rest.remove(at: index)
                    mutants.append(Mutant(name: "without \(path)/\(index)", document: rebuild(.array(rest))))
                    visit(element, "\(path)/\(index)") { changed in
                        var other = elements
                        other[index] = changed
                        return rebuild(.array(other))
                    }
                }
            case .string(let text):
                mutants.append(Mutant(name: "\(path) with X", document: rebuild(.string(text + "X"))))
            case .bool(let isOn): mutants.append(Mutant(name: "\(path) negated", document: rebuild(.bool(!isOn))))
            case .number(let number):
                if let value = number.int {
                    mutants.append(Mutant(name: "\(path) plus 1", document: rebuild(.number(JSONNumber(value + 1)))))
                }
            case .null: break
            }
        }
        visit(document, "") { $0 }
        return mutants
    }

    private static func compared(_ document: JSONValue, _ direction: Profile.Direction) -> ComparedProfile? {
        guard let profile = try? Profile(parsing: document.bytes()), let plan = try? profile.compile(direction) else {
            return nil
        }
        return ComparedProfile(profile, plan)
    }

    /// The output, or the code of the error.
    private static func result(_ payload: [UInt8], _ plan: Plan) -> Result<[UInt8], ConversionError> {
        Result { () throws(ConversionError) in try plan.convert(payload) }
    }

    /// Compares a profile with all its mutants. The oracle is the bytes of the converter's outputs.
    ///
    /// - Returns: the mutants that no payload distinguishes, and the number of all.
    private static func trial(_ subject: Subject) throws -> (unseen: [String], count: Int) {
        guard let old = compared(subject.document, .forward) else { return ([], 0) }
        var unseen: [String] = []
        var count = 0
        for mutant in mutants(of: subject.document) {
            guard let new = compared(mutant.document, .forward) else { continue }
            count += 1
            var comparison = ProfileComparison(old: old, new: new, .all, maxGroups: .max)
            var isSeen = false
            for payload in subject.payloads {
                let before = comparison.tally.groups.reduce(0) { $0 + $1.count }
                let outcome = comparison.add(payload, .document)
                let after = comparison.tally.groups.reduce(0) { $0 + $1.count }
                let expected: ProfileComparison.Outcome? =
                    switch (result(payload, old.plan), result(payload, new.plan)) {
                    case (.success(let first), .success(let second)): first == second ? .same : .differs
                    case (.failure(let first), .failure(let second)):
                        first.code == second.code ? .unconvertible(first) : .error
                    default: .error
                    }
                #expect(outcome == expected, "\(subject.name), \(mutant.name)")
                let isDifferent = outcome == .differs || outcome == .error
                #expect((after > before) == isDifferent, "\(subject.name), \(mutant.name)")
                if isDifferent { isSeen = true }
            }
            if !isSeen { unseen.append(mutant.name) }
        }
        return (unseen, count)
    }

    @Test func `every changed rule of an example profile is found on its payloads`() throws {
        var count = 0
        for subject in try Self.examples() {
            let trial = try Self.trial(subject)
            count += trial.count
            #expect(trial.unseen == Self.equivalents[subject.name] ?? [], "\(subject.name)")
        }
        #expect(count > 60)
    }

    /// The changes that make no difference to any payload of the profile, with the reason.
    private static let equivalents = [
        // `rfc3339` is the default of `to`, `auto` that of `from`, and `error` that of `badValue`.
        "access-log.json": ["without /dates/to"],
        // `keys.from` is for the inverse direction.
        "dotnet.json": ["without /keys/from", "without /dates/to"],
        "legacy-dates.json": ["without /dates/0/from", "without /dates/0/to", "without /on", "without /on/badValue"],
        "translations.json": ["without /keys/from"],
    ]

    @Test func `every difference between a fixture and its mutants is found`() throws {
        var (count, unseen) = (0, 0)
        for subject in try Self.fixtures() {
            let trial = try Self.trial(subject)
            count += trial.count
            unseen += trial.unseen.count
        }
        // Most fixtures show what their rules do.
        #expect(count > 1000 && unseen * 3 < count, "\(unseen) of \(count)")
    }
}
