// A race beside a Mutex: ThreadSanitizer must report it.

import Dispatch
import Synchronization

final class Raced: @unchecked Sendable {
    let guarded = Mutex(0)
    // Wrong on purpose: several threads change it without the lock.
    var bare = 0
}

let raced = Raced()
DispatchQueue.concurrentPerform(iterations: 4) { _ in
    for _ in 0..<20_000 {
        raced.guarded.withLock { $0 += 1 }
        raced.bare += 1
    }
}
