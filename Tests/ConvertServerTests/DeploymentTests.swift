import TestSupport
import Testing

/// The examples in `deploy/`, run unchanged. Under load, each replica in turn gets SIGTERM and is started again.
struct DeploymentTests {
    @Test(
        .enabled(if: ChildProcess.isInstalled("haproxy"), "HAProxy is not installed"),
        arguments: ["haproxy", "haproxy-gateway"])
    func `replicas and gateways behind HAProxy are replaced without a failed request`(_ balancer: String) throws {
        try replaceReplicas(behind: balancer)
    }

    @Test(.enabled(if: ChildProcess.isInstalled("nginx"), "nginx is not installed"))
    func `replicas behind nginx are replaced without a failed request`() throws {
        try replaceReplicas(behind: "nginx")
    }

    private func replaceReplicas(behind balancer: String) throws {
        let outcome = try ChildProcess(script: "deploy/replace_replicas.py", [BuiltProgram.path, balancer]).run()
        #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
        #expect(outcome.text.contains(#""failed": 0, "failures": [], "replaced": 3"#), "\(outcome.text)")
    }
}
