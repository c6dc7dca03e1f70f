// No race: ThreadSanitizer must report nothing.

import Dispatch
import Synchronization

final class Guarded: Sendable {
    let values = Mutex<[Int]>([])
}

let guarded = Guarded()
DispatchQueue.concurrentPerform(iterations: 4) { _ in
    for number in 0..<20_000 {
        guarded.values.withLock { values in
            values.append(number)
            if values.count > 1000 { values = [] }
        }
    }
}
