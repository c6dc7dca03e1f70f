import Glibc

OutputStream.prepareProcess()
let program = Program(environment: .process)
exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
