import ConvertEngine
package import ConvertProfiles
package import Gateway
import HTTPSemantics
import HTTPWire
import Observability
package import Text

extension ConfigurationReader {
    /// Reads the root's `routes`. `upstreams` has the names of the upstreams.
    package mutating func routes(_ value: SettingsValue, upstreams: [ExactText]) -> [RouteConfiguration] {
        guard case .list(let elements) = value.content else {
            refuse(
                value, expected: "an array of routes", hint: #"write [{ "match": "/", "upstream": "NAME" }]"#)
            return []
        }
        let known = Dictionary(uniqueKeysWithValues: zip(upstreams, upstreams.indices))
        var routes: [(route: RouteConfiguration, location: DocumentLocation)] = []
        var earlier: [HostPath: [Int]] = [:]
        for element in elements {
            guard let route = route(element, upstreams: known) else { continue }
            checkOverlap(of: route, at: element.location, with: routes, earlier)
            for path in HostPath.all(of: route) { earlier[path, default: []].append(routes.count) }
            routes.append((route, element.location))
        }
        return routes.map(\.route)
    }

    private mutating func route(_ value: SettingsValue, upstreams: [ExactText: Int]) -> RouteConfiguration? {
        let hint = #"write { "match": "/", "upstream": "NAME" }"#
        guard let members = members(of: value, as: .route, hint: hint) else { return nil }
        let match = required("match", of: members).flatMap { prefix($0) }
        let upstream = required("upstream", of: members).flatMap { reference($0, to: upstreams) }
        let name = members["name"].flatMap { routeName($0) }
        var route = RouteConfiguration(
            name: name ?? matchText(members) ?? "", match: match ?? .root, upstream: upstream ?? 0)
        if let value = members["hosts"] { route.hosts = hosts(value) }
        if let value = members["caseSensitive"], boolean(value) == false { route.ignoresCase = value.location }
        if let value = members["methods"] { route.methods = methods(value) }
        if let value = members["stripPrefix"], let prefix = prefix(value) {
            route.stripPrefix = prefix
            if let match, !prefix.covers(match) {
                refuse(value.location, "`stripPrefix` is not a prefix of whole segments of `match`, `\(match)`")
            }
        }
        let onError = members["onError"].flatMap { choice($0, of: ErrorPolicy.self) } ?? .fail
        if let value = members["request"] { route.request = request(value, onError) }
        if let value = members["response"] { route.response = response(value, onError) }
        if let value = members["upgrade"] { route.upgrades = upgrades(value) }
        checkMessages(of: route)
        if let value = members["openapi"] { route.description = description(value, of: route) }
        return match == nil || upstream == nil ? nil : route
    }

    private mutating func description(_ value: SettingsValue, of route: RouteConfiguration) -> DescriptionRule? {
        let hint = #"write { "path": "/openapi.json", "file": "backend-openapi.json" }"#
        guard let members = members(of: value, as: .openapi, hint: hint) else { return nil }
        let path = required("path", of: members)
        guard let file = required("file", of: members), let name = text(file, expected: "the name of a file"),
            let path, let prefix = prefix(path)
        else { return nil }
        if prefix.bytes.isEmpty || !route.match.covers(prefix) {
            refuse(path.location, "`\(prefix)` is not below `match`, `\(route.match)`")
        }
        return DescriptionRule(path: prefix, file: resolved(name), location: file.location)
    }

    private mutating func routeName(_ value: SettingsValue) -> String? {
        guard let name = text(value) else { return nil }
        if RouteLabel.reserved.contains(name) {
            refuse(value.location, "`\(name)` is reserved: metrics use it for requests without a route")
        }
        return name
    }

    private func matchText(_ members: Members) -> String? {
        guard case .text(let text)? = members["match"]?.content else { return nil }
        return text
    }

    private mutating func prefix(_ value: SettingsValue) -> RoutePrefix? {
        guard let text = text(value, expected: "a path") else { return nil }
        do throws(RoutePrefix.PrefixError) {
            return try RoutePrefix(parsing: text)
        } catch {
            let hint = text.hasPrefix("/") ? nil : "write `/\(text)`"
            return refused(value.location, "the path `\(text)` \(error.message)", hint: hint)
        }
    }

    private mutating func reference(_ value: SettingsValue, to upstreams: [ExactText: Int]) -> Int? {
        guard let name = text(value, expected: "the name of an upstream") else { return nil }
        if let index = upstreams[ExactText(name)] { return index }
        let names = upstreams.sorted { $0.value < $1.value }.map(\.key.text)
        let nearest = NearestName.nearest(to: name, among: names).map { "did you mean `\($0)`?" }
        return refused(
            value.location, "there is no upstream `\(name)`", hint: nearest ?? "write its servers in `upstreams`")
    }

    private mutating func hosts(_ value: SettingsValue) -> [HostPattern] {
        var hosts: [HostPattern] = []
        var known: Set<HostPattern> = []
        for (text, element) in texts(value, expected: "a host") {
            guard let host = HostPattern(text) else {
                refuse(
                    element.location, "`\(text)` is not a host",
                    hint: "write a name or an address without a port, or `*.example.com`")
                continue
            }
            if known.insert(host).inserted {
                hosts.append(host)
            } else {
                refuse(element.location, "the host `\(text)` is listed twice")
            }
        }
        refuseEmptyList(value, "without `hosts`, the route is for every host")
        return hosts
    }

    private mutating func methods(_ value: SettingsValue) -> [String] {
        var methods: [String] = []
        for (text, element) in texts(value, expected: "a method") {
            let known = RequestMethod.known.map(\.name)
            if [RequestMethod.connect.name, RequestMethod.trace.name].contains(text) {
                refuse(element.location, "\(text) is never forwarded")
            } else if !known.contains(text), known.contains(text.uppercased()) {
                refuse(element.location, "methods are case-sensitive", hint: "write `\(text.uppercased())`")
            } else if !text.utf8.allSatisfy(ASCII.isToken) {
                refuse(element.location, "`\(text)` is not a method")
            } else {
                methods.append(text)
            }
        }
        refuseEmptyList(value, "without `methods`, the route is for every method")
        return methods
    }

    private mutating func upgrades(_ value: SettingsValue) -> [String] {
        var upgrades: [String] = []
        for (text, element) in texts(value, expected: "a protocol such as `websocket`") {
            let name = text.lowercased()
            if name == "h2c" {
                refuse(element.location, "an upgrade to HTTP/2 is never forwarded")
            } else if !name.utf8.allSatisfy({ ASCII.isToken($0) || $0 == ASCII.slash }) {
                refuse(element.location, "`\(text)` is not a protocol")
            } else {
                upgrades.append(name)
            }
        }
        return upgrades
    }
}

// MARK: - Conversions

extension ConfigurationReader {
    private mutating func request(_ value: SettingsValue, _ onError: ErrorPolicy) -> RequestRule? {
        let hint = #"write { "profile": "NAME", "direction": "inverse" }"#
        guard let members = members(of: value, as: .request, hint: hint), let plan = reference(members) else {
            return nil
        }
        var rule = RequestRule(plan: plan, onError: onError)
        if let value = members["onError"] { rule.onError = choice(value) ?? rule.onError }
        if let value = members["required"] { rule.isRequired = boolean(value) ?? rule.isRequired }
        if let value = members["buffer"] { rule.isBuffered = boolean(value) ?? rule.isBuffered }
        if let value = members["pass"] { rule.passes = passes(value, hasStatuses: false) }
        if let value = members["patch"] { rule.convertsPatches = boolean(value) ?? rule.convertsPatches }
        if let value = members["query"] { rule.query = query(value) }
        if let value = members["messages"], boolean(value) == true { rule.messages = value.location }
        return rule
    }

