import Glibc

/// A failed system call: its name, its errno and the system's message.
package struct SystemCallError: Error, Hashable, CustomStringConvertible {
    /// The name of the call as in `man 2`.
    package let call: String
    package let number: Int32

    package init(call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    /// The error of the call that has just returned -1.
    package static func last(_ call: String) -> SystemCallError {
        SystemCallError(call: call, number: errno)
    }

    package var description: String { reason }

    /// The text of `strerror_r`, such as "No such file or directory". Lookups of names and kinds of files have no errno of
    /// their own.
    package var reason: String {
        switch call {
        case "getaddrinfo": return "no address is known for this name"
        case "getpwnam": return "the system has no user of this name"
        case "getgrnam": return "the system has no group of this name"
        case "fstat": return "this is not a regular file"
        case "readlink": return "this is a link to a file that does not exist"
        default: break
        }
        // Long enough for every message of glibc. A longer one makes the call fail and does not overrun the buffer.
        var text = [CChar](repeating: 0, count: 128)
        let result: Int32 = unsafe text.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return -1 }
            return unsafe strerror_r(number, start, buffer.count)
        }
        guard result == 0 else { return "unknown error" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension SystemCallError {
    /// The process, or the system, has no descriptor or no memory for another socket.
    package var isExhaustion: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number) }

    /// Nobody reads the pipe or socket any more.
    package var isBrokenPipe: Bool { number == EPIPE || number == ECONNRESET }
}
