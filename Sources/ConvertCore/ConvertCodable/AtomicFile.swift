import ConvertEngine
import ConvertText
import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writes of whole files: after a crash or an error, a file has either its old content or its new content.
///
/// The bytes go to a new file beside the old one. Once they are on the disk, the new file takes the old one's name, and the
/// directory is synchronized, too. A reader sees the old file or the new one. Nothing else in this module writes to the
/// file system.
enum AtomicFile {
    /// A system call that failed.
    struct FileError: Error, Sendable, Hashable {
        let call: String
        /// `errno`.
        let code: Int32

        init(_ call: String) {
            self.call = call
            code = errno
        }

        /// The system call that made Foundation throw an error; nil if it was another cause.
        init?(_ call: String, behind error: any Error) {
            guard let cause = (error as? CocoaError)?.underlying as? POSIXError else { return nil }
            self.call = call
            code = cause.code.rawValue
        }

        /// `open failed: No such file or directory`.
        var message: String {
            let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "unknown error"
            return "\(call) failed: \(reason)"
        }
    }

    /// The limit for one call of `write(2)`, in bytes.
    private static let maxWriteBytes = 1 << 30

    /// Replaces or creates the file at `path`. An existing file keeps its permissions; a new one gets the process's default permissions.
    ///
    /// A symbolic link at `path` is replaced by the file.
    static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
        // File systems limit names to 255 bytes, so the temporary name takes only a part of the old one. It takes ASCII only,
        // because one `Character` may be many bytes.
        let beginning = String(decoding: name.utf8.prefix { $0 < ASCII.firstNonASCII }.prefix(32), as: UTF8.self)
        let temporary = "\(directory)/.\(beginning).\(suffix)"
        // Opened before anything has to be undone: an error after the rename would claim that the old file is still there.
        let directoryFile = try openDirectory(directory)
        defer { if let directoryFile { close(directoryFile) } }
        do throws(FileError) {
            try write(bytes, toNew: temporary, permissionsOf: path)
            guard unsafe rename(temporary, path) == 0 else { throw FileError("rename") }
        } catch {
            _ = unsafe unlink(temporary)
            throw error
        }
        // Some file systems cannot synchronize a directory, and report EINVAL.
        if let directoryFile, fsync(directoryFile) != 0, errno != EINVAL { throw FileError("fsync of the directory") }
    }

    private static func write(_ bytes: [UInt8], toNew path: String, permissionsOf old: String) throws(FileError) {
        var status = stat()
        let permissions = unsafe stat(old, &status) == 0 ? status.st_mode & 0o7777 : nil
        // Never more permissions than the old file: a process that opens the new file early could read what is written later.
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (permissions ?? 0o666) & 0o777)
        guard file >= 0 else { throw FileError("open") }
        do throws(FileError) {
            if let permissions, fchmod(file, permissions) != 0 { throw FileError("fchmod") }
            try writeAll(bytes, to: file)
            guard fsync(file) == 0 else { throw FileError("fsync") }
        } catch {
            close(file)
            throw error
        }
        // Some file systems report only here that the disk is full.
        guard close(file) == 0 else { throw FileError("close") }
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let count = min(bytes.count - written, maxWriteBytes)
            let result = unsafe bytes.withUnsafeBytes { buffer in
                unsafe systemWrite(file, buffer.baseAddress.map { unsafe $0 + written }, count)
            }
            if result >= 0 {
                written += result
            } else if errno != EINTR {
                throw FileError("write")
            }
        }
    }

    /// The directory, opened to synchronize it; nil if it is not readable. The system then writes it when it chooses.
    private static func openDirectory(_ path: String) throws(FileError) -> Int32? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file < 0 else { return file }
        guard errno == EACCES else { throw FileError("open") }
        return nil
    }
}

/// `write(2)`; inside `AtomicFile`, its own `write` would hide it.
private func systemWrite(_ file: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(file, start, count)
}
