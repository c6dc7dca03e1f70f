import FoundationEssentials
import Glibc

@testable import Sockets

/// A directory for one test, removed with all its files together with its owner.
package final class TemporaryDirectory {
    package let path: String

    package init() throws {
        var template = Array("/tmp/convert-tests-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw SystemCallError.last("mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file called `name`, which may not exist.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a symbolic link called `name` and returns its path.
    package func link(_ name: String, to target: String) throws -> String {
        let link = file(name)
        guard unsafe symlink(target, link) == 0 else { throw SystemCallError.last("symlink") }
        return link
    }

    /// Writes `text` to a file called `name` and returns its path. Parent directories are made as needed.
    package func write(_ name: String, _ text: String) throws -> String {
        let file = file(name)
        if let end = name.lastIndex(of: "/") {
            try FileManager.default.createDirectory(
                atPath: self.file(String(name[..<end])), withIntermediateDirectories: true)
        }
        guard let stream = unsafe fopen(file, "we") else { throw SystemCallError.last("fopen") }
        let bytes = Array(text.utf8)
        let count = unsafe fwrite(bytes, 1, bytes.count, stream)
        guard unsafe fclose(stream) == 0, count == bytes.count else { throw SystemCallError.last("fwrite") }
        return file
    }
}
