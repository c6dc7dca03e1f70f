import GatewayTestSupport
import Sockets
import Testing

@testable import Gateway
@testable import HTTPServer
@testable import Upstreams

/// How many connections are accepted with a given number of descriptors.
struct ConnectionPlanTests {
    private static func configuration(isGateway: Bool, hasAdmin: Bool, maxConnections: Int = 10_000) throws
        -> ServerConfiguration
    {
        var configuration = ServerConfiguration()
        configuration.maxConnections = maxConnections
        configuration.maxConnectionsPerClient = ServerConfiguration.connectionsPerClient(of: maxConnections)
        if hasAdmin { configuration.gateway.admin = [.unix(path: "admin")] }
        guard isGateway else { return configuration }
        let trial = try GatewayTrial(routes: #"{ "match": "/", "upstream": "shop" }"#)
        configuration.gateway.upstreams = trial.gateway.configuration.upstreams
        configuration.gateway.routes = trial.gateway.configuration.routes
        return configuration
    }

    @Test func `with enough descriptors, the limits are as configured`() throws {
        for (isGateway, descriptors) in [(false, 10_700), (true, 20_900)] {
            let configuration = try Self.configuration(isGateway: isGateway, hasAdmin: true)
            let plan = ConnectionPlan(configuration, loops: 4, descriptors: descriptors)
            #expect(plan.maxConnections == 10_000 && plan.maxAdminConnections == 100)
            #expect(plan.maxPerClient == 7500 && plan.warning == nil)
        }
    }

    @Test func `clients leave descriptors for upstreams, for admin and for the server itself`() throws {
        for isGateway in [false, true] {
            for hasAdmin in [false, true] {
                for descriptors in [64, 256, 1024, 4096] {
                    let configuration = try Self.configuration(isGateway: isGateway, hasAdmin: hasAdmin)
                    let plan = ConnectionPlan(configuration, loops: 2, descriptors: descriptors)
                    let admin = hasAdmin ? plan.maxAdminConnections : 0
                    let servers = configuration.gateway.upstreams.reduce(0) { $0 + $1.servers.count }
                    // Each of the two loops keeps up to 32 idle connections to each server if there are enough descriptors.
                    let idle = descriptors < 1024 ? 0 : servers * 2 * 32
                    let used =
                        plan.maxConnections * (isGateway ? 2 : 1) + admin + plan.maxRefusedConnections + idle
                    #expect(plan.maxConnections >= 1 && plan.maxAdminConnections >= 1)
                    #expect(used < descriptors - 20 && used > descriptors / 4, "\(used) of \(descriptors)")
                    #expect(plan.maxPerClient <= plan.maxConnections - plan.maxConnections / 4)
                    #expect(plan.warning?.contains("\(descriptors)") == true)
                }
            }
        }
    }

    @Test func `one connection is accepted however few descriptors there are`() throws {
        let configuration = try Self.configuration(isGateway: true, hasAdmin: true)
        let plan = ConnectionPlan(configuration, loops: 8, descriptors: 10)
        #expect(plan.maxConnections == 1 && plan.maxAdminConnections == 1)
    }

    @Test func `admin gets a hundred connections, or as many as clients if they get fewer`() throws {
        for (maxConnections, expected) in [(1_000, 100), (100, 100), (99, 99), (1, 1)] {
            for hasAdmin in [false, true] {
                let configuration = try Self.configuration(
                    isGateway: false, hasAdmin: hasAdmin, maxConnections: maxConnections)
                let plan = ConnectionPlan(configuration, loops: 1, descriptors: 100_000)
                #expect(plan.maxAdminConnections == expected, "\(maxConnections)")
            }
        }
    }
}
