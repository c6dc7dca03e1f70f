import Glibc
import Testing

@testable import ConvertServer

/// The paths of local sockets, which others may use as well.
struct LocalListenerTests {
    @Test func `what somebody else has put at a local socket's path stays there`() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/socket"
        do {
            let listener = try Listener(.unix(path: path))
            #expect(unsafe access(path, F_OK) == 0)
            listener.closeDoor()
            #expect(unsafe access(path, F_OK) != 0)
        }
        do {
            let listener = try Listener(.unix(path: path))
            #expect(unsafe unlink(path) == 0)
            _ = try directory.write("socket", "not yours")
            listener.closeDoor()
        }
        #expect(try InputFile(path: path).readAll(maxBytes: 100) == Array("not yours".utf8))
    }

    @Test func `a local socket whose queue is full is in use, which is said at once`() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/socket"
        let place = try SocketAddress(path: path)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(listener >= 0)
        defer { close(listener) }
        #expect(unsafe place.withPointer { unsafe bind(listener, $0, $1) } == 0)
        #expect(listen(listener, 0) == 0)
        var waiting: [Int32] = []
        defer { for number in waiting { close(number) } }
        while true {
            let number = socket(
                AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
            try #require(number >= 0)
            waiting.append(number)
            if unsafe place.withPointer({ unsafe connect(number, $0, $1) }) != 0 { break }
        }
        #expect(waiting.count > 1)
        do throws(SystemCallError) {
            _ = try Listener(.unix(path: path))
            Issue.record("the path is in use")
        } catch {
            #expect(error.number == EADDRINUSE, "\(error)")
        }
    }
}
