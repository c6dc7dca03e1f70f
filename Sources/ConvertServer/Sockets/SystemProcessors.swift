import Glibc

/// The processors that this process may use.
enum SystemProcessors {
    /// At least 1.
    static let count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
