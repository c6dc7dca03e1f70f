import HTTPWire

/// Finds the route of a request by host, path and method.
///
/// A fitting `hosts` entry beats none, an exact one a wildcard, a longer wildcard a shorter; then the longest `match` wins,
/// whatever the order of the file, and only then methods are looked at.
struct RouteTable: Sendable {
    /// What a request meets.
    enum Result: Sendable, Hashable {
        /// An index into the routes.
        case route(Int)
        /// The routes at this place are for other methods; the value of Allow.
        case notAllowed(String)
        case none
    }

    /// One `hosts` entry of one route, or the lack of any.
    private struct Entry: Sendable {
        let host: HostPattern?
        let route: Int

        func closeness(to host: String) -> Int? { self.host.map { $0.closeness(to: host) } ?? 0 }
    }

    private let routes: [RouteConfiguration]
    private let entries: [Entry]
    private let hasHosts: Bool

    init(_ routes: [RouteConfiguration]) {
        self.routes = routes
        hasHosts = routes.contains { !$0.hosts.isEmpty }
        entries = routes.indices.flatMap { index in
            let hosts = routes[index].hosts
            return hosts.isEmpty ? [Entry(host: nil, route: index)] : hosts.map { Entry(host: $0, route: index) }
        }
    }

    /// Looks up a request.
    ///
    /// - Parameter authority: the host that is asked, perhaps with a port; empty when there is none.
    func lookUp(authority: ArraySlice<UInt8>, path: RequestPath, method: RequestMethod) -> Result {
        let host = hasHosts ? Self.host(of: authority) : ""
        var best: (closeness: Int, length: Int) = (-1, -1)
        var fitting: [Int] = []
        for entry in entries {
            guard let closeness = entry.closeness(to: host), routes[entry.route].match.covers(path) else { continue }
            let length = routes[entry.route].match.bytes.count
            if (closeness, length) > best {
                best = (closeness, length)
                fitting = [entry.route]
            } else if (closeness, length) == best, fitting.last != entry.route {
                fitting.append(entry.route)
            }
        }
        guard !fitting.isEmpty else { return .none }
        if let route = fitting.first(where: { routes[$0].allows(method) }) { return .route(route) }
        // Whatever the lists say, OPTIONS asks the upstream.
        if method == .options { return .route(fitting[0]) }
        return .notAllowed(allow(fitting))
    }

    private func allow(_ fitting: [Int]) -> String {
        let known = RequestMethod.known.filter { $0 != .connect && $0 != .trace }.map(\.name)
        var names: [String] = []
        for route in fitting {
            for name in routes[route].methods ?? known {
                if !names.contains(name) { names.append(name) }
                if name == RequestMethod.get.name, !names.contains(RequestMethod.head.name) {
                    names.append(RequestMethod.head.name)
                }
            }
        }
        if !names.contains(RequestMethod.options.name) { names.append(RequestMethod.options.name) }
        return names.joined(separator: ", ")
    }

    /// The host as patterns have it, without its port and without the dot that ends a complete name.
    private static func host(of authority: ArraySlice<UInt8>) -> String {
        let name =
            authority.first == ASCII.openBracket
            ? authority.prefix { $0 != ASCII.closeBracket } + [ASCII.closeBracket]
            : authority.prefix { $0 != ASCII.colon }
        let host = name.last == ASCII.dot ? name.dropLast() : name
        return HostPattern.normalized(String(decoding: host.map(ASCII.lowercased), as: UTF8.self))
    }
}

extension RouteConfiguration {
    /// Whether the route is for this method: GET implies HEAD.
    func allows(_ method: RequestMethod) -> Bool {
        guard let methods else { return method != .connect && method != .trace }
        return methods.contains(method.name) || (method == .head && methods.contains(RequestMethod.get.name))
    }

    /// A method that both routes would serve, nil when there is none.
    func sharedMethod(with other: RouteConfiguration) -> String? {
        switch (methods, other.methods) {
        case (nil, nil): return RequestMethod.get.name
        case (let some?, nil), (nil, let some?): return some.first
        case (let own?, let others?):
            let implied = Set(others + (others.contains(RequestMethod.get.name) ? [RequestMethod.head.name] : []))
            let all = own + (own.contains(RequestMethod.get.name) ? [RequestMethod.head.name] : [])
            return all.first(where: implied.contains)
        }
    }
}
