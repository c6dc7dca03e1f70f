import CLinux
import Glibc

/// The memory limit of the process, and the settings of its allocator.
package enum SystemMemory {
    /// The smaller one of the machine's memory and the limit of the process's control groups; nil if it is not known.
    package static let limitBytes: Int? = {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let pageBytes = sysconf(Int32(_SC_PAGESIZE))
        let machineBytes = pages > 0 && pageBytes > 0 ? pages * pageBytes : nil
        return [machineBytes, ControlGroups.ofProcess.memoryBytes].compactMap(\.self).min()
    }()

    /// The size from which an allocation is mapped separately and returned to the system at once: a buffered payload or
    /// an encoder, but not a slice.
    private static let largeBytes: Int32 = 1024 * 1024

    /// Returns large buffers to the system when they are freed.
    ///
    /// By default glibc raises its threshold to the largest buffer freed so far, up to 32 MiB. Later buffers of that
    /// size come from the heap, where growing buffers leave holes. Then megabytes of buffered or refused payloads stay
    /// resident.
    package static func returnLargeBuffers() {
        _ = mallopt(M_MMAP_THRESHOLD, largeBytes)
        // After one of these calls glibc adapts no threshold any more. With this one, the free end of the heap stays as
        // it would without them.
        _ = mallopt(M_TRIM_THRESHOLD, 8 * largeBytes)
    }

    /// Returns the free pages of all heaps to the system. It takes some milliseconds, in which other threads may wait for memory.
    ///
    /// By itself, glibc returns only those at the end of a heap.
    package static func returnFreePages() { _ = malloc_trim(0) }
}
