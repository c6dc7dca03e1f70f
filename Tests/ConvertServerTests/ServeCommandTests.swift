import TestSupport
import Testing

@testable import ConvertServer

/// `serve` and `health` together, as an orchestrator uses them.
struct ServeCommandTests {
    @Test func `health succeeds while the server runs, and SIGTERM ends it with code 0`() throws {
        let server = try RunningServer()
        let alive = try BuiltProgram.run("health", "--listen", server.address)
        #expect(alive.status == 0, "\(alive.errors)")
        #expect(alive.errors.isEmpty)
        #expect(try BuiltProgram.run("health", environment: ["CONVERT_LISTEN": server.address]).status == 0)
        #expect(server.end() == 0)
        #expect(try BuiltProgram.run("health", "--listen", server.address).status == 1)
    }

    @Test func `a configuration that the system refuses ends serve with the reason`() throws {
        let directory = try TemporaryDirectory()
        let noDirectory = try BuiltProgram.run(
            "serve", "--listen", "unix:\(directory.path)/none/socket", "--profiles", directory.path)
        #expect(noDirectory.status == 78, "\(noDirectory.errors)")
        #expect(noDirectory.errors.contains("No such file or directory"))
        let notANumber = try BuiltProgram.run("serve", "--drain-seconds", "soon")
        #expect(notANumber.status == 64)
        let notOctal = try BuiltProgram.run("serve", "--listen", "unix:\(directory.path)/socket?mode=9")
        #expect(notOctal.status == 64 && notOctal.errors.contains("octal digits"), "\(notOctal.errors)")
        #expect(try BuiltProgram.run("serve", environment: ["CONVERT_LOOPS": "-1"]).status == 78)
    }
}
