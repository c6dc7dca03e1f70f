import APIDescriptions
import ConvertEngine
import ConvertProfiles
import HTTPSemantics
import Testing

/// Descriptions under profiles, both as JSON text.
enum Rewriting {
    static let snake = #""keys": { "case": "camelCase", "from": "snake_case" }"#

    /// The description of what clients see, without white space.
    static func text(
        of description: String, by profile: String, direction: Profile.Direction = .forward,
        statuses: StatusSet = .success
    ) throws -> (text: String, warnings: [DescriptionError]) {
        let profile = try Profile(parsing: Array(profile.utf8))
        let plans = DescriptionPlans(
            response: try profile.compile(direction), request: try profile.compileUndone(), statuses: statuses)
        let rewritten = try APIDescription(Array(description.utf8)).rewritten(by: plans)
        return (String(decoding: rewritten.text, as: UTF8.self), rewritten.warnings)
    }

    static func expect(
        _ description: String, by profile: String, direction: Profile.Direction = .forward, becomes expected: String,
        warnings: Int = 0, location: SourceLocation = #_sourceLocation
    ) throws {
        let (text, found) = try self.text(of: description, by: profile, direction: direction)
        let wanted = try Plan.minify().convert(expected)
        #expect(text == wanted, sourceLocation: location)
        #expect(found.count == warnings, "\(found)", sourceLocation: location)
    }

    /// The error of a description that cannot be rewritten.
    static func error(
        of description: String, by profile: String, location: SourceLocation = #_sourceLocation
    ) throws -> DescriptionError {
        try #require(throws: DescriptionError.self, sourceLocation: location) {
            try text(of: description, by: profile)
        }
    }
}
