package import Conversions
package import ConvertEngine
import ConvertProfiles
package import HTTPSemantics
package import HTTPWire
import Text

/// Decides from a request's header alone how it is handled. Each loop has one router.
package final class Router {
    /// How a request is handled.
    package enum Decision {
        /// The response is already known.
        case respond(WholeResponse)
        /// The counters are returned.
        case metrics
        /// The body is a payload, which is converted while it arrives.
        case convert(ConversionOrder)
        /// The body is a form with profile and payload.
        case form(MultipartForm)
        /// The body is an envelope with profile and payload.
        case envelope
        /// The body is a profile to check.
        case check
    }

    /// How a request is handled, and the compression in both directions.
    package struct Ruling {
        package var decision: Decision
        /// The coding to decode.
        package var bodyCoding = ContentCoding.identity
        /// Nil if the response is never compressed.
        package var responseCoding: ResponseCoding?
    }

    /// The methods of the server as a whole.
    private static let serverMethods = "GET, HEAD, POST, OPTIONS"
    /// A longer path is parsed each time.
    private static let maxKnownPathBytes = 256

    package let openAPIDocument: [UInt8]
    package let profileSchema: [UInt8]
    private let playground: PlaygroundPage?
    private let hasAdmin: Bool
    package var profiles: RequestProfiles
    package var readiness = Readiness()
    /// The comparisons of the gateway's routes.
    package var shadows: [Shadow] = []
    private var recipes: RecipeCache
    /// The last path and its resource. Most requests use the same one again.
    private var latest: (path: [UInt8], route: Route)?

    /// - Parameters:
    ///   - playground: nil in a program that was built without the page.
    ///   - hasAdmin: whether the paths about the server itself are only at `admin` listeners.
    package init(
        openAPIDocument: [UInt8], profileSchema: [UInt8], playground: PlaygroundPage?, payloadLimits: Limits,
        maxProfileBytes: Int, acceptsInlineProfiles: Bool, hasAdmin: Bool
    ) {
        self.openAPIDocument = openAPIDocument
        self.profileSchema = profileSchema
        self.playground = playground
        self.hasAdmin = hasAdmin
        profiles = RequestProfiles(
            limits: payloadLimits, maxBytes: maxProfileBytes, acceptsInline: acceptsInlineProfiles)
        recipes = RecipeCache(limits: payloadLimits)
    }

    /// The resource of a request; nil if there is none.
    ///
    /// - Parameter isPublic: whether the request came through a public listener.
    package func route(of request: RequestHead, isPublic: Bool) -> Route? {
        guard let route = route(of: request) else { return nil }
        return !isPublic || !hasAdmin || route.isForClients ? route : nil
    }

    private func route(of request: RequestHead) -> Route? {
        let target = request.target
        guard !target.hasFragment else { return nil }
        if let latest, target.path.elementsEqual(latest.path) { return latest.route }
        guard target.form != .asterisk, let segments = target.pathSegments(), let route = Route(segments), exists(route)
        else { return nil }
        if target.path.count <= Self.maxKnownPathBytes { latest = (Array(target.path), route) }
        return route
    }

    package func decide(
        _ request: RequestHead, _ route: Route?, requestID: String, isPublic: Bool
    ) throws(Problem) -> Ruling {
        guard request.method.isKnown else {
            throw Problem(501, "no path supports this method", code: "unknown-method")
        }
        switch request.target.form {
        case .asterisk: return Ruling(decision: .respond(WholeResponse(allow: Self.serverMethods, acceptPost: nil)))
        // Only CONNECT has such a target, which is no path of this server.
        case .authority: throw .notAllowed(Self.serverMethods)
        default: break
        }
        guard let route else {
            let hint = isPublic && hasAdmin ? nil : Self.hint(for: request.target)
            throw Problem(404, "nothing at this path", code: "not-found", hint: hint)
        }
        if request.method == .options {
            return Ruling(decision: .respond(WholeResponse(allow: route.allowed, acceptPost: route.acceptPost)))
        }
        let isAllowed = request.method == route.method || (request.method == .head && route.method == .get)
        guard isAllowed else { throw .notAllowed(route.allowed) }
        let coding = try Self.responseCoding(route, request)
        // The body of a GET has no meaning and is not read.
        let bodyCoding = route.method == .post ? try Self.bodyCoding(request) : .identity
        var decision = try decide(route, request, requestID, isPublic: isPublic)
        switch decision {
        case _ where route.isState: break
        case .respond(let response) where response.status != 200: break
        case _ where request.wantsTag: throw .preconditionFailed
        case .respond(let response): decision = .respond(response.unlessKnown(to: request))
        default: break
        }
        return Ruling(decision: decision, bodyCoding: bodyCoding, responseCoding: coding)
    }

    /// The hint in the problem of a path without a resource.
    private static func hint(for target: RequestTarget) -> String {
        let description = "GET /openapi.yaml describes the paths"
        guard target.path.elementsEqual([ASCII.slash]) else { return description }
        return "this program was built without the playground: run `make playground` before the build; \(description)"
    }

    private func decide(
        _ route: Route, _ request: RequestHead, _ requestID: String, isPublic: Bool
    ) throws(Problem) -> Decision {
        switch route {
        case .minify, .normalize: return try convert(try recipes.recipe(route, request.target), request)
        case .convertBy(let name):
            let parameters = try QueryParameters(request.target, known: ["direction"])
            let direction = try parameters.choice("direction", of: Profile.Direction.self) ?? .forward
            return try convert(try profiles.set.recipe(name, direction), request)
        case .convert: return try receiveWithProfile(request)
        case .checkProfile:
            _ = try QueryParameters(request.target, known: [])
            _ = try negotiate(request, ["application/json"])
            try Self.requireJSON(request, route)
            guard profiles.acceptsInline else { throw .inlineProfilesOff }
            return .check
        case .profiles:
            return .respond(
                WholeResponse(contentType: try negotiate(request, ["application/json"]), body: profileList(isPublic)))
        case .profile(let name):
            let document = try profiles.set.loaded(name).document
            return .respond(WholeResponse(contentType: try negotiate(request, ["application/json"]), body: document))
        // Probes only use the status, so `Accept` is ignored.
        case .health:
            return .respond(WholeResponse(contentType: "application/json", body: Array("{\"status\":\"ok\"}".utf8)))
        case .readiness: return .respond(readiness.response(profiles.set, requestID: requestID, isPublic: isPublic))
        case .metrics: return .metrics
        case .shadow:
            return .respond(
                WholeResponse(contentType: try negotiate(request, ["application/json"]), body: shadowReport()))
        case .description:
            let type = try negotiate(request, ["application/yaml", "text/yaml", "text/plain"])
            return .respond(WholeResponse(chosen: type, body: openAPIDocument))
        case .profileSchema:
            let type = try negotiate(request, ["application/schema+json", "application/json"])
            return .respond(WholeResponse(chosen: type, body: profileSchema))
        case .playground:
            _ = try negotiate(request, ["text/html"])
            let codings = request.fields.values(for: "accept-encoding")
            guard let response = try playground?.response(codings.isEmpty ? nil : AcceptEncoding(codings)) else {
                preconditionFailure("without a page there is no route to it")
            }
            return .respond(response)
        }
    }

    private func exists(_ route: Route) -> Bool {
        switch route {
        case .description: !openAPIDocument.isEmpty
        case .profileSchema: !profileSchema.isEmpty
        case .playground: playground != nil
        default: true
        }
    }
}

