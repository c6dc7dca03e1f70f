package import ConvertEngine
package import ConvertProfiles
package import HTTPSemantics
import Text

/// The named profiles as loaded at one time. The set is immutable and shared by all loops.
package final class ProfileSet: Sendable {
    package struct Entry: Sendable {
        package let name: String
        /// The last version without an error; nil if there never was one.
        package let loaded: Loaded?
        /// The reason why the newest file is not in use.
        package let error: String?
        /// The errors in the newest file, each with its position; empty if the file could not be read.
        package var faults: [ProfileFault] = []
        /// Whether the file could not be read. Only the operator gets the reason.
        var isUnreadable = false

        /// The same as `error`, without messages of the system.
        package var publicError: String? { isUnreadable ? "\(name).json: the file cannot be read" : error }
    }

    /// A profile that can be used.
    package struct Loaded: Sendable {
        package let document: [UInt8]
        package let summary: String?
        /// The time of the last change of the file, in seconds since 1970.
        package var modifiedSeconds: Int64 = 0
        /// The rules that withhold data in the forward direction.
        package var withheld: [String] = []
        /// Whether objects and arrays at the paths of `hash` stay in the forward direction: they cannot be hashed.
        package var keepsUnhashed = false
        /// Warnings about rules that probably do not mean what their author wants.
        package var warnings: [ProfileFault] = []
        package var keyCase: KeyCase?
        package let forward: Recipe
        /// The inverse direction, or the reason why there is none.
        package let inverse: Result<Recipe, ProfileError>

        /// The plan for one direction. Throws the reason if there is none.
        package func recipe(_ direction: Profile.Direction) throws(ProfileError) -> Recipe {
            direction == .forward ? forward : try inverse.get()
        }

        /// The rules that withhold data. If there are any, a payload must not pass unchanged. The inverse direction
        /// withholds nothing.
        package func withheld(_ direction: Profile.Direction) -> [String] { direction == .forward ? withheld : [] }
    }

    /// By name, in the order of bytes.
    package let entries: [Entry]
    /// The reason if the directory cannot be read.
    package let directoryError: String?
    /// The reasons why the newest configuration and profiles are not in use as one set; empty if they are.
    package let reloadErrors: [String]
    private let indices: [ExactText: Int]

    /// - Parameter entries: with different names.
    package init(entries: [Entry], directoryError: String? = nil, reloadErrors: [String] = []) {
        self.entries = entries
        self.directoryError = directoryError
        self.reloadErrors = reloadErrors
        indices = Dictionary(uniqueKeysWithValues: entries.indices.map { (ExactText(entries[$0].name), $0) })
    }

    package static let empty = ProfileSet(entries: [])

    /// The usable profile of this name.
    package subscript(name: String) -> Loaded? { entry(named: name)?.loaded }

    /// The entry of the profile of this name, even if it cannot be used.
    package func entry(named name: String) -> Entry? { indices[ExactText(name)].map { entries[$0] } }

    /// The profile of this name. Throws if there is none, or if its file has an error.
    package func loaded(_ name: String) throws(Problem) -> Loaded {
        guard let entry = entry(named: name) else { throw .noProfile }
        guard let loaded = entry.loaded else { throw .faultyProfile(entry) }
        return loaded
    }

    package func recipe(_ name: String, _ direction: Profile.Direction) throws(Problem) -> Recipe {
        let loaded = try loaded(name)
        do throws(ProfileError) {
            return try loaded.recipe(direction)
        } catch {
            throw Problem(error)
        }
    }

    /// The errors, for logs and `/readyz`; empty if there are none.
    package var errors: [String] {
        guard reloadErrors.isEmpty else { return reloadErrors }
        return (directoryError.map { [$0] } ?? []) + entries.compactMap(\.error)
    }

    /// The warnings about usable profiles, one line each, for logs.
    package var warnings: [String] {
        entries.flatMap { entry in (entry.loaded?.warnings ?? []).map { "\(entry.name).json:\($0)" } }
    }

    /// The same as `errors` for public addresses: without paths, messages of the system, and the configuration.
    package var publicErrors: [String] {
        let errors =
            (directoryError == nil ? [] : ["the directory of profiles cannot be read"])
            + entries.compactMap(\.publicError)
        return errors.isEmpty && !reloadErrors.isEmpty ? ["the configuration has an error"] : errors
    }

    package var usableCount: Int { entries.count { $0.loaded != nil } }

    /// Whether profiles were expected, and none could be loaded.
    package var isUnusable: Bool {
        // In that case an earlier set is in use.
        guard reloadErrors.isEmpty else { return false }
        guard entries.allSatisfy({ $0.loaded == nil }) else { return false }
        return directoryError != nil || !entries.isEmpty
    }
}

extension ProfileSet {
    /// These profiles, which stay in use after a failed reload, with the errors of their newest files.
    ///
    /// - Parameters:
    ///   - newest: the files as they are now.
    ///   - errors: the reasons why nothing was reloaded, also outside of profiles.
    package func outdated(by newest: ProfileSet, errors: [String]) -> ProfileSet {
        let changed = newest.entries.map { file in
            let inUse = entry(named: file.name)?.loaded
            let isSame = inUse?.document == file.loaded?.document
            let error = file.error ?? (isSame ? nil : "\(file.name).json: not in use yet, because the reload failed")
            return Entry(
                name: file.name, loaded: inUse, error: error, faults: file.faults, isUnreadable: file.isUnreadable)
        }
        let removed = entries.filter { $0.loaded != nil && newest.entry(named: $0.name) == nil }
        return ProfileSet(
            entries: (changed + removed).sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) },
            directoryError: newest.directoryError, reloadErrors: errors)
    }
}

extension Profile {
    /// The rules that withhold data, such as `drop /a`. With such a rule a payload must not pass unchanged.
    package var withheld: [String] {
        let masked = values.filter(\.withholds).flatMap(\.at).map { "hide \($0.selector)" }
        return drops.map { "drop \($0.selector)" } + keeps.map { "keep \($0.selector)" }
            + scopes.map { "keep some of \($0.selector)" } + masked
    }

    /// Whether objects and arrays at the paths of `hash` stay as they are.
    package var keepsUnhashed: Bool {
        values.contains { $0.withholds && !$0.masksContainers && badValuePolicy($0.badValue) == .keep }
    }
}
