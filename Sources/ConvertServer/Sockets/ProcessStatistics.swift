import Glibc

/// The system's statistics of this process. Each part is nil if it is not available.
package struct ProcessStatistics: Sendable, Hashable {
    package var residentBytes: UInt64?
    package var openDescriptors: UInt64?
    package var maxDescriptors: UInt64?
    /// Processor time of all threads, in user and system mode.
    package var processorNanoseconds: UInt64?

    /// Reads the statistics, which takes some microseconds.
    package static func current() -> ProcessStatistics {
        ProcessStatistics(
            residentBytes: readResidentBytes(), openDescriptors: countDescriptors(),
            maxDescriptors: DescriptorLimit.limit.map { UInt64($0.rlim_cur) },
            processorNanoseconds: UInt64(clamping: SystemClock.process()))
    }

    /// The second number of `statm` (proc_pid_statm(5)), which counts pages.
    private static func readResidentBytes() -> UInt64? {
        guard let bytes = try? InputFile(path: "/proc/self/statm").readAll(maxBytes: 4096) else { return nil }
        let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard numbers.count > 1, let pages = UInt64(numbers[1]) else { return nil }
        let pageBytes = sysconf(Int32(_SC_PAGESIZE))
        return pageBytes > 0 ? pages * UInt64(pageBytes) : nil
    }

    /// Since Linux 6.2 the directory's size is the count. Before that, the directory must be read, which takes
    /// milliseconds for thousands of descriptors.
    private static func countDescriptors() -> UInt64? {
        let path = "/proc/self/fd"
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        if status.st_size > 0 { return UInt64(status.st_size) }
        guard let directory = unsafe opendir(path) else { return nil }
        defer { unsafe closedir(directory) }
        var entries: UInt64 = 0
        while unsafe readdir(directory) != nil { entries += 1 }
        // Without ".", ".." and the directory's own descriptor.
        return entries >= 3 ? entries - 3 : nil
    }
}
