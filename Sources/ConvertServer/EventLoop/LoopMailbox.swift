import HTTPSemantics
import Sockets
import Synchronization

/// How the control queue speaks to one event loop: the only thing that the two share.
final class LoopMailbox: Sendable {
    /// The messages to a loop.
    enum Message: Sendable {
        /// These listeners are the loop's from now on; nobody else keeps them, so that they close when it lets go.
        case listen([Listener])
        /// What is served from now on; requests in flight go on with what they began with.
        case deployment(Gateway?, ProfileSet, TrustedProxies)
        /// What the workshop made of the profile of this connection's request of this number.
        case profile(ProfileWorkshop.Product, PollToken, request: Int)
        /// What a held object of this connection needs is done.
        case heldObject(HeldObjectWork, PollToken)
        /// `/readyz` says no from now on.
        case becomeUnready
        /// Listening ends, idle connections close, requests in flight are the last of their connections.
        case drain
        /// Everything closes at once.
        case end
    }

    private let messages = Mutex<[Message]>([])
    private let wakeUp: WakeUp

    /// What the loop watches for reading.
    var number: Int32 { wakeUp.number }

    init() throws(SystemCallError) {
        wakeUp = try WakeUp()
    }

    func send(_ message: Message) {
        messages.withLock { $0.append(message) }
        wakeUp.wake()
    }

    /// Takes all messages that have come; called by the loop.
    func receive() -> [Message] {
        wakeUp.clear()
        return messages.withLock { messages in
            let received = messages
            messages = []
            return received
        }
    }
}