    private mutating func response(_ value: SettingsValue, _ onError: ErrorPolicy) -> ResponseRule? {
        let hint = #"write { "profile": "NAME" }"#
        guard let members = members(of: value, as: .response, hint: hint), let plan = reference(members) else {
            return nil
        }
        var rule = ResponseRule(plan: plan, onError: onError)
        if let value = members["status"] {
            rule.status = statuses(value)
            refuseEmptyList(value, "without `status`, 2xx is converted")
        }
        if let value = members["onError"] { rule.onError = choice(value) ?? rule.onError }
        if let value = members["onSkip"] { rule.onSkip = choice(value) }
        if let value = members["noTransform"] { rule.noTransform = choice(value) ?? rule.noTransform }
        if let value = members["pass"] { rule.passes = passes(value, hasStatuses: true) }
        if let value = members["types"] { rule.types = types(value, beside: rule.passes) }
        if let value = members["events"] { rule.events = events(value) }
        if let value = members["fields"] { rule.fields = fields(value) }
        if let value = members["messages"], boolean(value) == true { rule.messages = value.location }
        if let value = members["shadow"] { rule.shadow = shadow(value, beside: plan) }
        return rule
    }

    /// Reads media types and how each is read.
    private mutating func types(_ value: SettingsValue, beside passes: [PassedType]) -> [String: TypeFraming] {
        var types: [String: TypeFraming] = [:]
        for member in namedValues(of: value, hint: #"write { "text/html": "document" }"#) ?? [] {
            guard let type = MediaType(member.name), type.parameters.isEmpty, !member.name.contains(";"),
                type.type != "*", type.subtype != "*", type.essence != "text/event-stream",
                !type.subtype.hasSuffix("json-seq")
            else {
                refuse(
                    member.location, "`\(member.name)` is not a media type that can be read as JSON",
                    hint: "write a type without parameters, such as `text/html`; `events` converts streams of events")
                continue
            }
            if passes.contains(where: { $0.covers(type.essence) }) {
                refuse(member.location, "`pass` names `\(member.name)`, too", hint: "remove it from one of the two")
            }
            if let framing: TypeFraming = choice(member.value) { types[type.essence] = framing }
        }
        return types
    }

