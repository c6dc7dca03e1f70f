import Glibc

/// The limit of open descriptors of the process.
package enum DescriptorLimit {
    /// Raises the limit to the maximum for the process. If the system refuses, it does not change.
    ///
    /// The usual 1,024 protects programs that use select(2), which does not support higher numbers. This program does
    /// not use it, and may have 10,000 connections.
    package static func raise() {
        var limit = rlimit()
        guard unsafe getrlimit(descriptors, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(descriptors, &limit)
    }

    /// The current limit.
    package static var current: Int {
        var limit = rlimit()
        guard unsafe getrlimit(descriptors, &limit) == 0 else { return .max }
        return Int(clamping: limit.rlim_cur)
    }

    private static let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
