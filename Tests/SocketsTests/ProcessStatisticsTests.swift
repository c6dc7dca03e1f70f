import Glibc
import Testing

@testable import Sockets

struct ProcessStatisticsTests {
    @Test func `open descriptors are counted`() throws {
        // Other tests open and close descriptors at the same time, but none opens this many.
        let count = 300
        let before = try #require(ProcessStatistics.current().openDescriptors)
        let opened = (0..<count).map { _ in dup(STDIN_FILENO) }
        let during = try #require(ProcessStatistics.current().openDescriptors)
        for descriptor in opened { close(descriptor) }
        #expect(opened.allSatisfy { $0 >= 0 })
        #expect(abs(Int(during) - Int(before) - count) < count / 2)
        #expect(UInt64(count) < (try #require(ProcessStatistics.current().maxDescriptors)))
    }

    @Test func `used memory is resident, and work uses processor time`() throws {
        let before = ProcessStatistics.current()
        let megabytes = 64
        let memory = [UInt8](repeating: 1, count: megabytes * 1024 * 1024)
        let during = ProcessStatistics.current()
        #expect(memory.count { $0 == 1 } == memory.count)
        let after = ProcessStatistics.current()
        let growth = Int(try #require(during.residentBytes)) - Int(try #require(before.residentBytes))
        #expect(growth > megabytes * 1024 * 1024 / 2)
        #expect(try #require(after.processorNanoseconds) > (try #require(before.processorNanoseconds)))
    }
}
