import Testing

@testable import HTTPWire

/// Paths and queries, decoded strictly (RFC 3986 §2.1, §3.3 and §3.4).
struct RequestTargetTests {
    @Test func `a path is decoded segment by segment, and an invalid one has no segments`() {
        let rows: [(path: String, segments: [String]?)] = [
            ("/", []),
            ("/a", ["a"]),
            ("/a/b", ["a", "b"]),
            ("/a/", ["a", ""]),
            ("//a", ["", "a"]),
            ("/%61%C3%A9", ["a\u{E9}"]),
            ("/a+b", ["a+b"]),
            ("/a%20b", ["a b"]),
            ("/a%25b", ["a%b"]),
            ("/%2e%2E", [".."]),
            ("/..", [".."]),
            ("/a;b=c", ["a;b=c"]),
            ("", nil),
            ("a", nil),
            ("/a%2Fb", nil),
            ("/a%00", nil),
            ("/a%0D%0A", nil),
            ("/a%7F", nil),
            ("/a%", nil),
            ("/a%6", nil),
            ("/a%6g", nil),
            ("/a%g6", nil),
            ("/a%%", nil),
            ("/a#b", nil),
            ("/%FF", nil),
            ("/%C3", nil),
            ("/%C0%AF", nil),
            ("/%ED%A0%80", nil),
        ]
        for row in rows { #expect(target(row.path).pathSegments() == row.segments, "\(row.path)") }
    }

    @Test func `a query is decoded parameter by parameter, or refused`() {
        let rows: [(query: String?, parameters: [[String]]?)] = [
            (nil, []),
            ("", []),
            ("keys=camelCase&dates=rfc3339", [["keys", "camelCase"], ["dates", "rfc3339"]]),
            ("a", [["a", ""]]),
            ("a=", [["a", ""]]),
            ("=b", [["", "b"]]),
            ("a=b=c", [["a", "b=c"]]),
            ("a=1&&a=2&", [["a", "1"], ["a", "2"]]),
            ("zone=+02:00", [["zone", "+02:00"]]),
            ("a%3Db=c%26d", [["a=b", "c&d"]]),
            ("p=a/b?c", [["p", "a/b?c"]]),
            ("p=a%2Fb", [["p", "a/b"]]),
            ("a=%C3%A9", [["a", "\u{E9}"]]),
            ("a=%00", nil),
            ("a=%0A", nil),
            ("a=%zz", nil),
            ("a=%f", nil),
            ("a%=b", nil),
            ("a=b#c", nil),
            ("a=%FF", nil),
        ]
        for row in rows {
            let parameters = target("/", query: row.query).queryParameters()
            #expect(parameters?.map { [$0.name, $0.value] } == row.parameters, "\(row.query ?? "none")")
        }
    }

    private func target(_ path: String, query: String? = nil) -> RequestTarget {
        let bytes = Array((query.map { path + "?" + $0 } ?? path).utf8)
        let pathCount = path.utf8.count
        return RequestTarget(
            form: .origin, storage: bytes, range: bytes.indices, pathRange: 0..<pathCount,
            queryRange: query.map { _ in pathCount + 1..<bytes.count })
    }
}
