import Glibc
import TestSupport

@testable import ConvertServer
@testable import HTTPServer
@testable import Service

/// The built program as a gateway between clients and scripted backends: only the backends' responses are artificial.
///
/// The default configuration is the smallest that serves: `via` is `edge-1`, and every path goes to the upstream `shop`. Tests replace or
/// extend its parts. The service's own endpoints are on a Unix socket, `admin`.
final class GatewayStage {
    static let everything = #"{ "match": "/", "upstream": "shop" }"#
    /// Every path is routed, and responses are converted by the profile `mobile`.
    static let converting = #"{ "match": "/", "upstream": "shop", "response": { "profile": "mobile" } }"#
    static let mobile = #"{ "rename": { "firstName": "fn" } }"#
    /// An input of `mobile`, and the output for it.
    static let ada = (before: #"{"firstName": "Ada"}"#, after: #"{"fn":"Ada"}"#)

    let backend: ScriptedBackend
    let server: LiveServer
    let directory: TemporaryDirectory
    let profiles: TemporaryDirectory
    var admin: String { "unix:\(directory.path)/admin" }

    /// - Parameters:
    ///   - routes: the elements of `routes`.
    ///   - upstream: more members of the upstream `shop`, each followed by a comma.
    ///   - root: more members of the configuration, each followed by a comma.
    ///   - names: the addresses for host names; without it the system resolves them.
    ///   - servers: the upstream's servers; those of the backend by default.
    init(
        routes: String = everything, upstream: String = "", root: String = "",
        profiles texts: [String: String] = ["mobile": mobile], listeners: Int = 1, unix: Bool = false,
        hasOnePort: Bool = false, names known: StagedNames? = nil,
        servers: ((ScriptedBackend) -> [String])? = nil, maxDescriptors: Int? = nil, _ arguments: String...
    ) throws {
        directory = try TemporaryDirectory()
        profiles = try TemporaryDirectory()
        for (name, text) in texts { _ = try profiles.write("\(name).json", text) }
        backend = try ScriptedBackend(
            listeners: listeners, unix: unix ? "\(directory.path)/backend" : nil, hasOnePort: hasOnePort)
        let names = servers?(backend) ?? backend.servers
        let text = Self.configuration(
            routes: routes, upstream: upstream, root: root, profiles: profiles.path, servers: names)
        let file = try directory.write("convert.json", text)
        server = try LiveServer(
            configuration: file, in: directory, environment: known?.environment ?? [:],
            maxDescriptors: maxDescriptors, arguments)
    }

    static func configuration(
        routes: String = everything, upstream: String = "", root: String = "", profiles: String, servers: [String]
    ) -> String {
        """
        { "listen": ["127.0.0.1:0"], "admin": ["unix:admin"], "profiles": "\(profiles)", "via": "edge-1", \(root)
          "upstreams": { "shop": { \(upstream) "servers": [\(servers.map { "\"\($0)\"" }.joined(separator: ", "))] } },
          "routes": [\(routes)] }

        """
    }

    /// Replaces the configuration, for a reload.
    func reconfigure(
        routes: String = everything, upstream: String = "", root: String = "", servers: [String]? = nil
    ) throws {
        let text = Self.configuration(
            routes: routes, upstream: upstream, root: root, profiles: profiles.path, servers: servers ?? backend.servers
        )
        _ = try directory.write("convert.json", text)
    }

    /// One request on its own connection, whose response must arrive completely.
    func ask(_ line: String, _ fields: String..., body: String? = nil) throws -> ReceivedResponse {
        try exchange(HTTPText.message(line, fields, body: body, isLast: true)).whole
    }

    /// The same with any text as the request; the response may be cut off.
    func exchange(_ message: String) throws -> GatewayClient.FinalResponse {
        let client = try client()
        try client.send(message)
        return try client.finalResponse(toHead: message.hasPrefix("HEAD "))
    }

    /// The request that the backend received for one request of a client.
    func forwarded(_ line: String, _ fields: String..., body: String? = nil) throws -> ScriptedBackend.Request {
        let count = try backend.requests.count
        let response = try exchange(HTTPText.message(line, fields, body: body, isLast: true))
        let requests = try backend.requests
        guard requests.count > count else {
            throw ScriptedBackend.Failure(log: "not forwarded: \(line): \(response.message.status)")
        }
        return requests[count]
    }

    func client() throws -> GatewayClient { try GatewayClient(server.address) }

    /// A response of the service's own endpoints.
    func askAdmin(_ path: String) throws -> ReceivedResponse {
        let client = try GatewayClient(admin)
        try client.send("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        return try client.finalResponse().whole
    }

    /// Sends SIGHUP and waits until the log has one more match of `text`.
    func reload(untilLog text: String) throws {
        let before = server.log.matches(of: try Regex(text)).count
        server.signal(SIGHUP)
        let isDone = try waits { server.log.matches(of: try Regex(text)).count > before }
        guard isDone else { throw LiveServer.Failure(log: server.log) }
    }

    /// The lines of the access log so far.
    var accessLog: [String] {
        server.log.split(separator: "\n").filter { $0.contains("\"requestId\"") }.map(String.init)
    }
}
