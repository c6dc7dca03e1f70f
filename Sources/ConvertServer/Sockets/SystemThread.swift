import CLinux
import Glibc

/// A dedicated thread.
///
/// Code that never returns, such as an event loop, must not run on Dispatch queues. Their threads are few, and if all
/// are in use, nothing else runs there.
package enum SystemThread {
    /// The usual size for the first thread on Linux. It is address space: memory is used only as far as the stack
    /// grows.
    private static let stackBytes = 8 * 1024 * 1024

    private final class Work: Sendable {
        let perform: @Sendable () -> Void

        init(_ perform: @escaping @Sendable () -> Void) { self.perform = perform }
    }

    /// Starts a thread that ends with `perform`.
    ///
    /// - Parameter name: its name in the system's tools, cut after 15 bytes.
    package static func start(_ name: String, _ perform: @escaping @Sendable () -> Void) throws(SystemCallError) {
        var attributes = pthread_attr_t()
        try check("pthread_attr_init", unsafe pthread_attr_init(&attributes))
        defer { _ = unsafe pthread_attr_destroy(&attributes) }
        try check("pthread_attr_setstacksize", unsafe pthread_attr_setstacksize(&attributes, stackBytes))
        try check(
            "pthread_attr_setdetachstate",
            unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)))
        let named = Work {
            _ = unsafe pthread_setname_np(pthread_self(), String(name.prefix(15)))
            perform()
        }
        let work = unsafe Unmanaged.passRetained(named)
        var thread = pthread_t()
        let failure = unsafe pthread_create(
            &thread, &attributes,
            { pointer in
                guard let pointer = unsafe pointer else { return nil }
                unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().perform()
                return nil
            }, work.toOpaque())
        guard failure == 0 else {
            unsafe work.release()
            throw SystemCallError(call: "pthread_create", number: failure)
        }
    }

    private static func check(_ call: String, _ result: Int32) throws(SystemCallError) {
        if result != 0 { throw SystemCallError(call: call, number: result) }
    }
}
