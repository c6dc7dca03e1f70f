import CLinux
import Glibc

/// A filter of the system for the packets that reach a listening socket (socket(7), `SO_ATTACH_FILTER`).
enum HandshakeFilter {
    /// The byte of a TCP header with the flags, and SYN in it (RFC 9293 §3.1).
    private static let flagsOffset: UInt32 = 13
    private static let synFlag: UInt32 = 2
    /// The results of a filter: the number of bytes of the packet to keep.
    private static let (nothing, everything): (UInt32, UInt32) = (0, .max)

    /// Drops every SYN. No new handshake begins, and those in progress still complete.
    ///
    /// If the system has no such filters, nothing changes. Connections inherit the filter and are not harmed by it,
    /// because they receive no SYN.
    static func dropSYN(on number: Int32) {
        var program = [
            instruction(BPF_LD | BPF_B | BPF_ABS, flagsOffset),
            instruction(BPF_JMP | BPF_JSET | BPF_K, synFlag, otherwise: 1),
            instruction(BPF_RET | BPF_K, nothing),
            instruction(BPF_RET | BPF_K, everything),
        ]
        unsafe program.withUnsafeMutableBufferPointer { instructions in
            var filter = unsafe sock_fprog(len: UInt16(instructions.count), filter: instructions.baseAddress)
            _ = unsafe setsockopt(
                number, SOL_SOCKET, SO_ATTACH_FILTER, &filter, socklen_t(MemoryLayout<sock_fprog>.size))
        }
    }

    /// One instruction; a jump whose condition does not hold skips `otherwise` instructions.
    private static func instruction(_ code: Int32, _ operand: UInt32, otherwise: UInt8 = 0) -> sock_filter {
        sock_filter(code: UInt16(code), jt: 0, jf: otherwise, k: operand)
    }
}
