/// The parser of Prometheus's own Python client, installed under `.build/` when it is first used. Without Python or access to the package
/// index it is not available, and the tests that need it are skipped.
package enum PrometheusClient {
    /// Prints each sample as `family TAB kind TAB name TAB sorted labels TAB value`, with texts as Python's `ascii` spells them.
    private static let script = """
        import sys
        from prometheus_client.parser import text_fd_to_metric_families
        for family in text_fd_to_metric_families(sys.stdin):
            for sample in family.samples:
                labels = sorted(sample.labels.items())
                print(family.name, family.type, sample.name, ascii(labels), repr(float(sample.value)), sep="\\t")
        """

    private static let environment = "\(BuiltProgram.project)/.build/venv-metrics"

    package static let isAvailable: Bool = {
        if (try? parse([]))?.status == 0 { return true }
        let steps = """
            python3 -m venv '\(environment)' && '\(environment)/bin/pip' install --quiet \
            --disable-pip-version-check --retries 1 --timeout 10 prometheus_client==0.26.0
            """
        let path = ["PATH": "/usr/local/bin:/usr/bin:/bin"]
        let outcome = try? ChildProcess(program: "/bin/sh", arguments: ["-c", steps], environment: path).run()
        return outcome?.status == 0 && (try? parse([]))?.status == 0
    }()

    package static func parse(_ document: [UInt8]) throws -> ChildProcess.Outcome {
        try ChildProcess(
            program: "\(environment)/bin/python", arguments: ["-B", "-X", "utf8", "-c", script],
            input: .bytes(document)
        ).run()
    }
}
