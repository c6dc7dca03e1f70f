import CLinux
import Glibc

/// What memory the process may take, and what its allocator does with what is given back.
package enum SystemMemory {
    /// The machine's memory, or what the process's control groups leave of it; nil if the system does not say.
    package static let limitBytes: Int? = {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let pageBytes = sysconf(Int32(_SC_PAGESIZE))
        let machineBytes = pages > 0 && pageBytes > 0 ? pages * pageBytes : nil
        return [machineBytes, ControlGroups.ofProcess.memoryBytes].compactMap(\.self).min()
    }()

    /// Bytes from which an allocation is the system's own and goes back to it at once: a payload that is kept or a coder, not a slice.
    private static let largeBytes: Int32 = 1024 * 1024

    /// Returns large buffers to the system when they are freed.
    ///
    /// By default glibc takes the largest buffer freed so far, up to 32 MiB, for a usual size. Later buffers of that
    /// size come from the heap, where growing ones leave holes. Megabytes of payloads that were kept or refused then
    /// stay resident.
    package static func returnLargeBuffers() {
        _ = mallopt(M_MMAP_THRESHOLD, largeBytes)
        // Said once, nothing is adapted any more: what is free at the heap's end stays as it would have.
        _ = mallopt(M_TRIM_THRESHOLD, 8 * largeBytes)
    }
}
