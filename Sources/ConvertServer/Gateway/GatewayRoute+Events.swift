import Conversions
import ConvertEngine
import PayloadStreams

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
