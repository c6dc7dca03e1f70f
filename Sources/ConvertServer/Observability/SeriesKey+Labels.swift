package import Telemetry

extension SeriesKey {
    package init(_ route: RouteLabel, _ status: StatusLabel, _ profile: ProfileLabel) {
        self.init(route.index, status.number, profile.index)
    }

    package init(_ route: RouteLabel, _ outcome: ForwardingOutcome, _ backend: BackendLabel) {
        self.init(route.index, outcome.number, backend.index)
    }

    package var route: Int { Int(first) }
    package var status: UInt16 { second }
    package var profile: Int { Int(third) }
    package var outcome: ForwardingOutcome? { ForwardingOutcome(number: second) }
    var backend: Int { Int(third) }
}

extension SeriesTable {
    /// Counts one request. Only the owning loop calls it.
    package func add(_ route: RouteLabel, _ status: StatusLabel, _ profile: ProfileLabel) {
        add(SeriesKey(route, status, profile), beyondLimit: SeriesKey(.other, status.ofClass, .other))
    }

    /// Counts the result of one request at a server. Only the owning loop calls it.
    package func add(_ route: RouteLabel, _ outcome: ForwardingOutcome, _ backend: BackendLabel) {
        add(SeriesKey(route, outcome, backend), beyondLimit: SeriesKey(.other, outcome, .other))
    }
}