// MARK: - GET

extension Router {
    /// `state` is `ready`, `outdated` if the newest file has an error and the last good version is in use, or `faulty`
    /// if there is none.
    private func profileList(_ isPublic: Bool) -> [UInt8] {
        JSONWriter.object { writer in
            writer.objects("profiles", of: profiles.set.entries) { writer, entry in
                writer.member("name", entry.name)
                writer.member("description", entry.loaded?.summary)
                writer.member(
                    "state", entry.loaded == nil ? "faulty" : entry.error == nil ? "ready" : "outdated")
                writer.member("detail", isPublic ? entry.publicError : entry.error)
            }
        }
    }

    private func shadowReport() -> [UInt8] {
        JSONWriter.object { writer in
            writer.objects("routes", of: shadows) { writer, shadow in shadow.write(to: &writer) }
        }
    }
}

// MARK: - POST

extension Router {
    private func convert(_ recipe: Recipe, _ request: RequestHead) throws(Problem) -> Decision {
        let type = try PayloadType(contentType: try Self.contentType(request))
        let contentType = try negotiate(request, type.offers)
        return .convert(ConversionOrder(recipe: recipe, type: type, contentType: contentType))
    }

    /// Profile and payload in one body: a form or an envelope.
    private func receiveWithProfile(_ request: RequestHead) throws(Problem) -> Decision {
        if let bytes = try Self.contentType(request), let type = MediaType(String(decoding: bytes, as: UTF8.self)),
            type.essence == "multipart/form-data"
        {
            let parameters = try QueryParameters(request.target, known: ["direction"])
            guard let parser = type["boundary"].flatMap({ MultipartParser(boundary: $0) }) else {
                throw Problem(400, "multipart/form-data needs a boundary of 1 to 70 characters", code: "form")
            }
            var profiles = profiles
            // Browsers send forms for pages of other sites without asking the server.
            if request.fields["sec-fetch-site"] == "cross-site" { profiles.acceptsInline = false }
            return .form(
                MultipartForm(
                    parser, direction: try parameters.choice("direction", of: Profile.Direction.self),
                    accept: Accept(request.fields.values(for: "accept")), profiles))
        }
        let hint = "write a key of the document instead: profile, direction or payload"
        _ = try QueryParameters(request.target, known: [], hint: hint)
        try Self.requireJSON(request, .convert)
        _ = try negotiate(request, PayloadType.json.offers)
        return .envelope
    }
}

