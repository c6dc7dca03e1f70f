import Glibc
import TestSupport
import Testing

@testable import Sockets

/// The paths of Unix sockets, which other programs may use as well.
struct LocalListenerTests {
    @Test func `another program's file at the path of a Unix socket is kept`() throws {
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

    @Test func `a Unix socket gets the mode, the owner and the group of its address`() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/socket"
        let former = umask(0o077)
        defer { umask(former) }
        // The system allows every user to give a file to one of their own groups.
        for (text, mode) in [
            ("", 0o700), ("?mode=0660", 0o660), ("?mode=666&owner=\(geteuid())&group=\(getegid())", 0o666),
        ]
            as [(String, UInt32)]
        {
            let listener = try Listener(try #require(ListenAddress("unix:\(path)\(text)")))
            var status = stat()
            #expect(unsafe lstat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == mode, "\(text)")
            #expect(status.st_gid == getegid())
            #expect("\(listener.address)" == "unix:\(path)")
        }
        for access in [SocketAccess(group: "no-such-group"), SocketAccess(owner: "no-such-user")] {
            #expect(throws: SystemCallError.self) { _ = try Listener(.unix(path: path, access)) }
            #expect(unsafe Glibc.access(path, F_OK) != 0)
        }
    }

    @Test func `a Unix socket with a full queue is reported as in use at once`() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/socket"
        let address = try SocketAddress(path: path)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(listener >= 0)
        defer { close(listener) }
        #expect(unsafe address.withPointer { unsafe bind(listener, $0, $1) } == 0)
        #expect(listen(listener, 0) == 0)
        var waiting: [Int32] = []
        defer { for number in waiting { close(number) } }
        while true {
            let number = socket(
                AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
            try #require(number >= 0)
            waiting.append(number)
            if unsafe address.withPointer({ unsafe connect(number, $0, $1) }) != 0 { break }
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
