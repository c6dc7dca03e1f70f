import TestSupport
import Testing

@testable import ConvertServer
@testable import HTTPSemantics

/// Records that a conversion discards are reported in its fields, in the log and in the metrics.
struct SkippedRecordsTests {
    private static let profiles = [
        "skip": #"{"values":{"at":"/items/*/n","as":"integer"},"records":{"at":"/items/*","onError":"skip"}}"#,
        "null": #"{"values":{"at":"/items/*/n","as":"integer"},"records":{"at":"/items/*","onError":"null"}}"#,
        "lines": #"{"values":{"at":"/n","as":"integer"},"records":{"onError":"skip"}}"#,
        "plain": #"{"rename":{"a":"b"}}"#,
    ]
    private static let payload = #"{"items":[{"n":1},{"n":1.5},{"n":"x"},{"n":4}]}"#
    private static let name = "Convert-Skipped-Records"
    private static let codesName = "Convert-Skipped-Codes"

    /// The trailers after the last chunk of a response, without the empty line that ends them.
    private static func trailers(of response: String) -> [String] {
        guard let end = response.ranges(of: "\r\n0\r\n").last else { return [] }
        return response[end.upperBound...].split(separator: "\r\n").map(String.init)
    }

    /// The counts in the log, sorted, because each loop writes its lines at its own time.
    private static func logged(_ server: LiveServer) -> [String] {
        server.log.matches(of: /"skippedRecords":([0-9]+)/).map { String($0.1) }.sorted()
    }

    @Test func `a buffered response reports skipped records in its header`() throws {
        let server = try LiveServer(profiles: Self.profiles)
        let rows: [(profile: String, payload: String, body: String, count: String?, codes: String?)] = [
            ("skip", Self.payload, #"{"items":[{"n":1},{"n":4}]}"#, "2", "badValue;n=2"),
            ("null", Self.payload, #"{"items":[{"n":1},null,null,{"n":4}]}"#, "2", "badValue;n=2"),
            ("skip", #"{"items":[{"n":1}]}"#, #"{"items":[{"n":1}]}"#, "0", nil),
            ("plain", #"{"a":1}"#, #"{"b":1}"#, nil, nil),
        ]
        for row in rows {
            let response = try server.post("/v1/convert/\(row.profile)", row.payload)
            #expect(HTTPText.body(response) == row.body, "\(row)")
            #expect(HTTPText.field(Self.name, response) == row.count, "\(row)")
            #expect(HTTPText.field(Self.codesName, response) == row.codes, "\(row)")
            #expect(HTTPText.field("Trailer", response) == nil)
        }
        let lines = try server.post(
            "/v1/convert/lines", "{\"n\":1}\n{\"n\":\n{\"n\":2}\n{\"n\":[]}\n{\"n\":0.5}\n",
            type: "application/x-ndjson")
        #expect(HTTPText.body(lines) == "{\"n\":1}\n{\"n\":2}\n")
        #expect(HTTPText.field(Self.name, lines) == "3")
        #expect(HTTPText.field(Self.codesName, lines) == "badValue;n=2, json;n=1")
        // A problem response reports no discarded records.
        let broken = try server.post("/v1/convert/skip", Self.payload.dropLast() + "]")
        #expect(HTTPText.status(broken) == 400 && HTTPText.field(Self.name, broken) == nil)

        #expect(waits { Self.logged(server) == ["0", "2", "2", "3"] }, "\(Self.logged(server))")
        #expect(try server.get("/metrics").contains("\nconvert_skipped_records_total 7\n"))
    }

    @Test func `a streamed response reports skipped records in trailers, for clients that accept them`() throws {
        let server = try LiveServer(profiles: Self.profiles, "--commit-bytes", "1000")
        let records = (0..<500).map { $0 % 10 == 3 ? #"{"n":"no \#($0)"}"# : #"{"n":\#($0)}"# }
        let kept = records.filter { !$0.contains(#":""#) }.joined(separator: ",")
        for (profile, fields, isTold) in [
            ("skip", ["TE: trailers"], true), ("skip", [], false), ("skip", ["TE: gzip"], false),
            ("skip", ["TE: trailers", "Accept-Encoding: gzip"], true), ("plain", ["TE: trailers"], false),
        ] {
            let request = HTTPText.post(
                "/v1/convert/\(profile)", "{\"items\":[\(records.joined(separator: ","))]}", fields: fields,
                isLast: true)
            let client = try RawClient(server.address)
            try client.send(request)
            let response = try client.text()
            #expect(HTTPText.field("Transfer-Encoding", response) == "chunked", "\(profile) \(fields)")
            #expect(HTTPText.field(Self.name, response) == nil, "\(profile) \(fields)")
            let announced = isTold ? "\(Self.name), \(Self.codesName)" : nil
            #expect(HTTPText.field("Trailer", response) == announced, "\(profile) \(fields)")
            let trailers = isTold ? ["\(Self.name): 50", "\(Self.codesName): badValue;n=50"] : []
            #expect(Self.trailers(of: response) == trailers, "\(profile) \(fields)")
            if profile == "skip", HTTPText.field("Content-Encoding", response) == nil {
                #expect(HTTPText.body(response) == "{\"items\":[\(kept)]}")
            }
        }
        #expect(waits { Self.logged(server) == ["50", "50", "50", "50"] }, "\(Self.logged(server))")
        #expect(try server.get("/metrics").contains("\nconvert_skipped_records_total 200\n"))
    }

    @Test func `the command line reports skipped records on stderr and still succeeds`() throws {
        let directory = try TemporaryDirectory()
        for (name, text) in Self.profiles { _ = try directory.write("\(name).json", text) }
        let lines = "{\"n\":1}\n{\"n\":1.5}\nno\n"
        let rows: [(arguments: [String], input: String, errors: String)] = [
            (["skip"], Self.payload, "-: note: 2 bad records left out (badValue 2)\n"),
            (["null"], Self.payload, "-: note: 2 bad records replaced by null (badValue 2)\n"),
            (["skip"], #"{"items":[{"n":1},{"n":[]}]}"#, "-: note: 1 bad record left out (badValue 1)\n"),
            (["skip"], "{}", ""),
            (["lines", "--ndjson"], lines, "-: note: 2 bad records left out (badValue 1, json 1)\n"),
            (["lines", "--ndjson", "--jobs", "2"], lines, "-: note: 2 bad records left out (badValue 1, json 1)\n"),
            (["skip", "--input-format", "form"], "items[][n]=x", "-: note: 1 bad record left out (badValue 1)\n"),
        ]
        for row in rows {
            let profile = "\(directory.path)/\(row.arguments[0]).json"
            let outcome = try ChildProcess(
                program: BuiltProgram.path, arguments: ["convert", "--profile", profile] + row.arguments.dropFirst(),
                environment: [:], input: .bytes(Array(row.input.utf8)), output: .pipe
            ).run()
            #expect(outcome.status == 0, "\(row)")
            // The bad lines themselves are listed first.
            #expect(row.errors.isEmpty ? outcome.errors.isEmpty : outcome.errors.hasSuffix(row.errors), "\(row)")
        }
    }
}
