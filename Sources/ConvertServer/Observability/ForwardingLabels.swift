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

    private static let failureBase: UInt16 = 16
    private static let retryNumber: UInt16 = 32
    private static let skipBase: UInt16 = 48

    package init(status: Int) { self = .responded(statusClass: UInt16(clamping: status / 100)) }

    /// Its number in the key of a series.
    package var number: UInt16 {
        switch self {
        case .responded(let statusClass): statusClass
        case .failed(let failure): Self.failureBase + Self.index(of: failure, in: AttemptFailure.allCases)
        case .retried: Self.retryNumber
        case .skipped(let reason): Self.skipBase + Self.index(of: reason, in: SkipReason.allCases)
        }
    }

    package init?(number: UInt16) {
        switch number {
        case 1...5: self = .responded(statusClass: number)
        case Self.retryNumber: self = .retried
        case Self.failureBase..<Self.failureBase + UInt16(AttemptFailure.allCases.count):
            self = .failed(AttemptFailure.allCases[Int(number - Self.failureBase)])
        case Self.skipBase..<Self.skipBase + UInt16(SkipReason.allCases.count):
            self = .skipped(SkipReason.allCases[Int(number - Self.skipBase)])
        default: return nil
        }
    }

    private static func index<Case: Equatable>(of wanted: Case, in cases: [Case]) -> UInt16 {
        UInt16(cases.firstIndex(of: wanted) ?? 0)
    }
}
