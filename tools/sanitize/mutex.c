// Reports to ThreadSanitizer the locks of Swift's Mutex that it cannot see. Linked into instrumented programs only.
//
// An uncontended Mutex is one atomic exchange in the instrumented program itself. A contended one calls _lockSlow and
// _unlockSlow in libswiftSynchronization, which is not instrumented, and there the kernel passes the lock on (FUTEX_LOCK_PI).
// ThreadSanitizer then sees two threads write one variable without a lock between them, and reports a race that does not exist:
//
//     let box = Mutex(0)
//     DispatchQueue.concurrentPerform(iterations: 4) { _ in for _ in 0..<20_000 { box.withLock { $0 += 1 } } }
//
// The functions below replace these two and call them. They report that a thread with the lock sees every change from before the
// unlocking. Nothing is suppressed, so a true race beside a Mutex is still found. `tools/sanitize/run` checks both cases.

#include <dlfcn.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK_SLOW);

typedef SWIFT void (*Lock)(uint32_t thread, SELF void *mutex);
typedef SWIFT void (*Unlock)(SELF void *mutex);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    ((Lock)dlsym(RTLD_NEXT, LOCK_SLOW))(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) {
    __tsan_release(mutex);
    ((Unlock)dlsym(RTLD_NEXT, UNLOCK_SLOW))(mutex);
}
