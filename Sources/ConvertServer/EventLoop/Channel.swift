package import Sockets

/// The next step of a loop for a channel.
package enum NextStep: Equatable {
    /// Watch the socket for these events; others may be reported too.
    case watch(PollInterest)
    /// Watch the socket for this and nothing else, because unread input waits that is not wanted yet.
    case watchOnly(PollInterest)
    /// Watch nothing, not even the end of the input, until the channel is updated again.
    case unwatch
    /// Stop watching and close the channel.
    case close

    /// The same if unread input remains.
    package var leavingInput: NextStep { if case .watch(let interest) = self { .watchOnly(interest) } else { self } }
}

/// One socket of an event loop and the protocol that it speaks.
package protocol Channel: AnyObject {
    /// The descriptor of the socket.
    var number: Int32 { get }
    /// The loop's token of the channel; nil before the loop knows it.
    var token: PollToken? { get set }
    /// The channel whose client is charged for the turns of this one; nil for its own.
    var payer: PollToken? { get }
    /// Whether work remains that only waits for its turn.
    var isUnfinished: Bool { get }

    /// Reads once, processes what has arrived, and sends the output.
    func handle(_ event: PollEvent, _ buffer: inout ReadBuffer, at now: MonotonicTime) -> NextStep
    /// Continues as far as possible, because another channel has given it work or room.
    func update(at now: MonotonicTime) -> NextStep
    /// Handles an expired deadline.
    func expire(at now: MonotonicTime) -> NextStep
    /// The time at which `expire` must be called.
    func deadline(at now: MonotonicTime) -> MonotonicTime?
    /// Adds the processor time of a turn that was measured.
    func spend(nanoseconds: Int64)
    /// Handles that the loop cannot watch the channel.
    func cannotBeWatched(_ error: SystemCallError, at now: MonotonicTime)
    /// Prepares to be closed before its exchange has ended.
    func abandon()
    /// Handles that the loop has removed the channel, which is about to close.
    func closed()
}

extension Channel {
    package var payer: PollToken? { nil }
    package var isUnfinished: Bool { false }
    package func spend(nanoseconds: Int64) {}
    package func cannotBeWatched(_ error: SystemCallError, at now: MonotonicTime) {}
    package func abandon() {}
    package func closed() {}
}
