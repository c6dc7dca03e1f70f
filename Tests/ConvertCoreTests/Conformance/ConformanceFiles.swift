import FoundationEssentials

/// The paths of the fixtures, the reference and the corpus.
enum ConformanceFiles {
    /// The package's root directory.
    static let packageRoot: String = {
        var parts = #filePath.split(separator: "/")
        parts.removeLast(4)
        return "/" + parts.joined(separator: "/")
    }()

    static let fixtures = packageRoot + "/Tests/Fixtures"
    static let reference = packageRoot + "/Tests/reference"

    /// The directory of real documents: `CONVERT_CORPUS`, or a directory beside the package.
    static let corpus = ProcessInfo.processInfo.environment["CONVERT_CORPUS"] ?? packageRoot + "/../shared/corpus"

    static let hasCorpus = FileManager.default.fileExists(atPath: corpus + "/twitter.json")

    /// The documents of the corpus that are one JSON text each.
    static let corpusDocuments = [
        "payload_7944.json", "github_events.json", "twitterescaped.json", "twitter.json", "citm_catalog.json",
        "canada.json",
    ]

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    /// The `.json` files of a fixture directory, sorted, with their bytes.
    static func documents(in directory: String) throws -> [(name: String, bytes: [UInt8])] {
        let path = fixtures + "/" + directory
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".json") }
        return try names.sorted().map { ($0, try bytes(path + "/" + $0)) }
    }

    /// A whole number from an environment variable; `standard` if it is missing.
    static func number(_ variable: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap(Int.init) ?? standard
    }

    /// A text from an environment variable; `standard` if it is missing.
    static func text(_ variable: String, _ standard: String) -> String {
        ProcessInfo.processInfo.environment[variable] ?? standard
    }
}
