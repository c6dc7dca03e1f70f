import GatewayTestSupport
import HTTPWire
import Testing

@testable import Gateway
@testable import HTTPSemantics

/// Fields that backends may read as a fact about the client, or as another target.
struct UntrustedFieldsTests {
    private static let route = #"{ "match": "/api", "upstream": "shop" }"#
    private static let trusting = #""trustedProxies": "192.0.2.7","#

    private static let removed = [
        // Addresses.
        "X-Forward-For", "X-Forwarded-For-Original", "X-Forwarded", "Forwarded", "Forwarded-For", "X-Real-IP",
        "True-Client-IP", "X-Client-IP", "X-Cluster-Client-Ip", "CF-Connecting-IP", "Fastly-Client-IP", "Client-IP",
        "X-Azure-ClientIP", "X-Azure-SocketIP", "Remote-Addr", "X-Remote-Addr", "X-Appengine-User-IP",
        // Users.
        "Remote-User", "Remote-Groups", "X-Remote-User", "X-Forwarded-User", "X-Authenticated-User",
        "X-Authenticated-Groups", "X-Auth-Request-User", "X-Auth-User", "X-Consumer-Username",
        "X-Credential-Identifier", "X-Envoy-Internal", "X-Override-Path", "X-Original-Path", "X-Auth-Request-Email",
        "X-Authentik-Username",
        "X-WEBAUTH-USER", "X-MS-Client-Principal", "X-MS-Client-Principal-Name", "X-Amzn-Oidc-Identity",
        "Cf-Access-Authenticated-User-Email", "X-Goog-Authenticated-User-Email", "X-Goog-Authenticated-User-ID",
        "Tailscale-User-Login", "Tailscale-User-Name", "X-Appengine-User-Email", "X-AppEngine-Inbound-Appid",
        // Certificates.
        "Client-Cert", "Client-Cert-Chain", "X-Client-Cert", "X-Client-Cert-Dn", "X-SSL-Client-Cert",
        "X-SSL-Client-Verify", "X-SSL-Client-CN", "SSL-Client-Cert", "SSL-Client-Verify", "X-ARR-ClientCert",
        "X-Forwarded-Client-Cert", "X-Forwarded-Tls-Client-Cert",
        // Schemes, hosts, paths and methods.
        "X-Arr-Ssl", "Front-End-Https", "X-Forwarded-Ssl", "X-Scheme", "X-Original-Host", "X-HTTP-Host-Override",
        "X-Original-URL", "X-Rewrite-URL", "X-Replaced-Path", "X-Waws-Unencoded-Url", "X-Original-Method",
        "X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "X-Script-Name",
    ]

    /// Names similar to those above that must pass: fields of applications, signed tokens, and credentials.
    private static let kept = [
        "X-Goog-Iap-Jwt-Assertion", "X-Amzn-Oidc-Data", "Cf-Access-Jwt-Assertion", "Cf-Access-Client-Id",
        "X-Auth-Token", "X-Client-Version", "X-Client-Info", "X-Requested-With", "X-Original-Filename", "X-For",
        "X-SSLX", "X", "X-", "Client-Version", "Referer", "Remote", "Sec-Fetch-Site", "SSL", "Tailscale", "Cf-Ray",
        "X.Auth.Token", "X+Client-Version", "Sub.Remote", "a.b", "x~",
    ]

    private static func count(_ name: String, trusting root: String = "") throws -> Int {
        let trial = try GatewayTrial(routes: route, root: root)
        return try trial.forward("GET /api HTTP/1.1\n\(name): forged").fields.values(for: name).count { $0 == "forged" }
    }

    @Test func `fields that backends may use as client, path or method are always removed`() throws {
        for name in Self.removed {
            let aliases = name.contains("-") ? ["_", ".", "+", "~"].map { name.replacing("-", with: $0) } : []
            for spelling in [name, name.lowercased(), name.uppercased()] + aliases {
                #expect(try Self.count(spelling) == 0, "\(spelling)")
                #expect(try Self.count(spelling, trusting: Self.trusting) == 0, "\(spelling)")
            }
        }
        for name in Self.kept { #expect(try Self.count(name) == 1, "\(name)") }
    }

    @Test func `a trusted peer may send the fields that the configuration lists`() throws {
        for name in Self.removed {
            let listed = Self.trusting + #""trustedFields": "\#(name)","#
            #expect(try Self.count(name, trusting: listed) == 1, "\(name)")
            #expect(try Self.count(name, trusting: #""trustedFields": "\#(name)","#) == 0, "\(name)")
            #expect(try Self.count(name.replacing("-", with: "_"), trusting: listed) == (name.contains("-") ? 0 : 1))
        }
        for name in Self.kept { #expect(!ForwardingFields.isTrustable(name), "\(name)") }
    }
}
