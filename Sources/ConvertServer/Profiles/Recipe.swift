import ConvertCore
import HTTPSemantics

/// A plan with what a server needs to know to run it; equal recipes are the same object.
final class Recipe: Sendable {
    let plan: Plan
    /// The profile's name, where the server has it under one; for the log.
    let profileName: String?
    /// What the profile's requests are counted under.
    let label: ProfileLabel
    /// Whether another payload may ask for this very object; not where its profile came with one request.
    let comesAgain: Bool
    /// Bytes of memory that one request alone accounts for, approximately; 0 where another may come again.
    let ownBytes: Int
    /// Input bytes that may be converted at once. A plan that makes much output of little input must not fill the
    /// memory between two checks of the unsent output. One with many wildcards must not block the loop.
    let maxSliceBytes: Int

    /// The output that one slice may become, as far as a slice of one byte cannot become more: what the longest becomes where no
    /// rule adds anything.
    private static let sliceOutputBytes = 9 * sliceBytes.upperBound
    /// Input bytes of a slice times what each new name, or date, is tried on. Six bytes are a member, `"a":1,`, and a try takes
    /// about 100 ns: some 7 ms where all names are new.
    private static let sliceTries = 400_000
    static let sliceBytes = 1...(128 * 1024)

    /// Bytes that a compiled profile takes for each of its document, measured with many renames.
    private static let planGrowth = 6

    /// - Parameter documentBytes: the length of a profile that has come with a request.
    init(
        _ plan: Plan, profileName: String? = nil, label: ProfileLabel = .none, comesAgain: Bool = true,
        documentBytes: Int = 0
    ) {
        self.plan = plan
        ownBytes = documentBytes * Self.planGrowth
        self.comesAgain = comesAgain
        self.profileName = profileName
        self.label = label
        let slice = min(Self.sliceOutputBytes / plan.maxGrowth, Self.sliceTries / max(1, plan.maxTries))
        maxSliceBytes = min(max(slice, Self.sliceBytes.lowerBound), Self.sliceBytes.upperBound)
    }

    /// The recipe that only changes white space and escapes.
    static func minify(output: OutputOptions, limits: Limits, comesAgain: Bool = true) -> Recipe {
        Recipe(.minify(output: output, limits: limits), comesAgain: comesAgain)
    }

    convenience init(
        _ profile: Profile, _ direction: Profile.Direction, limits: Limits, profileName: String? = nil,
        label: ProfileLabel = .none, comesAgain: Bool = true, documentBytes: Int = 0, keys: HashKeys = .process
    ) throws(ProfileError) {
        self.init(
            try profile.compile(direction, limits: limits, keys: keys), profileName: profileName, label: label,
            comesAgain: comesAgain, documentBytes: documentBytes)
    }

    /// Reads and compiles a profile that has come with a request, and that none other can ask for.
    convenience init(parsing document: [UInt8], _ direction: Profile.Direction, limits: Limits) throws(Problem) {
        do throws(ProfileError) {
            try self.init(
                try Profile(parsing: document), direction, limits: limits, comesAgain: false,
                documentBytes: document.count, keys: .none)
        } catch {
            throw Problem(error)
        }
    }
}
