import ConvertEngine
import ConvertProfiles
import Synchronization

/// A profile with its plans, each compiled when it is first needed.
final class LoadedProfile: Sendable {
    private static let defaultMaxHeldBytes = 256 << 20

    private let profile: Profile
    let limits: Limits
    private let forward = Mutex<Plan?>(nil)
    private let inverse = Mutex<Plan?>(nil)

    private init(_ profile: Profile, limits: Limits) {
        self.profile = profile
        self.limits = limits
    }

    /// Parses and checks a document. A limit of 0 is the default.
    ///
    /// This is no initializer, because Embedded Swift does not free an object whose initializer throws.
    static func parsing(
        _ document: [UInt8], maxDepth: Int, maxHeldBytes: Int
    ) throws(ProfileError) -> LoadedProfile {
        let profile = try Profile(parsing: document)
        var limits = Limits(maxHeldBytes: maxHeldBytes > 0 ? maxHeldBytes : defaultMaxHeldBytes)
        if maxDepth > 0 { limits.maxDepth = maxDepth }
        return LoadedProfile(profile, limits: limits)
    }

    /// Two threads may compile the same plan, and keep one of them.
    func plan(_ direction: Profile.Direction) throws(ProfileError) -> Plan {
        if let known = direction == .forward ? forward.withLock({ $0 }) : inverse.withLock({ $0 }) { return known }
        let plan = try profile.compile(direction, limits: limits)
        if direction == .forward { forward.withLock { $0 = plan } } else { inverse.withLock { $0 = plan } }
        return plan
    }
}
