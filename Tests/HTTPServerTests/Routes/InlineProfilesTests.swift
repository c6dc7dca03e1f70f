import ConvertEngine
import GatewayTestSupport
import HTTPServerTestSupport
import TestSupport
import Testing

@testable import Gateway
@testable import HTTPServer
@testable import Service
@testable import Sockets

/// Profiles in requests: where they are allowed, and the response of a server that does not allow them.
struct InlineProfilesTests {
    private static func form(_ profile: String, isFile: Bool, profileLast: Bool = false) -> String {
        let file = isFile ? "; filename=\"p.json\"" : ""
        let parts = [
            "--b\r\nContent-Disposition: form-data; name=\"profile\"\(file)\r\n\r\n\(profile)\r\n",
            "--b\r\nContent-Disposition: form-data; name=\"payload\"\r\n\r\n{\"firstName\":\"Ada\"}\r\n",
        ]
        return (profileLast ? parts.reversed() : parts).joined() + "--b--\r\n"
    }

    private static let long = "{\"rename\":{\"firstName\":\"\(String(repeating: "n", count: 3000))\"}}"

    private static let inline: [String] =
        [
            HTTPText.post("/v1/convert", #"{"profile":{"keys":"snake_case"},"payload":{"firstName":"Ada"}}"#),
            HTTPText.post("/v1/convert", #"{"payload":{"firstName":"Ada"},"profile":{"keys":"snake_case"}}"#),
            HTTPText.post("/v1/convert", "{\"profile\":\(long),\"payload\":{}}"),
            HTTPText.post("/v1/profiles/check", #"{"drop":"/a"}"#),
            HTTPText.post("/v1/profiles/check", long),
        ]
        + [
            form(#"{"keys":"snake_case"}"#, isFile: true), form(#"{"keys":"snake_case"}"#, isFile: false),
            form("{}", isFile: true, profileLast: true), form(long, isFile: true),
        ].map { HTTPText.post("/v1/convert", $0, type: "multipart/form-data; boundary=b") }

    private static let named: [String] = [
        HTTPText.post("/v1/convert", #"{"profile":"mobile","payload":{"firstName":"Ada"}}"#),
        HTTPText.post(
            "/v1/convert", form("mobile", isFile: false), type: "multipart/form-data; boundary=b"),
        HTTPText.post(
            "/v1/convert", form("mobile", isFile: false, profileLast: true), type: "multipart/form-data; boundary=b"),
        HTTPText.post("/v1/convert/mobile", #"{"firstName":"Ada"}"#),
    ]

    private static func ask(_ request: String, _ configuration: ServerConfiguration) throws -> String {
        let context = HTTPContext(configuration)
        context.router.profiles.set = try GatewayTrial.profiles(["mobile": GatewayTrial.mobile])
        var conversation = try Conversation(context)
        conversation.receive(request)
        return conversation.text
    }

    @Test func `a server without inline profiles refuses them and uses its own`() throws {
        var configuration = ServerConfiguration()
        configuration.inlineProfiles = .off
        for request in Self.inline {
            let response = try Self.ask(request, configuration)
            #expect(HTTPText.status(response) == 403, "\(request)")
            #expect(response.contains("\"code\":\"inline-profiles-off\""))
            #expect(response.contains("--inline-profiles"))
        }
        for request in Self.named { #expect(HTTPText.body(try Self.ask(request, configuration)) == #"{"fn":"Ada"}"#) }
        // A query can only choose the case of keys, so it is still allowed.
        let request = HTTPText.post("/v1/normalize?keys=snake_case", #"{"firstName":"Ada"}"#)
        #expect(HTTPText.body(try Self.ask(request, configuration)) == #"{"first_name":"Ada"}"#)
    }

    @Test func `a server that accepts profiles from requests accepts all of them`() throws {
        for request in Self.inline + Self.named {
            #expect(HTTPText.status(try Self.ask(request, ServerConfiguration())) == 200, "\(request)")
        }
    }

    @Test func `a form that a page of another site sends must name a profile`() throws {
        for (profile, status) in [(#"{"keys":"snake_case"}"#, 403), ("mobile", 200)] {
            for (site, expected) in [("cross-site", status), ("same-site", 200), ("same-origin", 200), ("none", 200)] {
                let request = HTTPText.post(
                    "/v1/convert", Self.form(profile, isFile: false), type: "multipart/form-data; boundary=b",
                    fields: ["Sec-Fetch-Site: \(site)"])
                #expect(HTTPText.status(try Self.ask(request, ServerConfiguration())) == expected, "\(site) \(profile)")
            }
        }
    }

    @Test func `by default, profiles in requests are allowed only if no other machine can connect`() throws {
        let rows: [(listen: [String], admin: [String], hasRoutes: Bool, isOn: Bool)] = [
            (["127.0.0.1:8080"], [], false, true), (["127.8.9.1:0"], [], false, true),
            (["[::1]:8080"], [], false, true),
            (["localhost:8080"], [], false, true), (["unix:/run/convert.sock"], [], false, true),
            (["127.0.0.1:8080", "unix:/run/convert.sock"], [], false, true),
            ([":8080"], [], false, false), (["0.0.0.0:8080"], [], false, false), (["[::]:8080"], [], false, false),
            (["10.0.0.1:8080"], [], false, false), (["[::ffff:10.0.0.1]:8080"], [], false, false),
            (["convert.example:8080"], [], false, false), (["127.0.0.1:8080", "10.0.0.1:8080"], [], false, false),
            (["127.0.0.1:8080"], ["0.0.0.0:8081"], false, false),
            // With routes, the service's own paths are only at `admin`, until a reload removes the last route.
            (["127.0.0.1:8080"], ["127.0.0.1:8081"], true, true), (["0.0.0.0:8080"], ["unix:admin"], true, false),
            (["127.0.0.1:8080"], ["0.0.0.0:8081"], true, false),
        ]
        for row in rows {
            var configuration = ServerConfiguration()
            configuration.listen = row.listen.compactMap { ListenAddress($0) }
            configuration.gateway.admin = row.admin.compactMap { ListenAddress($0) }
            #expect(
                configuration.listen.count + configuration.gateway.admin.count == row.listen.count + row.admin.count)
            if row.hasRoutes {
                let trial = try GatewayTrial(routes: #"{ "match": "/", "upstream": "shop" }"#)
                configuration.gateway.upstreams = trial.gateway.configuration.upstreams
                configuration.gateway.routes = trial.gateway.configuration.routes
            }
            #expect(configuration.acceptsInlineProfiles == row.isOn, "\(row)")
            for (choice, isOn) in [(InlineProfiles.on, true), (.off, false)] {
                configuration.inlineProfiles = choice
                #expect(configuration.acceptsInlineProfiles == isOn)
            }
        }
    }
}
