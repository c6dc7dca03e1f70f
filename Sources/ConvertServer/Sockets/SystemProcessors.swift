import CLinux
import Glibc

/// The processors that this process may use.
package enum SystemProcessors {
    /// How many processors can work for the process at one time, at least 1. It is the lower one of two numbers: the processors
    /// that it may run on (`taskset`, cpusets), and the time that its control groups allow, rounded up.
    package static let count = count(runnable: runnableCount, quota: ControlGroups.ofProcess.processorQuota)

    package static func count(runnable: Int, quota: Double?) -> Int {
        guard let quota else { return max(1, runnable) }
        return max(1, min(runnable, Int(min(quota.rounded(.up), Double(runnable)))))
    }

    /// Processors that the scheduler may put this process on (sched_getaffinity(2)).
    static var runnableCount: Int {
        // Room for 65,536 of them, because the system refuses a mask that is smaller than its own.
        var mask = [UInt64](repeating: 0, count: 1024)
        let result = unsafe mask.withUnsafeMutableBytes { bytes in
            unsafe sched_getaffinity(0, bytes.count, bytes.baseAddress)
        }
        guard result == 0 else { return sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
        return mask.reduce(0) { $0 + $1.nonzeroBitCount }
    }
}
