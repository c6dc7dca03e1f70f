import ConvertProfiles
import Gateway
import PayloadStreams

extension ConfigurationReader {
    /// Reads `events`: true, or an object with the events that are converted.
    mutating func events(_ value: SettingsValue) -> StreamRule? {
        if case .boolean(let isOn) = value.content { return isOn ? StreamRule() : nil }
        let expected = "true, or an object with `only` or `pass`"
        guard let members = members(of: value, as: .events, expected: expected) else { return nil }
        var rule = StreamRule()
        if let value = members["only"] {
            rule.only = texts(value, expected: "the name of an event").map { Array($0.text.utf8) }
            refuseEmptyList(value, "without `only`, all events are converted")
        }
        if let value = members["pass"] {
            rule.passes = texts(value, expected: "the data of an event, such as `[DONE]`").map { Array($0.text.utf8) }
            refuseEmptyList(value, "without `pass`, no data passes unchanged")
        }
        return rule
    }

    /// Refuses `messages` unless WebSocket is the only protocol that clients may switch to. The bytes of another one would
    /// pass unconverted.
    mutating func checkMessages(of route: RouteConfiguration) {
        guard route.upgrades != ["websocket"] else { return }
        for location in [route.request?.messages, route.response?.messages].compactMap(\.self) {
            refuse(
                location, "`messages` needs a route with `upgrade` for WebSocket alone",
                hint: #"write "upgrade": "websocket" in the route"#)
        }
    }
}
