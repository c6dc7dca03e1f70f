package import ConvertEngine
import Dispatch
package import Observability
import Sockets
import Synchronization
package import Text

// A sample is the body of one response as the converter gets it. Its loop collects it beside the conversion, and gives it
// away when the response has ended. One queue of the process compares one sample after another, whatever route they are of.
// These must stay in step:
//
// - Each chosen response is counted once: when it was compared, or when its sample is released without that.
// - `comparison` is used on the queue only, and locked as long as a sample takes. `report` is locked for short times.

/// The comparison of a route's profile with another one, on a sample of its responses.
package final class Shadow: Sendable {
    /// The results so far.
    private struct Report: Sendable {
        var counts = [Int](repeating: 0, count: ShadowOutcome.allCases.count)
        var tally = DifferenceTally(maxGroups: maxGroups)
    }

    /// The longest body that is compared.
    package static let maxBodyBytes = 256 * 1024
    /// Bytes of samples that may wait, with `overheadBytes` for each.
    package static let maxWaitingBytes = 4 * 1024 * 1024
    private static let overheadBytes = 1024
    /// The differences of a route that are counted separately.
    package static let maxGroups = 100
    /// The longest time for one sample.
    private static let maxNanoseconds: Int64 = 250_000_000

    private static let queue = DispatchQueue(label: "shadow")
    private static let waitingBytes = Atomic<Int>(0)

    private let route: String
    private let profile: String
    private let direction: String
    /// The share of the responses that are compared, 0 to 1.
    private let share: Double
    private let comparison: Mutex<ProfileComparison>
    private let report = Mutex(Report())
    private let count: @Sendable (ShadowOutcome) -> Void

    /// - Parameters:
    ///   - route, profile, direction: names for the report.
    ///   - count: counts a result in the metrics.
    package init(
        _ comparison: consuming sending ProfileComparison, route: String, profile: String, direction: String,
        share: Double, count: @escaping @Sendable (ShadowOutcome) -> Void
    ) {
        self.comparison = Mutex(comparison)
        self.route = route
        self.profile = profile
        self.direction = direction
        self.share = share
        self.count = count
    }

    /// The sample for the next response; nil if it is not chosen.
    package func nextSample(_ framing: Converter.Framing) -> ShadowSample? {
        Double.random(in: 0..<1) < share ? ShadowSample(self, framing) : nil
    }

    fileprivate func note(_ outcome: ShadowOutcome, _ tally: DifferenceTally? = nil) {
        count(outcome)
        report.withLock { report in
            report.counts[outcome.rawValue] += 1
            if let tally { report.tally = tally }
        }
    }

    /// Compares a body on the queue. Returns false if there is no room for it.
    fileprivate func compare(_ body: [UInt8], _ framing: Converter.Framing, _ budget: MemoryBudget) -> Bool {
        let bytes = body.count + Self.overheadBytes
        guard Self.waitingBytes.add(bytes, ordering: .relaxed).newValue <= Self.maxWaitingBytes else {
            Self.waitingBytes.subtract(bytes, ordering: .relaxed)
            return false
        }
        budget.add(bytes)
        Self.queue.async {
            let (outcome, tally) = self.comparison.withLock { ($0.add(body: body, framing), $0.tally) }
            self.note(outcome, tally)
            Self.waitingBytes.subtract(bytes, ordering: .relaxed)
            budget.add(-bytes)
        }
        return true
    }

    fileprivate static func deadline() -> () -> Bool {
        let end = SystemClock.monotonic().nanoseconds + maxNanoseconds
        return { SystemClock.monotonic().nanoseconds > end }
    }

    /// Writes the members of an object with the results so far.
    package func write(to writer: inout JSONWriter) {
        // The counts are copied for the sake of ThreadSanitizer, see `Upstream.health`.
        let report = report.withLock { (counts: $0.counts.map(\.self), tally: $0.tally) }
        writer.member("route", route)
        writer.member("profile", profile)
        writer.member("direction", direction)
        for outcome in ShadowOutcome.allCases { writer.member(outcome.label, report.counts[outcome.rawValue]) }
        report.tally.write(to: &writer)
    }
}

extension ProfileComparison {
    /// Compares all payloads of a body in a limited time.
    fileprivate mutating func add(body: [UInt8], _ framing: Converter.Framing) -> ShadowOutcome {
        let isOver = Shadow.deadline()
        var result = ShadowOutcome.same
        for payload in Self.payloads(of: body, framing) {
            switch add(payload, framing, isOver) {
            case .same: break
            case .differs: result = result == .error ? .error : .differs
            case .error, .unconvertible: result = .error
            case .cut: return .skipped
            }
        }
        return result
    }
}

/// The body of a chosen response. It belongs to the loop of the response.
package final class ShadowSample {
    private let shadow: Shadow
    private let framing: Converter.Framing
    private var bytes: [UInt8] = []
    /// Whether the body does not count any more, or was given away.
    private var isOver = false
    private var isCounted = false

    fileprivate init(_ shadow: Shadow, _ framing: Converter.Framing) {
        self.shadow = shadow
        self.framing = framing
    }

    deinit { if !isCounted { shadow.note(.skipped) } }

    package var count: Int { bytes.count }

    /// Takes the next bytes of the body, as the converter gets them.
    ///
    /// - Parameter hasRoom: whether there is memory for them.
    package func append(_ next: Span<UInt8>, hasRoom: Bool) {
        guard !isOver else { return }
        guard hasRoom, bytes.count + next.count <= Shadow.maxBodyBytes else {
            bytes = []
            isOver = true
            return
        }
        bytes.append(span: next)
    }

    /// Compares the whole body, after the response.
    package func compare(_ budget: MemoryBudget) {
        guard !isOver else { return }
        isOver = true
        isCounted = shadow.compare(bytes, framing, budget)
        bytes = []
    }
}
