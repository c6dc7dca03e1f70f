/// The control groups (cgroups(7)) of a process, and the processor time and memory that they allow.
///
/// A limit of any group around the process's own applies, so all are read up to the root of the mount. In a container
/// the path may be that of the host, and only its end is mounted. Missing directories are ignored, and the root is the
/// container's.
struct ControlGroups: Sendable, Hashable {
    static let ofProcess = ControlGroups(root: "")

    /// The number of processors whose time the process may use, such as 1.5; nil without a limit.
    let processorQuota: Double?
    /// Bytes of memory; nil without a limit.
    let memoryBytes: Int?

    /// - Parameter root: a directory that replaces `/`; empty for the system's own.
    init(root: String) {
        let paths = Paths(parsing: Self.read("\(root)/proc/self/cgroup") ?? "")
        let base = "\(root)/sys/fs/cgroup"
        let unified = [base, "\(base)/unified"].flatMap { Self.groups(paths.unified, in: $0) }
        // Systems name the directory for all controllers in it, or have one for each.
        let processors = ["\(base)/cpu", "\(base)/cpu,cpuacct"].flatMap { Self.groups(paths.processors, in: $0) }
        let quotas =
            unified.map { Self.read("\($0)/cpu.max").flatMap(Self.quota(parsingMax:)) }
            + processors.map { group in
                Self.quota(
                    parsing: Self.read("\(group)/cpu.cfs_quota_us") ?? "",
                    period: Self.read("\(group)/cpu.cfs_period_us") ?? "")
            }
        let files =
            unified.map { "\($0)/memory.max" }
            + Self.groups(paths.memory, in: "\(base)/memory").map { "\($0)/memory.limit_in_bytes" }
        processorQuota = quotas.compactMap(\.self).min()
        memoryBytes = files.compactMap { Self.read($0).flatMap(Self.bytes(parsing:)) }.min()
    }

    // MARK: Texts

    /// The process's groups in `/proc/self/cgroup`, one hierarchy on each line: `4:cpu,cpuacct:/a/b`, and `0::/a` for
    /// version 2.
    struct Paths: Sendable, Hashable {
        private(set) var unified: String?
        private(set) var processors: String?
        private(set) var memory: String?

        init(parsing text: String) {
            for line in text.split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
                guard parts.count == 3, parts[2].hasPrefix("/") else { continue }
                let controllers = parts[1].split(separator: ",")
                if parts[0] == "0", parts[1].isEmpty { unified = String(parts[2]) }
                if controllers.contains("cpu") { processors = String(parts[2]) }
                if controllers.contains("memory") { memory = String(parts[2]) }
            }
        }
    }

    /// Processors by version 2's `cpu.max`: `QUOTA PERIOD` in microseconds, or `max PERIOD` for no limit.
    static func quota(parsingMax text: String) -> Double? {
        let parts = text.split(whereSeparator: \.isWhitespace)
        return parts.count == 2 ? quota(parsing: String(parts[0]), period: String(parts[1])) : nil
    }

    /// Processors by version 1's quota and period, in microseconds; a quota of -1 means no limit.
    static func quota(parsing quota: String, period: String) -> Double? {
        guard let quota = number(quota), let period = number(period), quota > 0, period > 0 else { return nil }
        return Double(quota) / Double(period)
    }

    /// Bytes of memory. Nil for `max`, and for huge values, which version 1 uses for no limit.
    static func bytes(parsing text: String) -> Int? {
        guard let bytes = number(text), bytes >= 0, bytes < maxMemoryBytes else { return nil }
        return bytes
    }

    private static let maxMemoryBytes = 1 << 60

    private static func number(_ text: String) -> Int? {
        text.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
    }

    // MARK: Files

    private static let maxFileBytes = 64 * 1024

    private static func read(_ path: String) -> String? {
        guard let bytes = try? InputFile(path: path).readAll(maxBytes: maxFileBytes) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The directory of a group and its parents, up to the mount's own; empty if the process is in no such group.
    private static func groups(_ path: String?, in mount: String) -> [String] {
        guard let path else { return [] }
        var groups = [mount]
        // A group outside of the process's namespace begins with `/..`. Its parents are not mounted.
        for name in path.split(separator: "/") where name != ".." {
            groups.append("\(groups[groups.count - 1])/\(name)")
        }
        return groups
    }
}
