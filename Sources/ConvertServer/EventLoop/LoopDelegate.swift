package import Sockets

/// The user of an event loop: it gets the accepted connections, the messages of other threads, and a call after each
/// event and each turn.
package protocol LoopDelegate: AnyObject {
    /// The descriptor that becomes readable when messages of other threads wait; nil if there are none.
    var wakeUpNumber: Int32? { get }
    /// Whether it has no accepted connection left, so that a loop that is drained may end.
    var isIdle: Bool { get }

    /// Begins a turn, whose time is in the loop's context.
    func turnBegan()
    /// Handles the waiting messages.
    func woken(at now: MonotonicTime) throws(SystemCallError)
    /// Takes an accepted connection.
    ///
    /// - Parameter readsOn: whether there is time to handle bytes that have already arrived.
    func accepted(
        _ socket: consuming StreamSocket, from listener: Listener, _ peer: SocketAddress, readsOn: Bool,
        at now: MonotonicTime
    ) throws(SystemCallError)
    /// Counts a connection that could not be accepted because the system has no descriptor left.
    func refusedForDescriptors()
    /// Records the results of an event, so that each has its own time.
    func eventEnded()
    /// Records the results of a turn.
    func turnEnded()
}
