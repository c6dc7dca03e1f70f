package import ConvertEngine
import ConvertProfiles
package import Observability
import Sockets
import Text

/// Keeps the profiles of a directory. Changed files are loaded again, and the last good version of a file with an error
/// stays in use.
///
/// The name of a profile is its file's name without `.json`, and not its own `name`. So the owner of the directory
/// decides about the path for clients. Only the control queue uses a store.
package struct ProfileStore: Sendable {
    private let directory: String
    private let limits: Limits
    private let maxProfileBytes: Int
    /// Names that are paths of the service and cannot be given to a profile.
    private let reservedNames: [String]
    private let registry: MetricsRegistry
    private var listing: DirectoryListing?
    private var directoryError: String?
    package private(set) var set = ProfileSet.empty

    package static let suffix = ".json"

    package init(
        directory: String, limits: Limits, maxProfileBytes: Int, reservedNames: [String],
        registry: MetricsRegistry
    ) {
        self.reservedNames = reservedNames
        self.directory = directory
        self.limits = limits
        self.maxProfileBytes = maxProfileBytes
        self.registry = registry
    }

    /// Reads the directory and loads changed files, or all files if `forced`. Returns whether `set` has changed.
    package mutating func refresh(forced: Bool = false) -> Bool {
        let newListing: DirectoryListing
        do throws(SystemCallError) {
            newListing = try DirectoryListing(path: directory, suffix: Self.suffix)
        } catch {
            // The profiles in use stay.
            let message = "cannot read the profile directory \(directory): \(error)"
            guard message != directoryError || forced else { return false }
            directoryError = message
            listing = nil
            set = ProfileSet(entries: set.entries, directoryError: message)
            return true
        }
        guard newListing != listing || forced else { return false }
        let unchanged = forced ? [] : Set(listing?.entries ?? [])
        listing = newListing
        directoryError = nil
        set = ProfileSet(
            entries: newListing.entries.map { file in
                let name = String(file.name.text.utf8.dropLast(Self.suffix.utf8.count)) ?? ""
                let known = set.entry(named: name)
                if let known, unchanged.contains(file) { return known }
                return load(name, from: file, replacing: known?.loaded)
            })
        return true
    }

    private func load(
        _ name: String, from file: DirectoryListing.Entry, replacing old: ProfileSet.Loaded?
    ) -> ProfileSet.Entry {
        do throws(LoadError) {
            guard isUsable(name) else {
                throw LoadError(text: "a profile cannot have this name")
            }
            let document = try read(file.name.text)
            return ProfileSet.Entry(name: name, loaded: try compile(document, name, file), error: nil)
        } catch {
            return ProfileSet.Entry(
                name: name, loaded: old, error: "\(file.name): \(error.text)", faults: error.faults,
                isUnreadable: error.isUnreadable)
        }
    }

    private func read(_ file: String) throws(LoadError) -> [UInt8] {
        do throws(SystemCallError) {
            let document = try InputFile(path: "\(directory)/\(file)", isRegular: true).readAll(
                maxBytes: maxProfileBytes)
            guard document.count <= maxProfileBytes else {
                throw SystemCallError(call: "read", number: SystemCallError.tooLarge)
            }
            return document
        } catch {
            throw LoadError(text: error.description, isUnreadable: true)
        }
    }

    private func compile(
        _ document: [UInt8], _ name: String, _ file: DirectoryListing.Entry
    ) throws(LoadError) -> ProfileSet.Loaded {
        do throws(ProfileError) {
            let profile = try Profile(parsing: document)
            let label = registry.label(ofProfile: name)
            let forward = try Recipe(profile, .forward, limits: limits, profileName: name, label: label)
            let inverse = Result { () throws(ProfileError) in
                try Recipe(profile, .inverse, limits: limits, profileName: name, label: label)
            }
            return ProfileSet.Loaded(
                document: document, summary: profile.summary, modifiedSeconds: file.changedSeconds,
                withheld: profile.withheld, keepsUnhashed: profile.keepsUnhashed, warnings: profile.warnings,
                keyCase: profile.keys?.target, forward: forward,
                inverse: inverse)
        } catch {
            throw LoadError(text: error.faults.map(\.description).joined(separator: "; "), faults: error.faults)
        }
    }

    /// Names become parts of paths: one segment, without control characters, and not a reserved path.
    private func isUsable(_ name: String) -> Bool {
        !name.isEmpty && !reservedNames.contains(name)
            && name.utf8.allSatisfy { $0 >= ASCII.space && $0 != ASCII.slash && $0 != ASCII.delete }
    }

    private struct LoadError: Error {
        let text: String
        var faults: [ProfileFault] = []
        var isUnreadable = false
    }
}
