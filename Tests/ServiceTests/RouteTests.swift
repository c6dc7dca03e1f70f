import HTTPWire
import Testing

@testable import Observability
@testable import Service

struct RouteTests {
    @Test func `every path of the specification reaches its resource`() {
        let rows: [(path: String, route: Route?, method: RequestMethod)] = [
            ("v1/minify", .minify, .post),
            ("v1/normalize", .normalize, .post),
            ("v1/convert", .convert, .post),
            ("v1/convert/mobile", .convertBy(profile: "mobile"), .post),
            ("v1/profiles", .profiles, .get),
            ("v1/profiles/mobile", .profile("mobile"), .get),
            ("v1/profiles/check", .checkProfile, .post),
            ("healthz", .health, .get),
            ("readyz", .readiness, .get),
            ("metrics", .metrics, .get),
            ("openapi.yaml", .description, .get),
            ("v1/profile.schema.json", .profileSchema, .get),
        ]
        for row in rows {
            let route = Route(row.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init))
            #expect(route == row.route, "\(row.path)")
            #expect(route?.method == row.method, "\(row.path)")
        }
    }

    @Test func `any other path is not found`() {
        for path in [
            "", "v1", "v2/minify", "V1/minify", "v1/minify/", "v1/convert/", "v1/convert/a/b", "healthz/", "x",
        ] {
            let segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            #expect(Route(segments) == nil, "\(path)")
        }
    }

    @Test func `the root is the playground`() {
        #expect(Route([]) == .playground)
        #expect(Route.playground.method == .get)
    }

    @Test func `HEAD is allowed wherever GET is, and OPTIONS everywhere`() {
        #expect(Route.health.allowed == "GET, HEAD, OPTIONS")
        #expect(Route.minify.allowed == "POST, OPTIONS")
        #expect(Route.health.acceptPost == nil)
        #expect(Route.convert.acceptPost == "multipart/form-data, application/json")
    }

    @Test func `every route is counted under its own template`() {
        let rows: [(route: Route, label: String)] = [
            (.minify, "/v1/minify"), (.normalize, "/v1/normalize"), (.convert, "/v1/convert"),
            (.convertBy(profile: "mobile"), "/v1/convert/{profile}"), (.profiles, "/v1/profiles"),
            (.profile("mobile"), "/v1/profiles/{profile}"), (.checkProfile, "/v1/profiles/check"),
            (.health, "/healthz"), (.readiness, "/readyz"), (.metrics, "/metrics"), (.description, "/openapi.yaml"),
            (.profileSchema, "/v1/profile.schema.json"), (.playground, "(playground)"),
        ]
        for row in rows { #expect(RouteLabel.fixed[Int(row.route.label.index)] == row.label) }
    }
}
