import Conversions
import ConvertEngine
import ConvertProfiles
import PayloadStreams

extension RouteConfiguration {
    /// The keys of `response.events` that contradict the route's profile.
    func addEventContradictions(_ profiles: ProfileSet, to faults: inout [ProfileFault]) {
        guard let response, let events = response.events, profiles[response.plan.name] != nil else { return }
        let (profile, withholds) = (response.plan, profiles.withholds(response.plan))
        let reason = "the profile `\(profile.name)` withholds data (`drop`, `keep`, `mask`, `hash`)"
        if withholds, events.only != nil {
            let consequence = "so `events` cannot have `only`: all other events would pass unchanged"
            faults.add(
                at: profile.location, "\(reason), \(consequence)",
                hint: "remove `only`, and list in `events.pass` the data that may pass unchanged")
        }
        if withholds, let type = response.passes.first(where: { StreamFraming(of: $0.essence) != nil }) {
            faults.add(
                at: profile.location, "`pass` lists `\(type.essence)`, which `events` converts",
                hint: "remove one of them")
        }
        if !withholds, !events.passes.isEmpty {
            faults.add(
                at: profile.location,
                "`events.pass` needs a profile that withholds data (`drop`, `keep`, `mask`, `hash`), and `\(profile.name)` does not",
                hint: "remove it: data that is not JSON passes unchanged")
        }
    }
}

extension GatewayRoute {
    /// One line about the WebSocket messages that the route converts; nil if there are none.
    package var messageLine: String? {
        guard configuration.convertsMessages else { return nil }
        let senders = [
            configuration.request?.messages.map { _ in "clients" },
            configuration.response?.messages.map { _ in "the upstream" },
        ]
        return "route `\(configuration.name)` converts the WebSocket messages of "
            + senders.compactMap(\.self).joined(separator: " and ")
    }

    /// One line about the events that the route converts; nil if it does not split event streams.
    package var eventLine: String? {
        guard let rule = response?.policy.events else { return nil }
        func list(_ texts: [[UInt8]]) -> String {
            texts.map { "`\(String(decoding: $0, as: UTF8.self))`" }.joined(separator: ", ")
        }
        let line = "route `\(configuration.name)` converts "
        guard !rule.withholds else {
            let end = response?.recipe.plan.sparesRecords ?? false ? "is left out" : "ends the response"
            return line + "all events; data that is not JSON \(end)"
                + (rule.passes.isEmpty ? "" : ", except \(list(rule.passes))")
        }
        guard let only = rule.only else { return line + "all events; data that is not JSON passes unchanged" }
        return line + "the events \(list(only)); others, and data that is not JSON, pass unchanged"
    }
}