// MARK: - Fields

extension Router {
    private func negotiate(_ request: RequestHead, _ offers: [String]) throws(Problem) -> String {
        guard request.fields.count(of: "accept") > 0 else { return offers[0] }
        guard let best = Accept(request.fields.values(for: "accept")).best(of: offers) else {
            throw .notAcceptable(offers)
        }
        return best
    }

    private static func contentType(_ request: RequestHead) throws(Problem) -> ArraySlice<UInt8>? {
        guard request.fields.count(of: "content-type") <= 1 else {
            throw Problem(400, "there are several Content-Type fields", code: "content-type")
        }
        return request.fields.bytes(for: "content-type")
    }

    /// The error has the route's own `Accept-Post`.
    private static func requireJSON(_ request: RequestHead, _ route: Route) throws(Problem) {
        let bytes = try contentType(request)
        guard let type = try? PayloadType(contentType: bytes), type.isDocument else {
            throw .unsupportedType("this media type is not supported here", acceptPost: route.acceptPost ?? "")
        }
    }

    private static func bodyCoding(_ request: RequestHead) throws(Problem) -> ContentCoding {
        guard request.fields.count(of: "content-encoding") > 0 else { return .identity }
        do throws(CodingError) {
            return try ContentCoding(contentEncoding: request.fields.values(for: "content-encoding"))
        } catch {
            throw Problem(error)
        }
    }

    /// The possible compression of a response. Responses to probes are small and never compressed. The page is compressed already.
    private static func responseCoding(_ route: Route, _ request: RequestHead) throws(Problem) -> ResponseCoding? {
        if route == .health || route == .readiness { return nil }
        if route == .playground { return .unasked }
        guard request.fields.count(of: "accept-encoding") > 0 else { return .unasked }
        guard let coding = ResponseCoding(AcceptEncoding(request.fields.values(for: "accept-encoding"))) else {
            throw .noAcceptableCoding
        }
        return coding
    }
}
