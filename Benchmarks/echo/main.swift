// Sends bodies back as they came: `EchoServer PORT`, on 127.0.0.1, in one loop.
//
// It is what an HTTP server can do at best with the sockets, the poller and the wire that ours has, which are the files
// under Server/: links to the server's own. There are no routes, no engine, no log, no metrics and no deadlines.

guard CommandLine.arguments.count == 2, let port = UInt16(CommandLine.arguments[1]) else {
    print("usage: EchoServer PORT")
    throw EchoFault.usage
}
let server = try EchoServer(port: port)
try server.run()

enum EchoFault: Error { case usage }
