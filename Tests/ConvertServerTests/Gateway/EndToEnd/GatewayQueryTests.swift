import TestSupport
import Testing

@testable import ConvertServer
@testable import HTTPSemantics

/// Queries on routes with `request.query`, as backends receive them.
struct GatewayQueryTests {
    private static func stage(_ profile: String) throws -> GatewayStage {
        try GatewayStage(
            routes: """
                { "match": "/api", "stripPrefix": "/api", "upstream": "shop",
                  "request": { "profile": "p", "direction": "inverse", "query": { "names": true, "values": { "sort": "names" } } },
                  "response": { "profile": "p" } }, { "match": "/", "upstream": "shop" },
                { "match": "/api/plain", "upstream": "shop" }
                """, profiles: ["p": profile])
    }

    @Test func `names in queries are converted to those of the backend`() throws {
        let stage = try Self.stage(#"{ "keys": { "case": "camelCase", "from": "snake_case" } }"#)
        let rows = [
            (
                "/api/x?filter%5BcreatedAt%5D=%zz&sort=-unitPrice,aB&&q=a+b",
                "/x?filter%5Bcreated_at%5D=%zz&sort=-unit_price,a_b&&q=a+b"
            ),
            ("/api?sort=createdAt", "/?sort=created_at"), ("/api/x?", "/x?"), ("/api/x", "/x"),
            // Other routes pass queries through unchanged.
            ("/x?createdAt=1&sort=createdAt", "/x?createdAt=1&sort=createdAt"),
        ]
        for (sent, seen) in rows {
            #expect(try stage.forwarded("GET \(sent)").target == seen, "\(sent)")
        }
    }

    @Test func `links of the backend lead to the gateway, with the names that clients know`() throws {
        let stage = try Self.stage(#"{ "keys": { "case": "camelCase", "from": "snake_case" } }"#)
        let backend = try #require(stage.backend.servers.first)
        let rows = [
            (
                "</x?sort=-unit_price&page_size=2&page=3>; rel=\"next\"",
                "</api/x?sort=-unitPrice&pageSize=2&page=3>; rel=\"next\""
            ),
            ("<\(backend)/x?created_at=a_b#c_d>; rel=next", "</api/x?createdAt=a_b#c_d>; rel=next"),
            (
                "<?page_size=1>; title=\"<?page_size=1>\", <?page_size=2>; rel=prev",
                "<?pageSize=1>; title=\"<?page_size=1>\", <?pageSize=2>; rel=prev"
            ),
            // Another route passes queries through unchanged.
            ("</api/plain/x?page_size=1>", "</api/plain/x?page_size=1>"),
            // These would not come back, or lead elsewhere.
            ("</x?page_2=1&utm__source=1&%zz=1>", "</api/x?page_2=1&utm__source=1&%zz=1>"),
            (
                "<https://other.example/x?page_size=1>, <//other.example?page_size=1>",
                "<https://other.example/x?page_size=1>, <//other.example?page_size=1>"
            ),
            ("<x_y>; rel=a_b, </x_y", "<x_y>; rel=a_b, </x_y"),
        ]
        for (sent, seen) in rows {
            try stage.backend.script("/x", .response(200, "{}", "Link: \(sent)"))
            #expect(try stage.ask("GET /api/x")["Link"] == seen, "\(sent)")
        }
        let hint = "HTTP/1.1 103 Early Hints\r\nLink: </x?page_size=1>; rel=preload\r\n\r\n"
        try stage.backend.script("/x", [.send(hint)] + .response(200, "{}"))
        let early = try stage.exchange(HTTPText.message("GET /api/x", isLast: true))
        #expect(early.informational.map { $0["Link"] } == ["</api/x?pageSize=1>; rel=preload"])
        // Without `query`, the field passes unchanged.
        try stage.backend.script("/y", .response(200, "{}", "Link: </y?page_size=1>"))
        #expect(try stage.ask("GET /y")["Link"] == "</y?page_size=1>")
    }

    @Test func `a query that names a withheld key never reaches the upstream`() throws {
        let stage = try Self.stage(
            #"{ "keys": { "case": "camelCase", "from": "snake_case" }, "drop": "pass_word" }"#)
        for query in ["sort=passWord", "filter[passWord]=1", "a;sort=passWord", "sort=%25zz%zz"] {
            let response = try stage.ask("GET /api/x?\(query)")
            #expect(response.status == 400 && response.text.contains(#""code":"parameter""#), "\(response.text)")
        }
        #expect(try stage.backend.requests.isEmpty)
        #expect(try stage.forwarded("GET /api/x?sort=createdAt").target == "/x?sort=created_at")
    }
}
