import FoundationEssentials

/// The files of `Tests/Fixtures`. Paths begin there.
package enum Fixtures {
    private static let directory = URL(filePath: "\(BuiltProgram.project)/Tests/Fixtures")

    package static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: directory.appending(path: path).path)
    }

    package static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: directory.appending(path: path)))
    }

    /// The contents of a JSON file.
    package static func decode<Contents: Decodable>(_ path: String, as type: Contents.Type = Contents.self) throws
        -> Contents
    {
        try JSONDecoder().decode(type, from: Data(contentsOf: directory.appending(path: path)))
    }

    /// The names in a folder, sorted.
    package static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.appending(path: folder).path).sorted()
    }

    /// The files at any depth of a folder whose names have this ending, sorted. Their names are paths in the folder, without the ending.
    package static func files(in folder: String, ending: String) throws -> [(name: String, bytes: [UInt8])] {
        try FileManager.default.subpathsOfDirectory(atPath: directory.appending(path: folder).path)
            .filter { $0.hasSuffix(ending) }.sorted()
            .map { (String($0.dropLast(ending.count)), try bytes("\(folder)/\($0)")) }
    }
}
