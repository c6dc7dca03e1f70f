import ConvertCore

/// A plan with what a server needs to know to run it; equal recipes are the same object.
final class Recipe: Sendable {
    let plan: Plan
    /// The profile's name, where the server has it under one; for the log.
    let profileName: String?
    /// What the profile's requests are counted under.
    let label: ProfileLabel
    /// Input bytes that are converted in one go, so that a plan that makes little input into much output
    /// cannot fill the memory between two looks at what is waiting to be sent.
    let maxSliceBytes: Int

    /// The output that one slice may become, roughly.
    private static let sliceOutputBytes = 4 * 1024 * 1024
    static let sliceBytes = 512...(128 * 1024)

    /// `maxGrowth` is how many bytes of output one byte of input can become.
    init(_ plan: Plan, profileName: String? = nil, label: ProfileLabel = .none, maxGrowth: Int) {
        self.plan = plan
        self.profileName = profileName
        self.label = label
        let slice = Self.sliceOutputBytes / max(1, maxGrowth)
        maxSliceBytes = min(max(slice, Self.sliceBytes.lowerBound), Self.sliceBytes.upperBound)
    }

    /// The recipe that only changes white space and escapes.
    static func minify(output: OutputOptions, limits: Limits) -> Recipe {
        Recipe(.minify(output: output, limits: limits), maxGrowth: growth(output, limits))
    }

    convenience init(
        _ profile: Profile, _ direction: Profile.Direction, limits: Limits, profileName: String? = nil,
        label: ProfileLabel = .none
    ) throws(ProfileError) {
        let plan = try profile.compile(direction, limits: limits)
        // A renamed member needs at least `"":1,` in the input.
        let longestName = profile.renames.reduce(0) { max($0, $1.target.count) } / 5
        self.init(
            plan, profileName: profileName, label: label,
            maxGrowth: max(longestName, Self.growth(profile.output, limits)))
    }

    private static func growth(_ output: OutputOptions, _ limits: Limits) -> Int {
        // `[` alone makes a new line with the indentation of its depth; other tokens become a few bytes longer.
        max(8, output.indent * limits.maxDepth)
    }
}
