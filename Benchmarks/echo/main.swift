// Sends bodies back unchanged: `EchoServer PORT`, on 127.0.0.1, in one loop.
//
// It shows the best that an HTTP server can do with our sockets, poller and wire. These are the files under Server/, which are
// links to the server's own. There are no routes, no engine, no log, no metrics and no deadlines.

guard CommandLine.arguments.count == 2, let port = UInt16(CommandLine.arguments[1]) else {
    print("usage: EchoServer PORT")
    throw EchoError.usage
}
let server = try EchoServer(port: port)
try server.run()

enum EchoError: Error { case usage }