    private mutating func shadow(_ value: SettingsValue, beside plan: ProfileReference) -> ShadowRule? {
        let hint = #"write { "profile": "NAME", "sample": 0.01 }"#
        guard let members = members(of: value, as: .shadow, hint: hint), let other = reference(members) else {
            return nil
        }
        if ExactText(other.name) == ExactText(plan.name), other.direction == plan.direction {
            refuse(
                other.location, "`shadow` has the same profile and direction as the route",
                hint: "write the name of the profile that is to replace it")
        }
        var rule = ShadowRule(plan: other)
        if let value = members["sample"] { rule.share = fraction(value) ?? rule.share }
        return rule
    }

    private mutating func fraction(_ value: SettingsValue) -> Double? {
        let wanted = "a number from 0 to 1, such as 0.01 for each hundredth response"
        guard case .number(let digits) = value.content else { return refused(value, expected: wanted) }
        guard let share = Double(digits), (0...1).contains(share) else {
            return refused(value.location, "expected \(wanted), found \(digits)")
        }
        return share
    }

    /// Reads media types. Each is a string or, if `hasStatuses`, an object with `type` and `status`.
    private mutating func passes(_ value: SettingsValue, hasStatuses: Bool) -> [PassedType] {
        var passes: [PassedType] = []
        refuseEmptyList(value, "without `pass`, nothing passes unchanged")
        for element in elements(value) {
            var type: SettingsValue? = element
            var statuses: StatusSet?
            if hasStatuses, case .object = element.content {
                guard let members = members(of: element, as: .pass) else { continue }
                type = required("type", of: members)
                if let value = members["status"] {
                    statuses = self.statuses(value)
                    refuseEmptyList(value, "without `status` the type passes with every status")
                }
            }
            guard let type, let text = text(type, expected: "a media type") else { continue }
            guard var passed = PassedType(text) else {
                refuse(
                    type.location, "`\(text)` is not a media type that may pass",
                    hint: "write a type without parameters such as `text/html`, or `image/*`; JSON is always converted")
                continue
            }
            passed.statuses = statuses
            passes.append(passed)
        }
        return passes
    }

    /// Reads `profile` and `direction`. A reference is recorded even if the rest of its route has an error, so that a
    /// missing profile is reported in the same run.
    private mutating func reference(_ members: Members) -> ProfileReference? {
        let profile = required("profile", of: members)
        let name = profile.flatMap { text($0, expected: "the name of a profile") }
        var reference = ProfileReference(name: name ?? "", location: profile?.location ?? members.location)
        if let value = members["direction"] { reference.direction = choice(value) ?? reference.direction }
        if name != nil { references.append(reference) }
        return reference
    }
}

// MARK: - Routes together

extension ConfigurationReader {
    /// A host and a path that route requests.
    private struct HostPath: Hashable {
        /// Nil means every host.
        let host: HostPattern?
        let match: RoutePrefix

        static func all(of route: RouteConfiguration) -> [HostPath] {
            let hosts: [HostPattern?] = route.hosts.isEmpty ? [nil] : route.hosts
            return hosts.map { HostPath(host: $0, match: route.match) }
        }
    }

    /// Refuses a route that has the same host, path and method as another one.
    ///
    /// - Parameter earlier: the earlier routes at each host and path.
    private mutating func checkOverlap(
        of route: RouteConfiguration, at location: DocumentLocation,
        with others: [(route: RouteConfiguration, location: DocumentLocation)], _ earlier: [HostPath: [Int]]
    ) {
        var found: (other: Int, host: HostPattern?, method: String)?
        for shared in HostPath.all(of: route) {
            for other in earlier[shared] ?? [] {
                if let found, found.other <= other { break }
                guard let method = route.sharedMethod(with: others[other].route) else { continue }
                found = (other, shared.host, method)
                break
            }
        }
        guard let found else { return }
        let host = found.host.map { "`\($0)`" } ?? "every host"
        refuse(
            location, "two routes are for \(found.method) `\(route.match)` on \(host)",
            hint: "the other one is on line \(others[found.other].location.line)")
    }
}
