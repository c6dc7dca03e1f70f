package import Sockets
import Synchronization
import Telemetry
package import Text

// All loops, the resolver and the prober share one small record of an upstream behind a mutex. These must stay in step:
// `servers` follow from `addresses` in the order of the configuration. `giveBack` returns each connection that `choose`
// took exactly once.

/// One upstream of the configuration with its current state.
package final class Upstream: Sendable {
    /// The result of choosing a server.
    package enum Choice: Sendable, Equatable {
        /// This server. One of `maxConnections` is taken for it.
        case server(ServerAddress)
        /// No server is healthy: 503.
        case unhealthy
        /// `maxConnections` are in use, or the rest is reserved for other clients: 503.
        case full
        /// No server's name has ever been resolved: 502.
        case unresolved
    }

    private struct State {
        /// The last result of the resolver for each server.
        var addresses: [UpstreamServer: [ServerAddress]] = [:]
        /// The servers whose last lookup found no address.
        var unresolved: Set<UpstreamServer> = []
        var servers: [(server: ServerAddress, health: ServerHealth)] = []
        var turn: UInt64

        func index(of server: ServerAddress) -> Int? { servers.firstIndex { $0.server == server } }
    }

    package let configuration: UpstreamConfiguration
    private let state: Mutex<State>
    private let slots: ConnectionSlots

    /// - Parameters:
    ///   - former: the upstream with this name before. Its connections still count, and its servers keep their addresses.
    ///     They keep their health if the check is the same.
    ///   - turn: the start of the round robin.
    package init(
        _ configuration: UpstreamConfiguration, after former: Upstream? = nil,
        turn: UInt64 = .random(in: .min ... .max)
    ) {
        self.configuration = configuration
        slots = former?.slots ?? ConnectionSlots()
        var first = State(turn: turn)
        if let former {
            former.state.withLock { old in
                first.addresses = old.addresses.filter { configuration.servers.contains($0.key) }
                first.unresolved = old.unresolved.filter { configuration.servers.contains($0) }
                // The result of another check does not count here. Without a check, the state would never change back.
                guard former.configuration.health == configuration.health else { return }
                first.servers = old.servers
            }
        }
        for server in configuration.servers where first.addresses[server] == nil {
            first.addresses[server] = ServerAddress.literal(server).map { [$0] }
        }
        Self.rebuild(&first, configuration)
        state = Mutex(first)
    }

    // MARK: Requests

    /// Chooses the server of a request, round robin.
    ///
    /// - Parameters:
    ///   - client: the client whose share of the connections it uses; nil for none.
    ///   - avoided: the server that has just failed. It is chosen only if there is no other.
    package func choose(
        for client: IPAddress? = nil, avoiding avoided: ServerAddress? = nil, at now: MonotonicTime
    ) -> Choice {
        state.withLock { state in
            guard !state.servers.isEmpty else { return .unresolved }
            guard slots.take(of: configuration.maxConnections, sparing: configuration.sparedConnections, for: client)
            else { return .full }
            let index = ServerSelection.choose(
                among: state.servers.lazy.map(\.health), turn: state.turn,
                avoiding: avoided.flatMap { state.index(of: $0) }, at: now)
            guard let index else {
                slots.giveBack(client)
                return .unhealthy
            }
            state.turn &+= 1
            return .server(state.servers[index].server)
        }
    }

    /// Gives back the connection that `choose` took for this client.
    package func giveBack(_ client: IPAddress? = nil) { slots.giveBack(client) }

    /// Records a response of a server with any status.
    package func responded(_ server: ServerAddress, at now: MonotonicTime) { change(server) { $0.responded(at: now) } }

    /// Records a failure that no request caused, because no byte of one was sent.
    package func connectionFailed(_ server: ServerAddress, at now: MonotonicTime) {
        change(server) { $0.connectionFailed(at: now) }
    }

    /// Records that a server has sent bytes that belong to no response.
    func spokeUnasked(_ server: ServerAddress) {
        change(server) { health in
            health.hasSpokenUnasked = true
            return nil
        }
    }

    func hasSpokenUnasked(_ server: ServerAddress) -> Bool {
        state.withLock { state in
            state.index(of: server).map { state.servers[$0].health.hasSpokenUnasked } ?? false
        }
    }

    // MARK: Resolver and prober

    /// Every address in use, in the order of the configuration.
    package var servers: [ServerAddress] { health.map(\.server) }

    /// Every address in use with its health. They are copied: ThreadSanitizer does not know that the last reader of a shared array is done
    /// before the array is changed in place.
    package var health: [(server: ServerAddress, health: ServerHealth)] { state.withLock { $0.servers.map(\.self) } }

    /// Sets the addresses of a server's name. After an empty list, the last ones stay in use. Logs when a name loses its
    /// address or gets one back.
    package func resolved(_ server: UpstreamServer, to addresses: [ServerAddress]) {
        let change: (text: String, level: ServerLog.Level)? = state.withLock { state in
            guard configuration.servers.contains(server) else { return nil }
            let known = state.addresses[server] ?? []
            guard !addresses.isEmpty else {
                guard state.unresolved.insert(server).inserted else { return nil }
                return ("no address; \(known.isEmpty ? "it gets no requests" : "its last ones stay in use")", .warning)
            }
            // Resolvers rotate the order, which is not a change.
            if Set(known) != Set(addresses) {
                state.addresses[server] = addresses
                Self.rebuild(&state, configuration)
            }
            guard state.unresolved.remove(server) != nil else { return nil }
            return ("an address again", .info)
        }
        guard let change else { return }
        ServerLog.say("the upstream `\(configuration.name)`: the name of \(server) has \(change.text)", change.level)
    }

    /// Records a response to the prober, or a missing one.
    ///
    /// - Parameter result: the status, or why there is no response, for the log.
    func probed(_ server: ServerAddress, isGood: Bool, _ result: String = "no response") {
        guard let check = configuration.health else { return }
        // A query may have a secret.
        change(server, "GET \(check.path.prefix { $0 != "?" }): \(result)") { $0.probed(isGood: isGood, check) }
    }

    /// Records a good response to a health check, which ends an ejection whose time is over.
    func ejectionEnds(_ server: ServerAddress, at now: MonotonicTime) { change(server) { $0.ejectionEnds(at: now) } }

    // MARK: Helpers

    /// Builds the list of servers again. Servers that stay keep their health.
    private static func rebuild(_ state: inout State, _ configuration: UpstreamConfiguration) {
        let known = Dictionary(state.servers.map { ($0.server, $0.health) }) { first, _ in first }
        state.servers = configuration.servers.flatMap { state.addresses[$0] ?? [] }
            .map { ($0, known[$0] ?? ServerHealth()) }
    }

    /// - Parameter reason: why it may become unhealthy.
    private func change(
        _ server: ServerAddress, _ reason: String = "", _ body: (inout ServerHealth) -> ServerHealth.Change?
    ) {
        let change = state.withLock { state in
            state.index(of: server).flatMap { body(&state.servers[$0].health) }
        }
        guard let change else { return }
        let detail = change == .unhealthy ? " (\(reason))" : ""
        ServerLog.say("the upstream `\(configuration.name)`: \(server) \(change.text)\(detail)", change.level)
    }
}

extension ServerHealth.Change {
    fileprivate var text: String {
        switch self {
        case .healthy: "is healthy again by its checks"
        case .unhealthy: "is unhealthy by its checks and gets no requests"
        case .ejected:
            "has failed \(ServerHealth.maxFailures) connections in a row: other servers are preferred for "
                + "\(ServerHealth.ejectionSeconds) s, then until it responds"
        case .recovered: "responds again"
        }
    }

    fileprivate var level: ServerLog.Level {
        switch self {
        case .healthy, .recovered: .info
        case .unhealthy, .ejected: .warning
        }
    }
}
