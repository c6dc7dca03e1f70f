/// A profile with its plans, each compiled when it is first needed.
final class LoadedProfile {
    private let profile: Profile
    let limits: Limits
    private var plans: [Profile.Direction: Plan] = [:]

    init(_ profile: Profile, _ limits: Limits) {
        self.profile = profile
        self.limits = limits
    }

    func plan(_ direction: Profile.Direction) throws(ProfileError) -> Plan {
        if let known = plans[direction] { return known }
        let plan = try profile.compile(direction, limits: limits)
        plans[direction] = plan
        return plan
    }
}
