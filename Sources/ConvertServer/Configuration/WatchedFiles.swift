import Sockets

/// The files that a configuration is read from, as they were at one moment: enough to see that any of them has changed.
///
/// Links are followed, so that the swap of a link that leads to all of them is a change of them all.
struct WatchedFiles: Sendable, Hashable {
    private let path: String
    private let directory: String?
    /// Nil where it cannot be seen.
    private let configuration: DirectoryListing.Entry?
    private let profiles: DirectoryListing?

    init(configuration path: String, directory: String?) {
        self.path = path
        self.directory = directory
        configuration = DirectoryListing.Entry(path: path, name: path)
        profiles = directory.flatMap { try? DirectoryListing(path: $0, suffix: ProfileStore.suffix) }
    }

    /// Whether any of them is another by now.
    var haveChanged: Bool { self != WatchedFiles(configuration: path, directory: directory) }
}
