import Glibc
import TestSupport
import Testing

@testable import Sockets

struct ControlGroupsTests {
    @Test func `quotas are read as processors, and other values are no limit`() {
        // cgroups(7) and the kernel's cgroup-v2.rst: `$MAX $PERIOD` in microseconds, `max` for none.
        let rows: [(String, Double?)] = [
            ("max 100000\n", nil), ("100000 100000\n", 1), ("150000 100000\n", 1.5), ("5000 100000\n", 0.05),
            ("400000 50000", 8), ("", nil), ("100000", nil), ("100000 0", nil), ("-1 100000", nil), ("0 100000", nil),
            ("1 2 3", nil), ("99999999999999999999 100000", nil),
        ]
        for (text, processors) in rows { #expect(ControlGroups.quota(parsingMax: text) == processors, "\(text)") }
        #expect(ControlGroups.quota(parsing: "-1\n", period: "100000\n") == nil)
        #expect(ControlGroups.quota(parsing: "250000\n", period: "100000\n") == 2.5)
    }

    @Test func `memory limits are read as bytes, and impossible values are no limit`() {
        // Without a limit, version 1 gives the highest multiple of a page below 2^63.
        let rows: [(String, Int?)] = [
            ("max\n", nil), ("268435456\n", 268_435_456), ("9223372036854771712\n", nil), ("0\n", 0), ("", nil),
            ("-1", nil), ("18446744073709551615", nil),
        ]
        for (text, bytes) in rows { #expect(ControlGroups.bytes(parsing: text) == bytes, "\(text)") }
    }

    @Test func `the groups of the process are read in both versions`() {
        let both = ControlGroups.Paths(parsing: "5:memory:/a\n4:cpu,cpuacct:/b:c\n3:cpuset:/d\n0::/e\nx\n")
        #expect((both.memory, both.processors, both.unified) == ("/a", "/b:c", "/e"))
        let unified = ControlGroups.Paths(parsing: "0::/\n")
        #expect((unified.memory, unified.processors, unified.unified) == (nil, nil, "/"))
        let named = ControlGroups.Paths(parsing: "1:name=systemd:/s\n2:cpuacct:/t\n")
        #expect((named.memory, named.processors, named.unified) == (nil, nil, nil))
    }

    @Test func `the lowest limit of the control group and its parents applies`() throws {
        let v2 = [
            "proc/self/cgroup": "0::/pod/app\n",
            "sys/fs/cgroup/pod/cpu.max": "150000 100000\n", "sys/fs/cgroup/pod/memory.max": "1000000\n",
            "sys/fs/cgroup/pod/app/cpu.max": "max 100000\n", "sys/fs/cgroup/pod/app/memory.max": "2000000\n",
            "sys/fs/cgroup/other/memory.max": "5\n", "sys/fs/cgroup/other/cpu.max": "1 100000\n",
        ]
        // A container with its own name space sees its group as the root.
        let container = [
            "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "200000 100000\n",
            "sys/fs/cgroup/memory.max": "3000000\n",
        ]
        // With version 1 and the host's name space, the path is that of the host, but only its last part is mounted.
        let v1 = [
            "proc/self/cgroup": "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n0::/\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "4000000\n",
            "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "50000\n",
            "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
        ]
        let nested = [
            "proc/self/cgroup": "4:memory:/a/b\n3:cpu:/a/b\n0::/\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "600000\n",
            "sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "700000\n",
            "sys/fs/cgroup/cpu/a/b/cpu.cfs_quota_us": "300000\n",
            "sys/fs/cgroup/cpu/a/b/cpu.cfs_period_us": "100000\n",
            "sys/fs/cgroup/cpu/a/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu/a/cpu.cfs_period_us": "100000\n",
        ]
        let outside = ["proc/self/cgroup": "0::/../up\n", "sys/fs/cgroup/memory.max": "800000\n"]
        let rows: [([String: String], Double?, Int?)] = [
            (v2, 1.5, 1_000_000), (container, 2, 3_000_000), (v1, 0.5, 4_000_000), (nested, 3, 600_000),
            (outside, nil, 800_000), ([:], nil, nil),
        ]
        for (files, processors, bytes) in rows {
            let root = try TemporaryDirectory()
            for (name, text) in files { _ = try root.write(name, text) }
            let groups = ControlGroups(root: root.path)
            #expect(groups.processorQuota == processors, "\(files)")
            #expect(groups.memoryBytes == bytes, "\(files)")
        }
    }

    @Test func `there is a loop for each usable processor or part of one, at least one`() {
        let rows: [(runnable: Int, quota: Double?, count: Int)] = [
            (96, nil, 96), (96, 2, 2), (96, 1.5, 2), (96, 0.05, 1), (2, 8, 2), (0, nil, 1), (1, 1e18, 1), (4, 4.01, 4),
        ]
        for row in rows {
            #expect(SystemProcessors.count(runnable: row.runnable, quota: row.quota) == row.count, "\(row)")
        }
        #expect(1...sysconf(Int32(_SC_NPROCESSORS_CONF)) ~= SystemProcessors.runnableCount)
    }
}
