import Glibc
import Sockets

OutputStream.prepareProcess()
let called = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
let program = Program(environment: .process, name: called == Program.filterName ? called : "convert-server")
exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
