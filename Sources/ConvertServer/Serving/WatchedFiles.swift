import Conversions
import Sockets

/// The state of a configuration's files at one time, to detect that any of them has changed.
///
/// Links are followed, so that a new link target counts as a change of all files.
struct WatchedFiles: Sendable, Hashable {
    private let path: String
    private let directory: String?
    /// Nil if there is none, and for a pipe or a device, which is read once. Each write changes its time.
    private let configuration: DirectoryListing.Entry?
    private let profiles: DirectoryListing?

    init(configuration path: String, directory: String?) {
        self.path = path
        self.directory = directory
        let isRegular = FileIdentity(path: path, followsLinks: true)?.isRegular ?? true
        configuration = isRegular ? DirectoryListing.Entry(path: path, name: path) : nil
        profiles = directory.flatMap { try? DirectoryListing(path: $0, suffix: ProfileStore.suffix) }
    }

    var haveChanged: Bool { self != WatchedFiles(configuration: path, directory: directory) }
}
