import ConvertEngine
import ConvertText

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files that are written whole or not at all, whatever happens in between.
///
/// The bytes go to a new file beside the old one. Once they are on the disk, the new file takes the old one's name, and the
/// directory is synchronized, too. A reader sees the old file or the new one. This is the only place where this module
/// writes to the file system.
enum AtomicFile {
    /// A system call that failed.
    struct Fault: Error, Sendable, Hashable {
        let call: String
        /// `errno`.
        let code: Int32

        init(_ call: String) {
            self.call = call
            code = errno
        }

        /// `open failed: No such file or directory`.
        var message: String {
            let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "unknown error"
            return "\(call) failed: \(reason)"
        }
    }

    /// Writes a line to the process's standard error.
    static func writeToStandardError(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe systemWrite(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Bytes that are handed over at a time.
    private static let maxWriteBytes = 1 << 30

    /// Replaces or makes the file at `path`; its permissions stay, and those of a new one are the process's usual ones.
    ///
    /// A symbolic link at `path` is replaced by the file.
    static func write(_ bytes: [UInt8], to path: String) throws(Fault) {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
        // Names are limited to 255 bytes on the systems of today, so the new file's name does not have all of the old one's: of
        // what is one character to `String` there may be many bytes.
        let beginning = String(decoding: name.utf8.prefix { $0 < ASCII.firstNonASCII }.prefix(32), as: UTF8.self)
        let temporary = "\(directory)/.\(beginning).\(suffix)"
        // Opened while there is nothing to undo: an error after the new file has its name would say that the old one is still there.
        let directoryFile = try openDirectory(directory)
        defer { if let directoryFile { close(directoryFile) } }
        do throws(Fault) {
            try write(bytes, toNew: temporary, permissionsOf: path)
            guard unsafe rename(temporary, path) == 0 else { throw Fault("rename") }
        } catch {
            _ = unsafe unlink(temporary)
            throw error
        }
        // Some file systems have nothing to bring there, and say so.
        if let directoryFile, fsync(directoryFile) != 0, errno != EINVAL { throw Fault("fsync of the directory") }
    }

    private static func write(_ bytes: [UInt8], toNew path: String, permissionsOf old: String) throws(Fault) {
        var status = stat()
        let permissions = unsafe stat(old, &status) == 0 ? status.st_mode & 0o7777 : nil
        // From the start no more than the old one's: a process that opens the empty file could read what is written later.
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (permissions ?? 0o666) & 0o777)
        guard file >= 0 else { throw Fault("open") }
        do throws(Fault) {
            if let permissions, fchmod(file, permissions) != 0 { throw Fault("fchmod") }
            try writeAll(bytes, to: file)
            guard fsync(file) == 0 else { throw Fault("fsync") }
        } catch {
            close(file)
            throw error
        }
        // Some file systems tell only here that there was no room.
        guard close(file) == 0 else { throw Fault("close") }
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32) throws(Fault) {
        var written = 0
        while written < bytes.count {
            let count = min(bytes.count - written, maxWriteBytes)
            let result = unsafe bytes.withUnsafeBytes { buffer in
                unsafe systemWrite(file, buffer.baseAddress.map { unsafe $0 + written }, count)
            }
            if result >= 0 {
                written += result
            } else if errno != EINTR {
                throw Fault("write")
            }
        }
    }

    /// The directory, to synchronize it; nil if it may be written but not read. The system then writes it in its own time.
    private static func openDirectory(_ path: String) throws(Fault) -> Int32? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file < 0 else { return file }
        guard errno == EACCES else { throw Fault("open") }
        return nil
    }
}

/// `write(2)`, which `AtomicFile.write` would hide.
private func systemWrite(_ file: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(file, start, count)
}
