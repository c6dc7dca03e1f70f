@testable import ConvertEngine

/// A group of `Tests/Fixtures/keys/specified.json`: pairs of a key and its result under one rule.
struct SpecifiedKeys: Decodable {
    var title: String
    var `case`: String
    var acronyms: [String]?
    var acronymStyle: String?
    var rows: [[String]]
}

/// `Tests/Fixtures/keys/computed.json`: for each list of acronyms, rows of a key and its form in each of `targets`.
struct ComputedKeys: Decodable {
    struct Table: Decodable {
        var acronyms: [String]
        var acronymStyle: String
        var rows: [[String]]
    }

    var targets: [String]
    var tables: [Table]
}

/// Makes the rules that the fixtures of the key tests name.
enum KeyFixture {
    struct UnknownName: Error { var name: String }

    static func rule(_ target: String, acronyms: [String], style: String) throws -> KeyCaseRule {
        guard let target = KeyCase(rawValue: target) else { throw UnknownName(name: target) }
        guard let style = AcronymStyle(rawValue: style) else { throw UnknownName(name: style) }
        return KeyCaseRule(target: target, acronyms: acronyms, acronymStyle: style)
    }
}
