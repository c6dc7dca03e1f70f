import Glibc
import TestSupport

@testable import ConvertServer
@testable import Sockets

/// The addresses of host names for one program. `staged_names.c` replaces its resolver: the C compiler builds it, and it is preloaded.
final class StagedNames {
    struct NoCompiler: Error { let errors: String }

    private static let compilers = ["clang", "cc", "gcc"]

    private let directory: TemporaryDirectory
    private let library: String

    init(_ text: String) throws {
        directory = try TemporaryDirectory()
        library = try directory.write("names.so", "")
        _ = try directory.write("asked", "")
        try Self.build(library)
        try change(to: text)
    }

    private static func build(_ library: String) throws {
        var errors = ""
        for compiler in compilers {
            let outcome = try ChildProcess(
                command: compiler,
                ["-shared", "-fPIC", "-o", library, "\(BuiltProgram.project)/Tests/gateway/staged_names.c", "-ldl"]
            ).run()
            if outcome.status == 0 { return }
            errors += outcome.errors
        }
        throw NoCompiler(errors: errors)
    }

    /// The environment of the program that uses these names.
    var environment: [String: String] {
        [
            "LD_PRELOAD": library, "STAGED_NAMES": "\(directory.path)/names",
            "STAGED_NAMES_ASKED": "\(directory.path)/asked",
            // AddressSanitizer requires that it is the first library, which does not matter here.
            "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0",
        ]
    }

    /// Replaces the addresses from now on: lines of `name address address...`.
    func change(to text: String) throws { _ = try directory.write("names", text + "\n") }

    /// The times of the lookups of this name, in milliseconds.
    func lookups(of name: String) throws -> [Int] {
        let bytes = try InputFile(path: "\(directory.path)/asked").readAll(maxBytes: 1024 * 1024)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasSuffix(" \(name)") }
            .compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
    }
}
