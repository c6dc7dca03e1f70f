import ConvertEngine
package import ConvertProfiles
import TestSupport
package import Testing
import Text

@testable import ConfigurationReading
@testable package import Conversions
@testable package import Gateway
@testable import HTTPSemantics
@testable package import HTTPWire
@testable package import Upstreams

/// A gateway made from the text of a configuration; it gets requests as text.
package struct GatewayTrial {
    package struct Failure: Error {
        let faults: [ProfileFault]
    }

    package static let mobile = #"{ "rename": { "firstName": "fn" } }"#
    package static let hiding = #"{ "drop": ["secret"] }"#

    /// The time of every request: Sun, 06 Nov 1994 08:49:37 GMT, the example in RFC 9110 §5.6.7.
    package static let now: Int64 = 784_111_777

    package let gateway: Gateway

    /// The gateway's part of a configuration.
    package struct File {
        package private(set) var configuration = GatewayConfiguration()
        package private(set) var faults: [ProfileFault] = []

        package var routes: [RouteConfiguration] { configuration.routes }

        /// Reads upstreams, routes and what belongs to the gateway among the options.
        package init(_ text: String) {
            do throws(ProfileFault) {
                read(try SettingsDocument.parse(Array(text.utf8)))
            } catch {
                faults = [error]
            }
        }

        private mutating func read(_ root: SettingsValue) {
            var reader = ConfigurationReader(directory: "")
            let keys = ["via", "trustedProxies", "trustedFields", "upstreams", "routes"]
            guard let members = reader.members(of: root, known: keys, hintForUnknown: "") else { return }
            configuration.via = members["via"].flatMap { reader.text($0) }
            if let value = members["trustedProxies"] {
                for (text, element) in reader.texts(value, expected: "a network") {
                    let isNetwork = configuration.trustedProxies.insert(text)
                    if !isNetwork { reader.refuse(element, expected: "a network") }
                }
            }
            if let value = members["trustedFields"] {
                configuration.trustedProxies.fields = FieldNames(
                    reader.texts(value, expected: "the name of a field").map(\.text))
            }
            if let value = members["upstreams"] { configuration.upstreams = reader.upstreams(value) }
            if let value = members["routes"] {
                configuration.routes = reader.routes(value, upstreams: configuration.upstreams.map(\.name))
            }
            faults = reader.faults
        }
    }

    /// - Parameters:
    ///   - routes: the elements of `routes`; their upstream is `shop`.
    ///   - address: the address of its only server.
    package init(
        routes: String, root: String = "", upstream: String = "", address: String = "http://10.0.0.1:3000",
        profiles: [String: String] = ["mobile": mobile], modifiedSeconds: Int64 = 0
    ) throws {
        let file = File(
            """
            { "via": "edge-1", \(root)
              "upstreams": { "shop": { \(upstream) "servers": ["\(address)"] } }, "routes": [\(routes)] }
            """)
        guard file.faults.isEmpty else { throw Failure(faults: file.faults) }
        let set = try Self.profiles(profiles, modifiedSeconds: modifiedSeconds)
        gateway = try Gateway(file.configuration, set, viaName: "random")
    }

    /// Expects that a route with these members contradicts its profiles, with a message that contains `message`, or that it does not.
    package static func expectContradiction(
        _ message: String?, of members: String, _ profiles: ProfileSet,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let file = File(
            #"{ "upstreams": { "u": { "servers": "http://h" } }, "routes": [{ "match": "/", "upstream": "u", \#(members) }] }"#
        )
        #expect(file.faults.isEmpty, "\(members)", sourceLocation: sourceLocation)
        let faults = file.routes.flatMap { $0.contradictions(profiles) }
        #expect(
            faults.count == (message == nil ? 0 : 1) && message.map { faults[0].message.contains($0) } ?? true,
            "\(members): \(faults)", sourceLocation: sourceLocation)
    }

    package static func profiles(_ documents: [String: String], modifiedSeconds: Int64 = 0) throws -> ProfileSet {
        ProfileSet(
            entries: try documents.sorted { $0.key < $1.key }.map { name, text in
                let document = Array(text.utf8)
                let profile = try Profile(parsing: document)
                let inverse: Result<Recipe, ProfileError>
                do throws(ProfileError) {
                    inverse = .success(try Recipe(profile, .inverse, limits: Limits()))
                } catch {
                    inverse = .failure(error)
                }
                let loaded = ProfileSet.Loaded(
                    document: document, summary: nil, modifiedSeconds: modifiedSeconds,
                    withheld: profile.withheld, keepsUnhashed: profile.keepsUnhashed,
                    forward: try Recipe(profile, .forward, limits: Limits()),
                    inverse: inverse)
                return ProfileSet.Entry(name: name, loaded: loaded, error: nil)
            })
    }

    /// The upstream's only server.
    package static let server = UpstreamServer.tcp(host: "10.0.0.1", port: 3000)

    /// The head of a request from its text; lines end with LF, and Host is added if the text has none.
    package static func head(_ text: String) throws -> RequestHead {
        var lines = text.split(separator: "\n").map(String.init)
        if !lines.contains(where: { $0.lowercased().hasPrefix("host:") }) { lines.insert("Host: shop.example", at: 1) }
        let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        var parser = RequestHeadParser(limits: WireLimits())
        var index = 0
        guard try parser.parse(bytes.span, at: &index) else { throw WireError(.tornHead, at: index) }
        var head = parser.head
        _ = try RequestFraming(&head, limits: WireLimits())
        return head
    }

    /// The request that goes to the upstream for `GET /api/x`, or for another request line and fields.
    package func forward(
        _ text: String = "GET /api/x HTTP/1.1", from peer: String = "192.0.2.7", hasBody: Bool = false,
        leavesBody: Bool = false
    ) throws -> ForwardedRequest {
        let address = IPAddress(peer).map { TrustedProxies.Peer.address($0) } ?? .unix
        return try gateway.forward(
            try Self.head(text),
            RequestContext(peer: address, requestID: "id-1", hasBody: hasBody, now: Self.now, leavesBody: leavesBody))
    }

    /// The response that the client gets for a response of the upstream with these fields.
    package func response(
        _ status: Int = 200, _ fields: String, to request: String = "GET /api/x HTTP/1.1",
        finding: BodyFinding = .expected, sparesEncoder: Bool = false
    ) throws -> ForwardedResponse {
        try response(status, HTTPText.fields(fields), to: request, finding: finding, sparesEncoder: sparesEncoder)
    }

    package func response(
        _ status: Int, _ fields: Fields, to request: String = "GET /api/x HTTP/1.1",
        finding: BodyFinding = .expected, sparesEncoder: Bool = false
    ) throws -> ForwardedResponse {
        let forwarded = try forward(request)
        return try ForwardedResponse(
            status: status, fields, to: forwarded, from: Self.server,
            host: gateway.configuration.upstreams[0].host, now: Self.now, finding: finding,
            sparesEncoder: sparesEncoder)
    }

    /// The fingerprint of the profile `mobile`, forward.
    package static let fingerprint = PlanFingerprint(profile: Array(mobile.utf8), direction: .forward).digits
}
