import ConvertProfiles
import Sockets

/// A profile document on disk or stdin.
struct ProfileFile {
    /// The default limit of a profile document.
    static let maxBytes = 1024 * 1024

    /// The path as given, for messages.
    let path: String
    let document: [UInt8]

    /// Reads the document at `path`, where `-` is stdin.
    init(path: String) throws(Failure) {
        self.path = path
        document = try InputFile.contents(
            of: path, maxBytes: Self.maxBytes, expected: "a profile is a file such as mobile.json")
        guard document.count <= Self.maxBytes else {
            throw Failure(.badConfiguration, "\(path) is larger than \(Self.maxBytes) bytes")
        }
    }

    func profile() throws(Failure) -> Profile {
        do throws(ProfileError) {
            return try Profile(parsing: document)
        } catch {
            throw Failure(error, in: path)
        }
    }
}
