package import Glibc

@testable import Sockets

/// The system's measurements of a running process.
package struct ProcessMeasures {
    package let process: pid_t

    package init(process: pid_t) { self.process = process }

    /// The number of open descriptors.
    package var descriptorCount: Int? {
        guard let directory = unsafe opendir("/proc/\(process)/fd") else { return nil }
        defer { unsafe closedir(directory) }
        var count = 0
        while unsafe readdir(directory) != nil { count += 1 }
        // Without the directory's entries `.` and `..`.
        return count - 2
    }

    /// The names of the current threads.
    package var threadNames: [String]? {
        guard let directory = unsafe opendir("/proc/\(process)/task") else { return nil }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    unsafe String(cString: $0)
                }
            }
            if name.hasPrefix(".") { continue }
            names.append(String(Self.read("/proc/\(process)/task/\(name)/comm").dropLast()))
        }
        return names
    }

    /// The first processor on which it may run.
    package var processor: Int? {
        let line = Self.read("/proc/\(process)/status").split(separator: "\n").first {
            $0.hasPrefix("Cpus_allowed_list:")
        }
        return line.flatMap {
            Int($0.dropFirst("Cpus_allowed_list:".count).drop { !$0.isNumber }.prefix(while: \.isNumber))
        }
    }

    /// The resident memory now.
    package var residentKilobytes: Int? { kilobytes("VmRSS:") }

    /// The maximum of resident memory so far.
    package var peakResidentKilobytes: Int? { kilobytes("VmHWM:") }

    private func kilobytes(_ name: String) -> Int? {
        let line = Self.read("/proc/\(process)/status").split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.filter(\.isNumber)) }
    }

    /// Processor time that all threads have used so far, in seconds.
    package var processorSeconds: Double? {
        // User and system ticks are fields 14 and 15. Field 2 may contain spaces and ends with the last `)`.
        let fields = Self.read("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return nil }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func read(_ path: String) -> String {
        let bytes = try? InputFile(path: path).readAll(maxBytes: 64 * 1024)
        return String(decoding: bytes ?? [], as: UTF8.self)
    }
}
