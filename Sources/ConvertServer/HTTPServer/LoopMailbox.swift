package import Conversions
package import Gateway
package import HTTPSemantics
package import Sockets
import Synchronization

/// The messages from the control queue to one event loop. The two share nothing else.
package final class LoopMailbox: Sendable {
    package enum Message: Sendable {
        /// These listeners belong to the loop from now on. Nobody else has a reference, so that they close when the
        /// loop releases them.
        case listen([Listener])
        /// The deployment from now on. Requests in flight continue with the old one.
        case deployment(Gateway?, ProfileSet, TrustedProxies)
        /// The compile queue's result for a profile, for the request with this number on a connection.
        case profile(CompileQueue.Outcome, PollToken, request: Int)
        /// The work for a buffered object of this connection is done.
        case heldObject(HeldObjectWork, PollToken)
        /// `/readyz` returns 503 from now on.
        case becomeUnready
        /// Listening ends, idle connections close, requests in flight are the last of their connections.
        case drain
        /// Everything closes at once.
        case end
    }

    private let messages = Mutex<[Message]>([])
    private let wakeUp: WakeUp

    /// The descriptor that the loop watches for reading.
    package var number: Int32 { wakeUp.number }

    package init() throws(SystemCallError) {
        wakeUp = try WakeUp()
    }

    package func send(_ message: Message) {
        messages.withLock { $0.append(message) }
        wakeUp.wake()
    }

    /// Takes all received messages. The loop calls it.
    package func receive() -> [Message] {
        wakeUp.clear()
        return messages.withLock { messages in
            let received = messages
            messages = []
            return received
        }
    }
}
