import Conversions
import ConvertEngine
package import HTTPSemantics
package import HTTPWire
package import Text
package import Upstreams

/// A request as it is forwarded to an upstream, decided from its header alone.
///
/// It is immutable. It is an object because it has many parts and is passed on often.
package final class ForwardedRequest: Sendable {
    package let route: GatewayRoute
    package let method: RequestMethod
    /// The request target: the path that was matched, without the stripped prefix, and the query, which only
    /// `request.query` and `response.fields` change.
    package let target: [UInt8]
    /// The fields of the response that the client selects; nil for all.
    let selection: FieldSelection?
    /// Without Host, which depends on the server, and without the fields of framing and of the connection.
    package let fields: Fields
    /// How the body is handled.
    package let body: RequestRuling
    /// The value of Upgrade: the protocols that the client requests and the route allows; nil for an ordinary request.
    package let upgrade: String?
    /// The request's conditions, which decide about a 304.
    let conditions: Conditions
    /// The client's Accept-Encoding, for the compression of a converted response.
    package let accepted: AcceptEncoding
    /// The client's own address; nil for a client of a Unix socket.
    package let clientAddress: IPAddress?
    /// The value of X-Forwarded-Proto for the upstream.
    package let scheme: String
    /// The requested host with its port; empty if an HTTP/1.0 request has none.
    package let authority: String
    package let requestID: String

    /// Decides how a gateway forwards a request of a known route. Throws the error response if it cannot be forwarded.
    package init(
        _ head: RequestHead, on route: GatewayRoute, _ path: RequestPath, _ context: RequestContext,
        by gateway: Gateway
    ) throws(Problem) {
        let received = Gateway.visible(head.fields)
        try ViaTrace(received.values(for: "via")).check(for: gateway.viaName)
        var query = head.target.query
        var selection: FieldSelection?
        if let rule = route.response?.fields, let written = query { (query, selection) = try rule.split(written) }
        if let names = route.query, let written = query { query = try names.converted(written) }
        do throws(RequestPath.PathError) {
            target = try path.stripping(route.configuration.stripPrefix).target(query: query)
        } catch {
            throw error.problem
        }
        body = try Gateway.body(received, route, context)
        conditions = Conditions(
            received, method: head.method, conversion: route.response, selection: selection,
            fingerprints: gateway.fingerprints, now: context.now)
        authority = String(decoding: head.authority, as: UTF8.self)
        let trusted = gateway.configuration.trustedProxies.fields(from: context.peer)
        accepted = AcceptEncoding(received.values(for: "accept-encoding"))
        let isRelabelled = if case .convert(_, _, isLabelled: false) = body { true } else { false }
        let forwards = head.maxForwards
        let withholding = route.response.flatMap { $0.policy.withholds ? $0.policy : nil }
        var fields = received.endToEnd(
            omitting: route.omittedFromRequests(isConverted: body != .pass), nominated: FieldNames()
        ) { name in
            if isRelabelled, name.spells("content-type") { return false }
            if withholding != nil, name.spells("accept") { return false }
            if forwards != nil, name.spells("max-forwards") { return false }
            // Without its `traceparent`, it belongs to no trace (Trace Context §3.4).
            if context.trace == nil, name.spells("tracestate") { return false }
            if route.configuration.convertsMessages, name.spells(MessageTunnel.extensionsName) { return false }
            return ForwardingFields.isHarmless(name) || trusted.contains(name)
        }
        if isRelabelled { fields.append("Content-Type", "application/json") }
        if let withholding { fields.append("Accept", withholding.asked(by: received.values(for: "accept"))) }
        scheme = ForwardingFields.append(
            to: &fields, received, peer: context.peer, trusted: trusted, host: authority,
            strippedPrefix: route.configuration.stripPrefix)
        for (name, value) in conditions.fields { fields.append(name, bytes: value[...]) }
        if let forwards { fields.append("Max-Forwards", String(max(forwards, 1) - 1)) }
        fields.append("Via", bytes: gateway.viaValue(received, head.minorVersion))
        fields.append("X-Request-Id", context.requestID)
        if let trace = context.trace { fields.append(TraceContext.fieldName, trace.field) }
        if route.response != nil { fields.append("Accept-Encoding", accepted.narrowed) }
        self.route = route
        self.selection = selection
        self.fields = fields
        method = head.method
        upgrade = Gateway.upgrade(head, route, context)
        clientAddress = gateway.configuration.trustedProxies.clientAddress(of: context.peer, in: received)
        requestID = context.requestID
    }

    /// How the body is converted; nil if it passes unchanged.
    var conversionOrder: ConversionOrder? {
        guard let conversion = route.request else { return nil }
        switch body {
        case .convert(let framing, _, _):
            return ConversionOrder(recipe: conversion.recipe, type: framing == .lines ? .lines : .json)
        case .convertPatch:
            let withholds = route.response?.policy.withholds ?? false
            return ConversionOrder(recipe: conversion.recipe, type: .json, patchReadsDocument: !withholds)
        case .pass: return nil
        }
    }

    /// The value of Host for a server of the route's upstream.
    package func host(_ policy: HostPolicy, server: UpstreamServer) -> String {
        switch policy {
        case .keep: authority.isEmpty ? server.authority : authority
        case .upstream: server.authority
        case .literal(let host): host
        }
    }
}

