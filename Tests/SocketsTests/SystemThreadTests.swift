import Dispatch
import Glibc
import TestSupport
import Testing

@testable import Sockets

struct SystemThreadTests {
    @Test func `threads have their names, and more run at once than Dispatch has`() throws {
        let count = 400
        let begun = DispatchSemaphore(value: 0)
        let ends = DispatchSemaphore(value: 0)
        for index in 0..<count {
            try SystemThread.start("waits \(index) for the others") {
                begun.signal()
                ends.wait()
            }
        }
        for _ in 0..<count { #expect(begun.wait(timeout: .now() + .seconds(20)) == .success) }
        #expect(ProcessMeasures(process: getpid()).threadNames?.contains("waits 399 for t") == true)
        // Work on Dispatch queues continues.
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue(label: "other").async { isDone.signal() }
        #expect(isDone.wait(timeout: .now() + .seconds(20)) == .success)
        for _ in 0..<count { ends.signal() }
    }
}
