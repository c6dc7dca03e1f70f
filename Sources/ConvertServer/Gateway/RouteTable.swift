package import HTTPSemantics
package import HTTPWire
import Text

/// Finds the route of a request by host, path and method.
///
/// A fitting `hosts` entry wins over none, an exact one over a wildcard, a longer wildcard over a shorter one. Then the
/// longest `match` wins, whatever the order of the file. Methods are compared last.
package struct RouteTable: Sendable {
    package enum Match: Sendable, Hashable {
        /// An index into the routes.
        case route(Int)
        /// The matching routes are for other methods: the first of them, and the value of Allow.
        case notAllowed(Int, String)
        case none
    }

    private let routes: [RouteConfiguration]
    /// The routes for one host, by its name.
    private let exact: [String: PrefixIndex]
    /// The routes for all hosts that end in a name, which begins with a dot.
    private let wildcards: [String: PrefixIndex]
    /// The lengths of these names in bytes, the longest first.
    private let wildcardLengths: [Int]
    /// The routes for every host.
    private let others: PrefixIndex

    package init(_ routes: [RouteConfiguration]) {
        self.routes = routes
        var exact: [String: [(prefix: RoutePrefix, route: Int)]] = [:]
        var wildcards: [String: [(prefix: RoutePrefix, route: Int)]] = [:]
        var others: [(prefix: RoutePrefix, route: Int)] = []
        for (index, route) in routes.enumerated() {
            if route.hosts.isEmpty { others.append((route.match, index)) }
            for host in route.hosts {
                if host.isWildcard {
                    wildcards[host.name, default: []].append((route.match, index))
                } else {
                    exact[host.name, default: []].append((route.match, index))
                }
            }
        }
        self.exact = exact.mapValues(PrefixIndex.init)
        self.wildcards = wildcards.mapValues(PrefixIndex.init)
        self.others = PrefixIndex(others)
        wildcardLengths = Set(wildcards.keys.map(\.utf8.count)).sorted(by: >)
    }

    /// Looks up a request.
    ///
    /// - Parameter authority: the requested host, perhaps with a port; empty if there is none.
    package func lookUp(authority: ArraySlice<UInt8>, path: RequestPath, method: RequestMethod) -> Match {
        let fitting = fittingRoutes(authority, path)
        guard !fitting.isEmpty else { return .none }
        if let route = fitting.first(where: { routes[$0].allows(method) }) { return .route(route) }
        // OPTIONS always goes to the upstream, whatever `methods` lists.
        if method == .options { return .route(fitting.first { routes[$0].response != nil } ?? fitting[0]) }
        return .notAllowed(fitting[0], allow(fitting))
    }

    /// The value of Allow for a path: the methods of all matching routes.
    package func allowed(authority: ArraySlice<UInt8>, path: RequestPath) -> String {
        allow(fittingRoutes(authority, path))
    }

    /// The best matching routes, in the order of the file. They differ in their methods.
    private func fittingRoutes(_ authority: ArraySlice<UInt8>, _ path: RequestPath) -> [Int] {
        guard !exact.isEmpty || !wildcards.isEmpty else { return others.routes(for: path) }
        let host = Self.host(of: authority)
        if let fitting = exact[host]?.routes(for: path), !fitting.isEmpty { return fitting }
        let bytes = host.utf8
        for length in wildcardLengths where length < bytes.count {
            let end = bytes.suffix(length)
            guard end.first == ASCII.dot, let index = wildcards[String(Substring(end))] else { continue }
            let fitting = index.routes(for: path)
            if !fitting.isEmpty { return fitting }
        }
        return others.routes(for: path)
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

    /// The host in the form of the patterns: without its port, and without the dot at the end of a complete name.
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
    package func allows(_ method: RequestMethod) -> Bool {
        guard let methods else { return method != .connect && method != .trace }
        return methods.contains(method.name) || (method == .head && methods.contains(RequestMethod.get.name))
    }

    /// A method that both routes accept; nil if there is none.
    package func sharedMethod(with other: RouteConfiguration) -> String? {
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