/// The facts about a request that are not in its head.
package struct RequestContext: Sendable {
    package let peer: TrustedProxies.Peer
    package let requestID: String
    /// Whether the request is framed to have a body.
    package let hasBody: Bool
    /// Seconds since 1970.
    package let now: Int64
    /// Whether the body passes unchanged although the route converts: it could not be converted, and `onError` is
    /// `pass`.
    package var leavesBody = false
    /// The trace that the client has begun.
    package var trace: TraceContext.Continued?

    package init(
        peer: TrustedProxies.Peer, requestID: String, hasBody: Bool, now: Int64, leavesBody: Bool = false,
        trace: TraceContext.Continued? = nil
    ) {
        self.peer = peer
        self.requestID = requestID
        self.hasBody = hasBody
        self.now = now
        self.leavesBody = leavesBody
        self.trace = trace
    }
}

extension RequestHead {
    /// How many gateways may still forward an OPTIONS request (RFC 9110 §7.6.2); nil if their number is not limited.
    ///
    ///     Max-Forwards = 1*DIGIT
    package var maxForwards: Int? {
        guard method == .options, let digits = fields.bytes(for: "max-forwards"), !digits.isEmpty,
            digits.allSatisfy(ASCII.isDigit)
        else { return nil }
        return Int(String(decoding: digits, as: UTF8.self)) ?? .max
    }
}

extension Gateway {
    /// Decides how to forward a request whose target has a path. Throws the error response if it cannot be forwarded.
    package func forward(_ head: RequestHead, _ context: RequestContext) throws(Problem) -> ForwardedRequest {
        let (route, path) = try findRoute(head)
        return try ForwardedRequest(head, on: route, path, context, by: self)
    }

    /// The route of a request, even if the request is refused for other reasons.
    package func route(of head: RequestHead) -> GatewayRoute? {
        guard let path = try? RequestPath(head.target.path) else { return nil }
        return switch table.lookUp(authority: head.authority, path: path, method: head.method) {
        case .route(let index), .notAllowed(let index, _): routes[index]
        case .none: nil
        }
    }

    /// The fields that routing uses. The upstream does not get the fields that Connection removes, so they are ignored
    /// here too, as are those that programs may read as another field.
    fileprivate static func visible(_ fields: Fields) -> Fields {
        let isHidden = (0..<fields.count).contains { ForwardingFields.isAlias(fields.nameBytes(at: $0)) }
        let nominated = fields.nominated(where: ForwardingFields.mayBeNominated)
        guard isHidden || !nominated.isEmpty else { return fields }
        return fields.endToEnd(omitting: FieldNames(), nominated: nominated) { !ForwardingFields.isAlias($0) }
    }

