import Glibc

@testable import ConvertServer
@testable import Sockets

/// A pseudo terminal: what a program under test takes for a screen, and what appeared there.
final class Terminal {
    /// The device that a program opens.
    let path: String
    private let master: Int32
    /// Held open, since a terminal that nobody has open any more forgets what was written.
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

    /// What has been written, at most a screenful; line feeds are shown as the terminal does, after a carriage return.
    ///
    /// The kernel carries bytes from one end to the other in its own time, so this waits for them: at most five seconds
    /// for the first, and until none has come for a moment.
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
