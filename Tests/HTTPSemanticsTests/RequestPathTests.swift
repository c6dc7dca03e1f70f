import Testing

@testable import HTTPSemantics

struct RequestPathTests {
    private static func path(_ text: String) throws(RequestPath.PathError) -> String {
        String(decoding: try RequestPath(Array(text.utf8)[...]).bytes, as: UTF8.self)
    }

    @Test func `escaped unreserved characters are decoded and nothing else is changed`() throws {
        let rows = [
            ("/", "/"), ("/a/b", "/a/b"), ("/%41%7a%30", "/Az0"), ("/%2D%2e%5F%7e", "/-._~"), ("/a%2Fb", "/a%2Fb"),
            ("/a%2fb", "/a%2fb"), ("/%20%3A%c3%A9", "/%20%3A%c3%A9"), ("//a//b", "//a//b"), ("/%2541", "/%2541"),
            ("/a.b/..c/d../...", "/a.b/..c/d../..."), ("/a%2F..b/c..%2fd%2F...", "/a%2F..b/c..%2fd%2F..."),
            ("/a;b=1/c", "/a;b=1/c"), ("/a%2E%2E/x", "/a../x"),
            ("/%0A%7F%FF", "/%0A%7F%FF"), ("/.well-known/x", "/.well-known/x"),
        ]
        for (raw, path) in rows { #expect(try Self.path(raw) == path, "\(raw)") }
    }

    @Test func `a dot segment is refused in every spelling`() {
        let segments = [
            ".", "..", "%2e", "%2E", ".%2e", "%2e.", "%2E%2e", "..;", ".;", "..;a=b", "%2e%2e;x", "..%3B", "..%3bx",
            ".%3B",
        ]
        for segment in segments {
            for path in [
                "/\(segment)", "/\(segment)/a", "/a/\(segment)", "/a/\(segment)/b", "//\(segment)", "/\(segment)%2Fa",
                "/a/\(segment)%2f", "/a%2F\(segment)", "/a%2f\(segment)%2Fb", "/a/%2F\(segment)/b",
            ] {
                #expect(throws: RequestPath.PathError.dotSegment, "\(path)") { try Self.path(path) }
            }
        }
        #expect(RequestPath.PathError.dotSegment.problem.status == 400)
    }

    @Test func `a backslash is refused, plain or escaped`() {
        for path in ["/a\\b", "/%5C", "/a/%5c..", "/\\"] {
            #expect(throws: RequestPath.PathError.backslash, "\(path)") { try Self.path(path) }
        }
        #expect(RequestPath.PathError.backslash.problem.status == 400)
    }

    @Test func `bad escapes, an escaped zero byte and fragments match no route`() {
        for path in ["/%", "/%4", "/%4g", "/%zz", "/a%", "/%00", "/a%00.json", "/a#b"] {
            #expect(throws: RequestPath.PathError.unmatched, "\(path)") { try Self.path(path) }
        }
        #expect(RequestPath.PathError.unmatched.problem.status == 404)
    }

    @Test func `a stripped prefix is removed, an empty rest is /, and the query is unchanged`() throws {
        let rows: [(path: String, prefix: String, query: String?, target: String)] = [
            ("/api/x", "/api", nil, "/x"), ("/api", "/api", nil, "/"), ("/api/", "/api/", nil, "/"),
            ("/api/x/", "/api", "", "/x/?"), ("/api/x", "/", "a=%2e%2e&b=\\", "/api/x?a=%2e%2e&b=\\"),
            ("/%61pi/x", "/api", "%", "/x?%"), ("/a%2fb/c", "/a%2Fb", nil, "/c"), ("//a", "/", nil, "//a"),
            ("/api/x//y", "/api", nil, "/x//y"),
        ]
        for row in rows {
            let path = try RequestPath(Array(row.path.utf8)[...])
            let stripped = try path.stripping(try RoutePrefix(parsing: row.prefix))
            let target = stripped.target(query: row.query.map { Array($0.utf8)[...] })
            #expect(String(decoding: target, as: UTF8.self) == row.target, "\(row.path)")
        }
    }

    @Test func `a path that begins with two slashes is refused only after stripping`()
        throws
    {
        let path = try RequestPath(Array("/api//evil.example/x".utf8)[...])
        #expect(throws: RequestPath.PathError.doubleSlash) { try path.stripping(try RoutePrefix(parsing: "/api")) }
        #expect(RequestPath.PathError.doubleSlash.problem.status == 400)
        #expect(try path.stripping(.root) == path)
    }
}

struct RoutePrefixTests {
    @Test func `a prefix has whole segments, and its final slash does not count`() throws {
        let rows: [(prefix: String, path: String, covers: Bool)] = [
            ("/api/", "/api", true), ("/api/", "/api/", true), ("/api", "/api/x", true), ("/api/", "/apix", false),
            ("/api", "/API", false), ("/", "/", true), ("/", "/x", true), ("/", "//", true), ("/a", "/a%2Fb", false),
            ("/a%2Fb", "/a%2fb/c", true), ("/caf\u{E9}", "/caf%c3%a9", true), ("/a b", "/a%20b/x", true),
            ("/%61", "/a", true), ("/a/b", "/a", false), ("/a", "/a;v=1", false), ("/a//b", "/a/b", false),
        ]
        for row in rows {
            let path = try RequestPath(Array(row.path.utf8)[...])
            #expect(try RoutePrefix(parsing: row.prefix).covers(path) == row.covers, "\(row.prefix) \(row.path)")
        }
    }

    @Test func `a text that no path begins with is an invalid prefix`() {
        for text in ["api", "", "/a?b", "/a#b", "/a/../b", "/./", "/%zz", "/a\\b", "/%2e%2e"] {
            #expect(throws: RoutePrefix.PrefixError.self, "\(text)") { try RoutePrefix(parsing: text) }
        }
    }
}