    /// The route of a request, and its path as routes and upstreams read it. Throws the error response if there is no
    /// route.
    package func findRoute(_ head: RequestHead) throws(Problem) -> (route: GatewayRoute, path: RequestPath) {
        // A registered name may contain escapes (RFC 3986 §3.2.2). With them it would bypass the routes of its own
        // host.
        guard !head.authority.contains(ASCII.percent) else {
            throw Problem(400, "the host contains an escape", code: "bad-host")
        }
        let path: RequestPath
        do throws(RequestPath.PathError) {
            if head.target.hasFragment { throw .unmatched }
            path = try RequestPath(head.target.path)
        } catch {
            throw error.problem
        }
        switch table.lookUp(authority: head.authority, path: path, method: head.method) {
        case .route(let index):
            do throws(RequestPath.PathError) {
                try withheldPaths?.check(path, of: index, authority: head.authority)
            } catch {
                throw error.problem
            }
            return (routes[index], path)
        case .notAllowed(_, let allow): throw .notAllowed(allow)
        case .none: throw RequestPath.PathError.unmatched.problem
        }
    }

    fileprivate static func body(
        _ received: Fields, _ route: GatewayRoute, _ context: RequestContext
    ) throws(Problem) -> RequestRuling {
        var ruling = RequestRuling.pass
        if let conversion = route.request, !context.leavesBody {
            ruling = try RequestRuling(received, hasBody: context.hasBody, by: conversion)
        }
        if case .convertPatch = ruling { return ruling }
        if context.hasBody, route.withholds { try RequestRuling.refusePatch(received) }
        return ruling
    }

    /// A client requests a switch of protocols by Upgrade and Connection together, in a GET without a body. Any other
    /// Upgrade is ignored (RFC 9110 §7.8).
    fileprivate static func upgrade(_ head: RequestHead, _ route: GatewayRoute, _ context: RequestContext) -> String? {
        guard !route.configuration.upgrades.isEmpty, head.method == .get, head.minorVersion == 1, !context.hasBody
        else { return nil }
        return head.fields.lists("upgrade", in: "connection") ? route.upgrades(in: head.fields) : nil
    }

    /// All entries in one field; the gateway's own entry is the last.
    fileprivate func viaValue(_ received: Fields, _ minorVersion: Int) -> ArraySlice<UInt8> {
        let entry = viaEntries[minorVersion]
        return received.list(for: "via").map { ($0 + ", ".utf8 + entry)[...] } ?? entry[...]
    }
}

extension GatewayRoute {
    /// Fields that are replaced or not forwarded.
    fileprivate func omittedFromRequests(isConverted: Bool) -> FieldNames {
        if isConverted { return response == nil ? Self.converted : Self.convertedBothWays }
        return response == nil ? Self.always : Self.convertedBack
    }

    private static let always = FieldNames(base)
    private static let converted = FieldNames(base + ContentFields.names)
    private static let convertedBack = FieldNames(base + responseNames)
    private static let convertedBothWays = FieldNames(base + responseNames + ContentFields.names)

    private static let base =
        Conditions.names + [
            "host", "expect", "via", "x-request-id", "x-forwarded-for", TraceContext.fieldName,
        ]
    /// Clients cannot request parts of a converted representation, and the gateway chooses its compression.
    private static let responseNames = ["accept-encoding", "range", "if-range"]
}

/// Fields that describe the exact bytes of a body. They are removed if the bytes change.
enum ContentFields {
    static let names = [
        "content-encoding", "content-md5", "digest", "repr-digest", "content-digest", "unencoded-digest", "signature",
        "signature-input", "x-goog-hash", "x-amz-checksum-crc32", "x-amz-checksum-crc32c",
        "x-amz-checksum-crc64nvme", "x-amz-checksum-sha1", "x-amz-checksum-sha256",
    ]
}
