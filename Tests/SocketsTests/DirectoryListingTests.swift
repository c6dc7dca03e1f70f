import Glibc
import TestSupport
import Testing

@testable import Sockets

struct DirectoryListingTests {
    @Test func `a file counts as changed when it comes, although a copy keeps its time`() throws {
        let directory = try TemporaryDirectory()
        let begin = Int64(time(nil))
        let path = try directory.write("a.json", "{}")
        let past = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 1000, tv_nsec: 0)]
        #expect(unsafe utimensat(AT_FDCWD, path, past, 0) == 0)
        let entry = try #require(DirectoryListing.Entry(path: path, name: "a.json"))
        #expect(entry.changedSeconds >= begin)
    }
}
