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

    /// The notices of sd_notify(3), received by Python's sockets.
    @Test(.enabled(if: PythonReference.isAvailable, "needs python3"))
    func `a service manager gets READY=1 when clients can connect, and STOPPING=1 after the signal`() throws {
        let script = """
            import signal, socket, subprocess, sys
            program, path, name = sys.argv[1:]
            manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            manager.settimeout(60)
            manager.bind("\\0" + name[1:] if name[0] == "@" else name)
            words = [program, "serve", "--listen", "unix:" + path]
            server = subprocess.Popen(words, env={"NOTIFY_SOCKET": name}, stdout=subprocess.DEVNULL)
            try:
                print(manager.recv(100).decode())
                with socket.socket(socket.AF_UNIX) as client:
                    client.connect(path)
                server.send_signal(signal.SIGTERM)
                print(manager.recv(100).decode())
                print(server.wait(60))
            finally:
                server.kill()
            """
        let directory = try TemporaryDirectory()
        for name in ["\(directory.path)/notices", "@\(directory.path)"] {
            let words = ["-c", script, BuiltProgram.path, "\(directory.path)/convert.sock", name]
            let outcome = try ChildProcess(command: "python3", words).run()
            #expect(outcome.text == "READY=1\nSTOPPING=1\n0\n", "\(name): \(outcome.errors)")
        }
        let server = try LiveServer(prelude: "export NOTIFY_SOCKET='\(directory.path)/none'")
        _ = try server.wait { $0.contains("cannot send READY=1 to NOTIFY_SOCKET: No such file") ? true : nil }
        #expect(HTTPText.status(try server.get("/healthz")) == 200)
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
