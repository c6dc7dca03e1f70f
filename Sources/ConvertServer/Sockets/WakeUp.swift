import Glibc

/// A pipe that an event loop watches and any thread can write to, to end the loop's wait.
package final class WakeUp: Sendable {
    private let reader: FileDescriptor
    private let writer: FileDescriptor

    /// The descriptor that the loop watches for reading.
    package let number: Int32

    package init() throws(SystemCallError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw SystemCallError.last("pipe") }
        reader = FileDescriptor(owning: ends[0])
        writer = FileDescriptor(owning: ends[1])
        number = ends[0]
        for end in ends {
            guard fcntl(end, F_SETFL, O_NONBLOCK) == 0, fcntl(end, F_SETFD, FD_CLOEXEC) == 0 else {
                throw SystemCallError.last("fcntl")
            }
        }
    }

    package func wake() {
        var byte: UInt8 = 1
        // A full pipe already wakes the loop.
        while unsafe write(writer.number, &byte, 1) < 0, errno == EINTR {}
    }

    /// Takes all wake-ups so far.
    package func clear() {
        var room: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        while unsafe read(number, &room, MemoryLayout.size(ofValue: room)) > 0 {}
    }
}
