import TestSupport
import Testing

@testable import ConvertServer
@testable import Sockets

/// The examples in `deploy/`, run unchanged.
struct DeploymentTests {
    private static func isInstalled(_ program: String) -> Bool {
        let folders =
            (ProcessEnvironment.process["PATH"] ?? "/usr/bin:/bin").split(separator: ":") + ["/usr/sbin", "/sbin"]
        return folders.contains { (try? InputFile(path: "\($0)/\(program)")) != nil }
    }

    /// Under load, each replica in turn gets SIGTERM and is started again.
    private static func replaceReplicas(behind balancer: String) throws -> ChildProcess.Outcome {
        let path = ProcessEnvironment.process["PATH"] ?? "/usr/bin:/bin"
        return try ChildProcess(
            program: "/usr/bin/env",
            arguments: [
                "python3", "-B", BuiltProgram.project + "/Tests/deploy/replace_replicas.py", BuiltProgram.path,
                balancer,
            ],
            environment: ["PATH": "\(path):/usr/sbin:/sbin"], input: .bytes([])
        ).run()
    }

    @Test(.enabled(if: isInstalled("haproxy"), "HAProxy is not installed"))
    func `replicas behind HAProxy are replaced without a failed request`() throws {
        let outcome = try Self.replaceReplicas(behind: "haproxy")
        #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
        #expect(outcome.text.contains(#""failed": 0, "failures": [], "replaced": 3"#), "\(outcome.text)")
    }

    @Test(.enabled(if: isInstalled("haproxy"), "HAProxy is not installed"))
    func `gateways behind HAProxy are replaced without a failed request`() throws {
        let outcome = try Self.replaceReplicas(behind: "haproxy-gateway")
        #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
        #expect(outcome.text.contains(#""failed": 0, "failures": [], "replaced": 3"#), "\(outcome.text)")
    }

    @Test(.enabled(if: isInstalled("nginx"), "nginx is not installed"))
    func `replicas behind nginx are replaced without a failed request`() throws {
        let outcome = try Self.replaceReplicas(behind: "nginx")
        #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
        #expect(outcome.text.contains(#""failed": 0, "failures": [], "replaced": 3"#), "\(outcome.text)")
    }
}
