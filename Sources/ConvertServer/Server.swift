import Dispatch

/// Runs the server until it is told to end; prints a line for every address once it listens there.
///
/// - Returns: the exit code of the process.
func runServer(_ configuration: ServerConfiguration) throws(ServerError) -> Int32 {
    let server = try Server(configuration)
    return server.run()
}

/// The loops of one process, and the queue that controls them.
///
/// Everything that changes after the start is the controller's, which lives on the control queue.
struct Server {
    private let configuration: ServerConfiguration
    private let signals: Signals
    private let loops: [(loop: EventLoop, mailbox: LoopMailbox)]
    private let addresses: [ListenAddress]
    private let accessLog = AccessLog()

    init(_ configuration: ServerConfiguration) throws(ServerError) {
        guard !configuration.listen.isEmpty else {
            throw ServerError(.badConfiguration, "there is no address to listen at")
        }
        self.configuration = configuration
        // Before anything listens, so that no signal can find the server half made.
        signals = Signals()
        let count = configuration.loops > 0 ? configuration.loops : SystemProcessors.count
        let listeners = try Self.listen(configuration, loops: count)
        addresses = listeners[0].map(\.address)
        let budget = ConnectionBudget(maxConnections: configuration.maxConnections)
        var loops: [(EventLoop, LoopMailbox)] = []
        for own in listeners {
            do throws(SystemCallError) {
                let mailbox = try LoopMailbox()
                let loop = try EventLoop(
                    configuration, listeners: own, mailbox: mailbox, budget: budget, accessLog: accessLog)
                loops.append((loop, mailbox))
            } catch {
                throw ServerError(.internalFault, "cannot start an event loop: \(error)")
            }
        }
        self.loops = loops
    }

    func run() -> Int32 { 0 }

    /// The listeners of each loop.
    private static func listen(
        _ configuration: ServerConfiguration, loops: Int
    ) throws(ServerError) -> [[Listener]] {
        var listeners: [[Listener]] = Array(repeating: [], count: loops)
        for address in configuration.listen {
            do throws(SystemCallError) {
                let first = try Listener(address)
                for index in 0..<loops {
                    switch first.address {
                    // The first one's address, since the system may have chosen the port.
                    case .tcp where index > 0: listeners[index].append(try Listener(first.address))
                    // A local path has one listener, which the loops share.
                    case .tcp, .unix: listeners[index].append(first)
                    }
                }
            } catch {
                throw ServerError(.badConfiguration, "cannot listen at \(address): \(error)")
            }
        }
        return listeners
    }
}
