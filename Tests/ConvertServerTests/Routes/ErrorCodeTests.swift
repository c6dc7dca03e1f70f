import ConvertEngine
import FoundationEssentials
import HTTPWire
import TestSupport
import Testing

@testable import Conversions
@testable import ConvertServer
@testable import Gateway
@testable import HTTPSemantics
@testable import HTTPServer
@testable import Service

/// The codes of errors are the same in the program, in docs/errors.md and in openapi.yaml.
struct ErrorCodeTests {
    private struct Row {
        let code: String
        let statuses: [Int]
    }

    private func text(_ file: String) throws -> String {
        let project = URL(filePath: BuiltProgram.project)
        return String(decoding: try Data(contentsOf: project.appending(path: file)), as: UTF8.self)
    }

    private func rows() throws -> [Row] {
        try text("docs/errors.md").matches(of: /\n\| `([A-Za-z-]+)` \| ([0-9, ]+) \| [^|\n]+ \| [^|\n]+ \|/).map {
            match in
            Row(code: String(match.1), statuses: match.2.split(separator: ", ").compactMap { Int($0) })
        }
    }

    /// The wire codes that a client can get: the others are about responses of upstreams.
    private static let wireCodes = WireError.Code.allCases.filter { WireError($0, at: 0).status != 502 }

    /// The codes in the sources where they make a problem; those of the command line are in other folders.
    private func literals() throws -> Set<String> {
        let folder = URL(filePath: BuiltProgram.project).appending(path: "Sources/ConvertServer")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(".swift") && !$0.hasPrefix("CommandLine/") && !$0.hasPrefix("Configuration/")
        }
        let codes = try files.flatMap { file in
            let text = String(decoding: try Data(contentsOf: folder.appending(path: file)), as: UTF8.self)
            let isRefused = text.matches(of: /code: (?:[a-zA-Z]+ \? )?"([A-Za-z-]+)"(?: : "([A-Za-z-]+)")?/)
            return isRefused.flatMap { [String($0.1)] + ($0.2.map { [String($0)] } ?? []) }
        }
        #expect(codes.count > 30)
        return Set(codes)
    }

    @Test func `the table and the description have exactly the program's codes`() throws {
        let known = try literals().union(Self.wireCodes.map(\.rawValue)).union(
            CodingError.Code.allCases.map(\.rawValue)
        )
        .union(ConversionError.Code.allCases.map(\.rawValue))
        let told = try rows().map(\.code)
        #expect(Set(told).count == told.count)
        #expect(Set(told).symmetricDifference(known) == [])
        let description = try text("openapi.yaml")
        let start = try #require(description.firstRange(of: "\n    ErrorCode:\n"))
        let lines = description[start.upperBound...].split(separator: "\n").drop { $0 != "      enum:" }.dropFirst()
        let list = lines.prefix { $0.hasPrefix("        - ") }.map { String($0.dropFirst(10)) }
        #expect(list == told)
    }

    @Test func `the table has the statuses of the program`() throws {
        let statuses = Dictionary(uniqueKeysWithValues: try rows().map { ($0.code, $0.statuses) })
        for code in Self.wireCodes {
            let status = WireError(code, at: 0).status
            #expect(statuses[code.rawValue]?.contains(status) == true, "\(code) \(status)")
        }
        for code in CodingError.Code.allCases {
            #expect(statuses[code.rawValue]?.contains(CodingError(code, "").status) == true, "\(code)")
        }
        for code in ConversionError.Code.allCases {
            let error = ConversionError(code: code, message: "", offset: 0, line: 1, column: 1, pointer: "")
            #expect(statuses[code.rawValue]?.contains(Problem(error).status) == true, "\(code)")
        }
        for problem in [
            Problem.noServer, .upstreamFull, .unresolved, .buffersFull, .compileQueueFull, .preconditionFailed,
            .draining, .noAcceptableCoding, .noProfile, .notAllowed("GET"), .badParameter("a", "b"),
            .unsupportedType("a", acceptPost: "b"),
        ] {
            #expect(statuses[problem.code ?? ""] == [problem.status], "\(problem)")
        }
    }

    @Test func `type is the code after a tag, and about:blank without one`() {
        func type(_ problem: Problem) -> Substring? {
            String(decoding: problem.json(requestID: nil), as: UTF8.self).firstMatch(of: /"type":"([^"]+)"/)?.1
        }
        #expect(type(.noServer) == "tag:convert-server,2026:error/no-server")
        #expect(type(Problem(404, "detail")) == "about:blank")
    }
}
