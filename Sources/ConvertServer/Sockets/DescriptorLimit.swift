import Glibc

/// How many descriptors the process may have open.
package enum DescriptorLimit {
    /// Raises the limit to what the process may ask for; where the system refuses it stays as it is.
    ///
    /// The usual 1,024 spares programs that use select(2), which cannot name higher ones. This one does not use it, and may
    /// have 10,000 connections.
    package static func raise() {
        var limit = rlimit()
        guard unsafe getrlimit(descriptors, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(descriptors, &limit)
    }

    /// The limit that holds now.
    package static var current: Int {
        var limit = rlimit()
        guard unsafe getrlimit(descriptors, &limit) == 0 else { return .max }
        return Int(clamping: limit.rlim_cur)
    }

    private static let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
