import Telemetry

/// The `upstream` and `server` of a metric: one server of the configuration.
package struct BackendLabel: Sendable, Hashable {
    package let index: UInt16

    package static let other = BackendLabel(index: 0)

    package static let fixed = [LabelTable.overflow]

    /// The text for both in a table; neither has a line feed.
    package static func text(upstream: String, server: String) -> String { "\(upstream)\n\(server)" }

    /// The two labels' values.
    package static func values(_ text: String) -> (upstream: String, server: String) {
        let parts = text.split(separator: "\n", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : (text, text)
    }
}

/// The result of a request that went to a server.
package enum ForwardingOutcome: Sendable, Hashable {
    /// A final response arrived, with a status of this class.
    case responded(statusClass: UInt16)
    case failed(AttemptFailure)
    /// The request was sent a second time, to this server.
    case retried
    /// The response was not converted although the route has `response`.
    case skipped(SkipReason)

    /// What is counted, in the order of the numbers, which begin at 1.
    private static let numbered: [ForwardingOutcome] =
        (1...5).map(Self.responded(statusClass:)) + AttemptFailure.allCases.map(Self.failed) + [Self.retried]
        + SkipReason.allCases.map(Self.skipped)

    package init(status: Int) { self = .responded(statusClass: UInt16(clamping: status / 100)) }

    /// Its number in the key of a series; 0 if it is not counted.
    package var number: UInt16 { UInt16(Self.numbered.firstIndex(of: self).map { $0 + 1 } ?? 0) }

    package init?(number: UInt16) {
        guard (1...Self.numbered.count).contains(Int(number)) else { return nil }
        self = Self.numbered[Int(number) - 1]
    }
}
