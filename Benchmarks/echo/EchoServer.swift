import Sockets

/// A loop that responds to each request with its body.
final class EchoServer {
    private static let listenerToken = PollToken(rawValue: .max)

    private let listener: Listener
    private let poller: Poller
    private var connections: [UInt64: EchoConnection] = [:]
    private var buffer = ReadBuffer()

    init(port: UInt16) throws(SystemCallError) {
        listener = try Listener(.tcp(host: "127.0.0.1", port: port))
        poller = try Poller()
        try poller.add(listener.number, token: Self.listenerToken, interest: .read)
    }

    /// Runs until the process is ended.
    func run() throws(SystemCallError) {
        var events: [PollEvent] = []
        while true {
            events.removeAll(keepingCapacity: true)
            _ = try poller.wait(milliseconds: -1, into: &events)
            for event in events {
                if event.token == Self.listenerToken { try accept() } else { try handle(event) }
            }
        }
    }

    private func accept() throws(SystemCallError) {
        while case .connection(let socket, _) = listener.accept() {
            let connection = EchoConnection(socket)
            let token = UInt64(connection.number)
            connections[token] = connection
            try poller.add(connection.number, token: PollToken(rawValue: token), interest: .read)
        }
    }

    private func handle(_ event: PollEvent) throws(SystemCallError) {
        guard let connection = connections[event.token.rawValue] else { return }
        let wasBlocked = connection.isBlocked
        guard connection.handle(event, &buffer) else {
            poller.remove(connection.number)
            connections[event.token.rawValue] = nil
            return
        }
        guard connection.isBlocked != wasBlocked else { return }
        try poller.change(connection.number, token: event.token, interest: connection.isBlocked ? .write : .read)
    }
}
