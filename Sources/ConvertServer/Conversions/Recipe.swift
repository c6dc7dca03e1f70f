package import ConvertEngine
package import ConvertProfiles
package import HTTPSemantics
package import Observability

/// A plan with the data that a server needs to run it. Equal recipes are the same object.
package final class Recipe: Sendable {
    package let plan: Plan
    /// The profile's name for the log, if the server has one.
    package let profileName: String?
    /// The metric label of the profile's requests.
    package let label: ProfileLabel
    /// Whether another payload may use the same object. It is false if the profile came with a request.
    package let comesAgain: Bool
    /// The approximate bytes of memory that belong to one request alone; 0 if the recipe may be used again.
    let ownBytes: Int
    /// Input bytes that may be converted at once. A plan that makes much output of little input must not fill the
    /// memory between two checks of the unsent output. One with many wildcards must not block the loop.
    let maxSliceBytes: Int

    /// The most output of one slice, unless one byte of input has more: the output of the longest slice if no rule adds
    /// anything.
    private static let sliceOutputBytes = 9 * sliceBytes.upperBound
    /// Input bytes of a slice, times the rules that are tried on each new key or date. A key and value has six bytes,
    /// `"a":1,`, and a try takes about 100 ns. So a slice takes about 7 ms if all keys are new.
    private static let sliceTries = 400_000
    package static let sliceBytes = 1...(128 * 1024)

    /// The longest JSON Patch, which is converted at once. A plan that needs long for each key gets shorter ones.
    var maxPatchBytes: Int { min(max(2 * maxSliceBytes, Self.leastPatchBytes), Converter.maxPatchBytes) }

    private static let leastPatchBytes = 32 * 1024

    /// Bytes of a compiled profile for each byte of its document, measured with many renames.
    private static let planGrowth = 6

    /// - Parameter documentBytes: the length of a profile that came with a request.
    package init(
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
    package static func minify(output: OutputOptions, limits: Limits, comesAgain: Bool = true) -> Recipe {
        Recipe(.minify(output: output, limits: limits), comesAgain: comesAgain)
    }

    package convenience init(
        _ profile: Profile, _ direction: Profile.Direction, limits: Limits, profileName: String? = nil,
        label: ProfileLabel = .none, comesAgain: Bool = true, documentBytes: Int = 0, keys: HashKeys = .process
    ) throws(ProfileError) {
        self.init(
            try profile.compile(direction, limits: limits, keys: keys), profileName: profileName, label: label,
            comesAgain: comesAgain, documentBytes: documentBytes)
    }

    /// Reads and compiles a profile that came with a request and that no other request can use.
    package convenience init(parsing document: [UInt8], _ direction: Profile.Direction, limits: Limits) throws(Problem)
    {
        do throws(ProfileError) {
            try self.init(
                try Profile(parsing: document), direction, limits: limits, comesAgain: false,
                documentBytes: document.count, keys: .none)
        } catch {
            throw Problem(error)
        }
    }
}
