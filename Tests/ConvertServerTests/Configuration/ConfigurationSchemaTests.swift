import ConvertProfiles
import TestSupport
import Testing
import Text

@testable import ConfigurationReading
@testable import ConvertServer
@testable import HTTPServer
@testable import Sockets

/// `convert.schema.json` agrees with the program; `tools/check` compares the schema with the same files.
struct ConfigurationSchemaTests {
    private static let fixtures = BuiltProgram.project + "/Tests/Fixtures/configuration"

    private static func bytes(_ path: String) throws -> [UInt8] { try InputFile(path: path).readAll(maxBytes: 1 << 20) }

    /// The value of a member of an object.
    private static func member(_ value: SettingsValue?, _ name: String) -> SettingsValue? {
        guard case .object(let members)? = value?.content else { return nil }
        return members.first { $0.name == name }?.value
    }

    private static func names(_ value: SettingsValue?) -> [String] {
        guard case .object(let members)? = value?.content else { return [] }
        return members.map(\.name)
    }

    private static func schema() throws -> SettingsValue {
        try SettingsDocument.parse(try bytes(BuiltProgram.project + "/convert.schema.json"))
    }

    @Test func `every object of the schema has exactly the members that the program reads`() throws {
        let root = try Self.schema()
        let definitions = Self.member(root, "$defs")
        let objects = ConfigurationFormat.Object.allCases.map {
            (definition: Self.member(definitions, $0.rawValue), keys: ConfigurationFormat.members(of: $0))
        }
        for (definition, keys) in objects + [(root, ConfigurationFile.keys)] {
            #expect(Self.names(Self.member(definition, "properties")).sorted() == keys.sorted())
            #expect(Self.member(definition, "additionalProperties")?.content == .boolean(false), "\(keys)")
        }
    }

    @Test func `ranges and defaults of the options are those of the program`() throws {
        let properties = Self.member(try Self.schema(), "properties")
        for number in ServeNumberOption.all {
            let property = Self.member(properties, number.option.member)
            let expected = [
                ("minimum", number.range.lowerBound), ("maximum", number.range.upperBound),
                ("default", ServerConfiguration()[keyPath: number.path]),
            ]
            for (name, value) in expected {
                #expect(
                    Self.member(property, name)?.content == .number(String(value)), "\(number.option.member) \(name)")
            }
        }
    }

    @Test func `the program and the schema accept and refuse the same configurations`() throws {
        for (folder, isAccepted) in [("accepted", true), ("refused", false), ("refused-by-meaning", false)] {
            let listing = try DirectoryListing(path: "\(Self.fixtures)/\(folder)", suffix: ".json")
            #expect(!listing.entries.isEmpty)
            for entry in listing.entries {
                let file = ConfigurationFile(
                    path: entry.name.text, document: try Self.bytes("\(Self.fixtures)/\(folder)/\(entry.name)"))
                #expect(file.faults.isEmpty == isAccepted, "\(folder)/\(entry.name): \(file.faults)")
            }
        }
    }
}
