import Glibc
import TestSupport

@testable import ConvertServer
@testable import Sockets

/// What names stand for in one program, by `staged_names.c`, which is built with the C compiler at hand and preloaded.
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
                program: "/usr/bin/env",
                arguments: [
                    compiler, "-shared", "-fPIC", "-o", library, "\(BuiltProgram.project)/Tests/gateway/staged_names.c",
                    "-ldl",
                ], environment: ["PATH": ProcessEnvironment.process["PATH"] ?? "/usr/bin:/bin"]
            ).run()
            if outcome.status == 0 { return }
            errors += outcome.errors
        }
        throw NoCompiler(errors: errors)
    }

    /// For the program that is to be told these names.
    var environment: [String: String] {
        [
            "LD_PRELOAD": library, "STAGED_NAMES": "\(directory.path)/names",
            "STAGED_NAMES_ASKED": "\(directory.path)/asked",
            // AddressSanitizer wants to be the first library, for no reason that matters here.
            "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0",
        ]
    }

    /// What names stand for from now on: lines of `name address address...`.
    func change(to text: String) throws { _ = try directory.write("names", text + "\n") }

    /// The moments, in milliseconds, at which the name was looked up.
    func lookups(of name: String) throws -> [Int] {
        let bytes = try InputFile(path: "\(directory.path)/asked").readAll(maxBytes: 1024 * 1024)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasSuffix(" \(name)") }
            .compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
    }
}
