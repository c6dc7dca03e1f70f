import Telemetry

/// The `upstream` and `server` of a metric: one server of the configuration.
struct BackendLabel: Sendable, Hashable {
    let index: UInt16

    static let other = BackendLabel(index: 0)

    static let fixed = [LabelTable.overflow]

    /// The text for both in a table; neither has a line feed.
    static func text(upstream: String, server: UpstreamServer) -> String { "\(upstream)\n\(server)" }

    /// The two labels' values.
    static func values(_ text: String) -> (upstream: String, server: String) {
        let parts = text.split(separator: "\n", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : (text, text)
    }
}

/// The result of a request that went to a server.
enum ForwardingOutcome: Sendable, Hashable {
    /// A final response arrived, with a status of this class.
    case answered(statusClass: UInt16)
    case failed(RetryRule.Failure)
    /// The request was sent a second time, to this server.
    case retried
    /// The response was not converted although the route has `response`.
    case skipped(SkipReason)

    private static let failureBase: UInt16 = 16
    private static let retryNumber: UInt16 = 32
    private static let skipBase: UInt16 = 48

    init(status: Int) { self = .answered(statusClass: UInt16(clamping: status / 100)) }

    /// Its number in the key of a series.
    var number: UInt16 {
        switch self {
        case .answered(let statusClass): statusClass
        case .failed(let failure): Self.failureBase + Self.place(of: failure, in: RetryRule.Failure.allCases)
        case .retried: Self.retryNumber
        case .skipped(let reason): Self.skipBase + Self.place(of: reason, in: SkipReason.allCases)
        }
    }

    init?(number: UInt16) {
        switch number {
        case 1...5: self = .answered(statusClass: number)
        case Self.retryNumber: self = .retried
        case Self.failureBase..<Self.failureBase + UInt16(RetryRule.Failure.allCases.count):
            self = .failed(RetryRule.Failure.allCases[Int(number - Self.failureBase)])
        case Self.skipBase..<Self.skipBase + UInt16(SkipReason.allCases.count):
            self = .skipped(SkipReason.allCases[Int(number - Self.skipBase)])
        default: return nil
        }
    }

    private static func place<Case: Equatable>(of wanted: Case, in cases: [Case]) -> UInt16 {
        UInt16(cases.firstIndex(of: wanted) ?? 0)
    }
}

extension RetryRule.Failure {
    /// The value of the label `reason`.
    var label: String {
        switch self {
        case .connect: "connect"
        case .closedUnanswered: "closed"
        case .timeout: "timeout"
        case .brokenAnswer: "broken"
        }
    }
}
