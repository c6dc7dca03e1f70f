import Conversions
import ConvertEngine
import ConvertProfiles

extension RouteConfiguration {
    /// The reasons why `request.patch` cannot be used with the route's profiles.
    func addPatchContradictions(_ profiles: ProfileSet, to faults: inout [ProfileFault]) {
        guard let request, request.convertsPatches, let (recipe, _) = try? profiles.use(request.plan) else { return }
        if let hindrance = recipe.plan.patchHindrance ?? (profiles.withholds(request.plan) ? "`drop`" : nil) {
            faults.add(
                at: request.plan.location,
                "`patch` cannot apply \(hindrance) of the profile `\(request.plan.name)` to a part of a document",
                hint: "give PATCH a route with another profile, or remove `patch`")
        }
        if let response, profiles.withholds(response.plan), !request.isRequired || request.onError == .pass {
            faults.add(
                at: request.plan.location,
                "the profile `\(response.plan.name)` withholds data from responses, so `patch` needs `required: true` and no `onError: pass`",
                hint: "otherwise a patch that copies withheld data could pass unchanged")
        }
    }
}
