import Glibc

/// The limit of open descriptors of the process.
package enum DescriptorLimit {
    /// Raises the limit to the maximum for the process. If the system refuses, it does not change.
    ///
    /// The usual 1,024 protects programs that use select(2), which does not support higher numbers. This program does
    /// not use it, and may have 10,000 connections.
    package static func raise() {
        guard var limit, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(descriptors, &limit)
    }

    package static var current: Int { limit.map { Int(clamping: $0.rlim_cur) } ?? .max }

    /// The current limit and the one to which it may be raised; nil if the system does not tell.
    static var limit: rlimit? {
        var limit = rlimit()
        return unsafe getrlimit(descriptors, &limit) == 0 ? limit : nil
    }

    private static let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
