import Conversions
import ConvertEngine
import ConvertProfiles

extension RouteConfiguration {
    /// The reasons why `request.patch` cannot be used with the route's profiles.
    func patchContradictions(_ profiles: ProfileSet) -> [ProfileFault] {
        guard let request, request.convertsPatches, let (recipe, loaded) = try? profiles.use(request.plan) else {
            return []
        }
        var faults: [ProfileFault] = []
        let withheld = loaded.withheld(request.plan.direction)
        if let hindrance = recipe.plan.patchHindrance ?? (withheld.isEmpty ? nil : "`drop`") {
            faults.add(
                at: request.plan.location,
                "`patch` cannot apply \(hindrance) of the profile `\(request.plan.name)` to a part of a document",
                hint: "give PATCH a route with another profile, or remove `patch`")
        }
        guard let response, let other = profiles[response.plan.name] else { return faults }
        let withholdsResponses = !other.withheld(response.plan.direction).isEmpty
        if withholdsResponses, !request.isRequired || request.onError == .pass {
            faults.add(
                at: request.plan.location,
                "the profile `\(response.plan.name)` withholds data from responses, so `patch` needs `required: true` and no `onError: pass`",
                hint: "otherwise a patch that copies withheld data could pass unchanged")
        }
        return faults
    }
}
