import Glibc

/// Waits until `condition` is true; false if it is not within half a minute, which is long enough also for a busy machine.
package func waits(until condition: () throws -> Bool) rethrows -> Bool {
    try waitForValue { try condition() ? true : nil } ?? false
}

/// Waits until `find` returns a value; nil if it does not within half a minute.
package func waitForValue<Value>(_ find: () throws -> Value?) rethrows -> Value? {
    let end = ContinuousClock.now + .seconds(30)
    while true {
        if let value = try find() { return value }
        guard ContinuousClock.now < end else { return nil }
        usleep(10_000)
    }
}
