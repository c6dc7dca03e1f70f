import Glibc
import TestSupport
import Testing

@testable import ConvertServer

/// `serve` and `health` together, as an orchestrator uses them.
struct ServeCommandTests {
    @Test func `health succeeds while the server runs, and SIGTERM ends it with code 0`() throws {
        let server = try LiveServer()
        let alive = try BuiltProgram.run("health", "--listen", server.address)
        #expect(alive.status == 0, "\(alive.errors)")
        #expect(alive.errors.isEmpty)
        #expect(try BuiltProgram.run("health", environment: ["CONVERT_LISTEN": server.address]).status == 0)
        server.signal(SIGTERM)
        #expect(server.exitCode() == 0)
        #expect(try BuiltProgram.run("health", "--listen", server.address).status == 1)
    }

    @Test func `a server is healthy although its configuration file has errors since its start`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("convert.json", "{}")
        let server = try LiveServer("--config", file)
        _ = try directory.write("convert.json", #"{ "listen": "\#(server.address)", "maxBodyBytes": "10 MB" }"#)
        #expect(try BuiltProgram.run("health", "--config", file).status == 0)
        _ = try directory.write("convert.json", "{ broken")
        let variables = ["CONVERT_LISTEN": server.address]
        #expect(try BuiltProgram.run("health", "--config", file, environment: variables).status == 0)
        server.signal(SIGTERM)
        #expect(server.exitCode() == 0)
        let outcome = try BuiltProgram.run("health", "--config", file, environment: variables)
        #expect(outcome.status == 1 && outcome.errors.contains("the configuration file has errors"))
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
