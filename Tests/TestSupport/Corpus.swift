@testable import Sockets

/// Real documents, which are not part of the project.
package enum Corpus {
    /// Their directory: `CONVERT_CORPUS`, or `shared/corpus` beside the project.
    private static let directory = TestVariable.text("CONVERT_CORPUS", BuiltProgram.project + "/../shared/corpus")

    package static let isAvailable = (try? InputFile(path: path("twitter.json"))) != nil

    /// The documents that are one JSON text each.
    package static let documents = [
        "payload_7944.json", "github_events.json", "twitterescaped.json", "twitter.json", "citm_catalog.json",
        "canada.json",
    ]

    /// The document that is NDJSON.
    package static let lines = "api_100.ndjson"

    package static func path(_ name: String) -> String { "\(directory)/\(name)" }

    package static func bytes(_ name: String) throws -> [UInt8] {
        try InputFile(path: path(name)).readAll(maxBytes: 1 << 28)
    }
}
