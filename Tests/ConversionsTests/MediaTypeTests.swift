import ConvertEngine
import Testing

@testable import Conversions
@testable import HTTPSemantics

struct MediaTypeTests {
    @Test func `media types are read in any case, with parameters and quotes`() throws {
        let plain = try #require(MediaType("Application/JSON"))
        #expect(plain.essence == "application/json")
        let form = try #require(MediaType(" multipart/form-data ; boundary=\"a b\\\"c\" ; X=y"))
        #expect(form.essence == "multipart/form-data")
        #expect(form["boundary"] == "a b\"c")
        #expect(form["x"] == "y")
        for text in ["", "json", "a/", "/b", "a/b/c", "a/b; c", "a/b; c=", "a/b; c=\"d", "a b/c", "a/b, c/d"] {
            #expect(MediaType(text) == nil, "\(text)")
        }
    }

    @Test func `a content type gives the framing of its payloads`() throws {
        let rows: [(type: String?, framing: Converter.Framing)] = [
            (nil, .document), ("application/json", .document), ("application/json; charset=UTF-8", .document),
            ("application/vnd.api+json", .document), ("text/x+json", .document),
            ("application/x-ndjson", .lines), ("Application/JSONL; charset=\"utf-8\"", .lines),
            ("application/ndjson", .lines), ("application/vnd.elasticsearch+x-ndjson;compatible-with=8", .lines),
            ("application/stream+json;charset=UTF-8", .lines),
            ("application/x-www-form-urlencoded", .document),
            // Spellings of UTF-8, and US-ASCII, which is a part of it. The gateway reads them too.
            ("application/json; charset=utf8", .document), ("application/x-ndjson; charset=US-ASCII", .lines),
        ]
        for row in rows { #expect(try PayloadType(contentType: row.type).framing == row.framing, "\(row.type ?? "")") }
        for type in ["text/plain", "application/xml", "json", "", "application/json; charset=latin1", "a/json"] {
            let problem = #expect(throws: Problem.self) { try PayloadType(contentType: type) }
            #expect(problem?.status == 415, "\(type)")
            #expect(problem?.fields.contains { $0.name == "Accept-Post" } == true)
        }
    }

    /// The rows of RFC 9110 §12.5.1, and others that follow from its rules.
    @Test func `the client's weights choose one of the offered types`() {
        let lines = ["application/x-ndjson", "application/jsonl"]
        let rows: [(accept: [String], offers: [String], best: String?)] = [
            ([], lines, "application/x-ndjson"),
            (["*/*"], lines, "application/x-ndjson"),
            (["application/jsonl"], lines, "application/jsonl"),
            (["application/*;q=0.5, application/jsonl;q=0.7"], lines, "application/jsonl"),
            (["application/*;q=0.5", "application/jsonl;q=0.3"], lines, "application/x-ndjson"),
            (["application/x-ndjson;q=0, */*"], lines, "application/jsonl"),
            (["text/html, application/json"], lines, nil),
            (["*/*;q=0"], lines, nil),
            (["text/html"], ["application/json"], nil),
            (["APPLICATION/JSON"], ["application/json"], "application/json"),
            (["application/json;q=1.001, application/json;q=2, nonsense"], ["application/json"], "application/json"),
            (["text/a;x=\"b,application/json\""], ["application/json"], nil),
            (["application/json;q=0.001"], ["application/json"], "application/json"),
        ]
        for row in rows { #expect(Accept(row.accept).best(of: row.offers) == row.best, "\(row.accept)") }
    }

    /// RFC 9110 §5.6.1.2: a recipient must parse and ignore a reasonable number of empty list elements.
    @Test func `any number of empty elements in Accept is ignored`() {
        let nothing = String(repeating: " ,,\t,", count: 4_000)
        let offers = ["application/x-ndjson", "application/jsonl"]
        let rows: [(accept: [String], best: String?)] = [
            ([nothing], offers[0]), (["", nothing], offers[0]), ([nothing + "text/html" + nothing], nil),
            ([nothing + "application/jsonl", nothing], offers[1]),
            (["\(nothing)*/*;q=0.5\(nothing)application/jsonl;x=\"\\\",,\"\(nothing)"], offers[1]),
        ]
        for row in rows { #expect(Accept(row.accept).best(of: offers) == row.best, "\(row.accept.map(\.count))") }
    }

    @Test func `only the first parameter q of a range is its weight`() {
        let rows: [(accept: String, best: String?)] = [
            ("text/a;q=0.2, text/b;q=0.1", "text/a"), ("text/a;Q=0.2, text/b;q=0.3;q=0.1", "text/b"),
            ("text/a;x=\"q=0\";q=0.2, text/b;q=0.1", "text/a"), ("text/a;q=, text/b;q=0.1", "text/b"),
            ("text/*;q=0, text/b", "text/b"), ("*/a, text/b;q=0.1", "text/b"),
            ("text/a;q=0.2x, text/b;q=0.1", "text/b"),
        ]
        for row in rows { #expect(Accept([row.accept]).best(of: ["text/a", "text/b"]) == row.best, "\(row.accept)") }
    }
}
