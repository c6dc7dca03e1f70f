import Synchronization

/// One upstream of the configuration with what the process knows of it now. All loops share it.
final class Upstream: Sendable {
    /// What came of asking for a server.
    enum Choice: Sendable {
        /// This one; a place among `maxConnections` is taken until `giveBack`.
        case server(ServerAddress)
        /// No name of a server could be resolved.
        case unresolved
        /// No server is healthy.
        case unhealthy
        /// `maxConnections` are in use.
        case full
    }

    private struct State {
        var addresses: [UpstreamServer: [ServerAddress]] = [:]
        /// All addresses, in the order of the configuration.
        var servers: [ServerAddress] = []
        /// Beside `servers`.
        var health: [ServerHealth] = []
        /// Counts the requests, from a random number on.
        var turn = UInt64.random(in: .min ... .max)
        var connections = 0
    }

    let configuration: UpstreamConfiguration
    private let state: Mutex<State>

    /// - Parameter known: the upstream of this name until now, whose addresses and health go on.
    init(_ configuration: UpstreamConfiguration, known: Upstream? = nil) {
        self.configuration = configuration
        state = Mutex(State())
        guard let known else { return }
        let (addresses, health) = known.state.withLock { old in
            (old.addresses, Dictionary(uniqueKeysWithValues: zip(old.servers, old.health)))
        }
        for server in configuration.servers {
            if let found = addresses[server] { setAddresses(found, of: server, health: health) }
        }
    }

    // MARK: Requests

    /// Chooses the server of a request, round robin.
    ///
    /// - Parameter avoided: the server that has just failed, which is taken only when there is no other.
    func choose(avoiding avoided: ServerAddress? = nil, at now: MonotonicTime) -> Choice {
        state.withLock { state in
            guard !state.servers.isEmpty else { return .unresolved }
            guard state.connections < configuration.maxConnections else { return .full }
            let index = ServerSelection.choose(
                among: state.health, turn: state.turn, avoiding: avoided.flatMap(state.servers.firstIndex), at: now)
            guard let index else { return .unhealthy }
            state.turn &+= 1
            state.connections += 1
            return .server(state.servers[index])
        }
    }

    /// Gives the place back that `choose` took.
    func giveBack() { state.withLock { $0.connections -= 1 } }

    /// Notes an answer, whatever its status.
    func answered(_ server: ServerAddress) {
        changeHealth(of: server) { $0.answered() }
    }

    /// Notes a connect error, a reset or a timeout.
    func connectionFailed(_ server: ServerAddress, at now: MonotonicTime) {
        changeHealth(of: server) { $0.connectionFailed(at: now) }
    }

    // MARK: Resolving and probing

    /// The servers' addresses as they are known now.
    var servers: [ServerAddress] { state.withLock { $0.servers } }

    /// Notes what a server's name stands for; an empty answer leaves the last one in use.
    func setAddresses(_ addresses: [ServerAddress], of server: UpstreamServer) {
        setAddresses(addresses, of: server, health: [:])
    }

    /// Notes an answer to the prober, or the lack of one.
    func probed(_ server: ServerAddress, isGood: Bool) {
        guard let check = configuration.health else { return }
        changeHealth(of: server) { $0.probed(isGood: isGood, check) }
    }

    private func setAddresses(
        _ addresses: [ServerAddress], of server: UpstreamServer, health: [ServerAddress: ServerHealth]
    ) {
        state.withLock { state in
            guard !addresses.isEmpty, state.addresses[server] != addresses else { return }
            var known = Dictionary(uniqueKeysWithValues: zip(state.servers, state.health))
            known.merge(health) { current, _ in current }
            state.addresses[server] = addresses
            state.servers = configuration.servers.flatMap { state.addresses[$0] ?? [] }
            state.health = state.servers.map { known[$0] ?? ServerHealth() }
        }
    }

    private func changeHealth(of server: ServerAddress, _ change: (inout ServerHealth) -> Void) {
        state.withLock { state in
            guard let index = state.servers.firstIndex(of: server) else { return }
            change(&state.health[index])
        }
    }
}
