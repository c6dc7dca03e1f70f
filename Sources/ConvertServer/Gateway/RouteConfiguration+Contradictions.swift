package import Conversions
import ConvertEngine
package import ConvertProfiles
import HTTPSemantics
import PayloadStreams

private let withholdsData = "withholds data (`drop`, `keep`, `mask`, `hash`)"

extension RouteConfiguration {
    /// The keys of this route that contradict its profiles: because a profile withholds data, or because none does.
    package func contradictions(_ profiles: ProfileSet) -> [ProfileFault] {
        var faults: [ProfileFault] = []
        var withholds = false
        func check(_ plan: ProfileReference, passes: [PassedType], _ members: [(isThere: Bool, text: String)]) {
            guard let loaded = profiles[plan.name] else { return }
            guard profiles.withholds(plan) else {
                if !passes.isEmpty { faults.add(needingWithholding: "pass", plan, hint: "remove `pass`") }
                return
            }
            withholds = true
            if loaded.keepsUnhashed, plan.direction == .forward {
                faults.add(
                    at: plan.location,
                    "the profile `\(plan.name)` has `hash`, and `badValue: keep` lets objects and arrays pass unchanged",
                    hint: "write `null` or `error`, or use `mask`")
            }
            for member in members where member.isThere {
                faults.add(
                    at: plan.location,
                    "the profile `\(plan.name)` \(withholdsData), so the route cannot have \(member.text)",
                    hint: "remove it, and list in `pass` the types that may pass unchanged")
            }
        }
        func upgrade(_ messages: DocumentLocation?) -> (isThere: Bool, text: String) {
            (!upgrades.isEmpty && messages == nil, "`upgrade` without `messages`")
        }
        if let request {
            check(
                request.plan, passes: request.passes,
                [(request.onError == .pass, "`onError: pass`"), upgrade(request.messages)])
        }
        if let response {
            check(
                response.plan, passes: response.passes,
                [
                    (response.onError == .pass, "`onError: pass`"), (response.onSkip == .pass, "`onSkip: pass`"),
                    (response.status != nil, "`status`"), upgrade(response.messages),
                ])
        }
        addEventContradictions(profiles, to: &faults)
        addQueryContradictions(profiles, to: &faults)
        addPatchContradictions(profiles, to: &faults)
        if let ignoresCase, !withholds, faults.isEmpty {
            faults.add(
                at: ignoresCase, "`caseSensitive` needs a profile that \(withholdsData)",
                hint: "remove it: routes are case-sensitive")
        }
        return faults
    }

    /// The keys of `response.events` that contradict the route's profile.
    private func addEventContradictions(_ profiles: ProfileSet, to faults: inout [ProfileFault]) {
        guard let response, let events = response.events, profiles[response.plan.name] != nil else { return }
        let plan = response.plan
        guard profiles.withholds(plan) else {
            if !events.passes.isEmpty {
                let hint = "remove it: data that is not JSON passes unchanged"
                faults.add(needingWithholding: "events.pass", plan, hint: hint)
            }
            return
        }
        if events.only != nil {
            let consequence = "so `events` cannot have `only`: all other events would pass unchanged"
            faults.add(
                at: plan.location, "the profile `\(plan.name)` \(withholdsData), \(consequence)",
                hint: "remove `only`, and list in `events.pass` the data that may pass unchanged")
        }
        if let type = response.passes.first(where: { StreamFraming(of: $0.essence) != nil }) {
            faults.add(
                at: plan.location, "`pass` lists `\(type.essence)`, which `events` converts",
                hint: "remove one of them")
        }
    }

    /// The reasons why `request.query` cannot be used with the route's profiles.
    private func addQueryContradictions(_ profiles: ProfileSet, to faults: inout [ProfileFault]) {
        guard let request, let query = request.query, let (recipe, _) = try? profiles.use(request.plan) else { return }
        if !recipe.plan.keepsPaths {
            faults.add(
                at: request.plan.location,
                "`query` does not follow `move`, `flatten`, `unwrap` and `wrap`, and the profile `\(request.plan.name)` has one",
                hint: "use a profile without them for `request`")
        }
        guard let response, profiles.withholds(response.plan) else { return }
        let reason = "the profile `\(response.plan.name)` withholds data from responses"
        if profiles[response.plan.name]?.forward.plan.unwrapsDocument == true {
            faults.add(
                at: response.plan.location, "\(reason), so `query` does not accept its `unwrap`",
                hint: "replace `unwrap` by `keep`, or remove `query`")
        }
        if query.base != nil, request.plan.direction == .forward {
            faults.add(
                at: request.plan.location,
                "\(reason), so `of` in `query` must name the backend's keys, but the direction of `request` is forward",
                hint: "remove `of`, or use a profile with `\"direction\": \"inverse\"`")
        }
    }

    /// The reasons why `request.patch` cannot be used with the route's profiles.
    private func addPatchContradictions(_ profiles: ProfileSet, to faults: inout [ProfileFault]) {
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

extension [ProfileFault] {
    /// Adds a contradiction at a position in the configuration.
    fileprivate mutating func add(at location: DocumentLocation, _ message: String, hint: String) {
        append(ProfileFault(at: location, message, hint: hint))
    }

    /// Adds a key that only routes that withhold data can have.
    fileprivate mutating func add(needingWithholding key: String, _ plan: ProfileReference, hint: String) {
        let message = "`\(key)` needs a profile that \(withholdsData), and `\(plan.name)` does not"
        add(at: plan.location, message, hint: hint)
    }
}
