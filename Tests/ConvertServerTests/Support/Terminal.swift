import Glibc

@testable import ConvertServer
@testable import Sockets

/// A pseudo terminal that a program under test uses as its screen, and the text on it.
final class Terminal {
    /// The path of the device that a program opens.
    let path: String
    private let master: Int32
    /// It stays open, since a terminal without an open descriptor loses the written text.
    private let device: Int32

    init() throws {
        var (master, device) = (Int32(-1), Int32(-1))
        var name = [CChar](repeating: 0, count: 128)
        guard unsafe openpty(&master, &device, &name, nil, nil) == 0 else { throw SystemCallError.last("openpty") }
        self.master = master
        self.device = device
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for descriptor in [master, device] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
    }

    deinit {
        _ = close(master)
        _ = close(device)
    }

    /// The written text, at most one screen; line feeds follow a carriage return, as the terminal shows them.
    ///
    /// The kernel needs some time to transfer the bytes, so this waits for them: at most five seconds for the first, and then until no
    /// more have arrived for a moment.
    func text() -> String {
        var text: [UInt8] = []
        var patienceMilliseconds: Int32 = 5_000
        while isReadable(within: patienceMilliseconds) {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(master, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            text += buffer.prefix(count)
            patienceMilliseconds = 100
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func isReadable(within milliseconds: Int32) -> Bool {
        var watched = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&watched, 1, milliseconds) == 1
    }
}
