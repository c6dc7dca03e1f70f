import HTTPSemantics
import HTTPWire
import Text

/// Checks whether a backend may read the path of one route as the path of another route, which withholds data.
///
/// It looks up the routes for every reading of the path. Like a lenient backend, it also uses the readings of each
/// `match`, and ignores the method. With `caseSensitive: false`, it ignores case for that route and those below it.
struct WithheldPaths: Sendable {
    private let routes: [GatewayRoute]
    /// The routes' own indices, in the order of the tables: routes that withhold data come first.
    private let order: [Int]
    private let table: RouteTable
    /// For paths in lower case; nil if no backend ignores case.
    private let foldedTable: RouteTable?
    /// The lenient form of each route's prefix, by the routes' own indices.
    private let prefixes: [RoutePrefix]
    /// Whether the backend ignores case, by the routes' own indices.
    private let ignoresCase: [Bool]
    /// The longest path that can be the `match` of a route that withholds data. Longer beginnings of a path, which may be
    /// thousands, need no lookup. In lower case, a character takes a third of its bytes or more.
    private let maxCutBytes: Int
    /// Whether paths with only one reading must also be checked.
    private let looksAtAll: Bool

    /// Nil if no route withholds data.
    init?(_ routes: [GatewayRoute]) {
        guard routes.contains(where: \.withholds) else { return nil }
        self.routes = routes
        let prefixes = routes.map(\.configuration.match.lenient)
        self.prefixes = prefixes
        let order = routes.indices.filter { routes[$0].withholds } + routes.indices.filter { !routes[$0].withholds }
        self.order = order
        maxCutBytes = 3 * (order.lazy.filter { routes[$0].withholds }.map { prefixes[$0].bytes.count }.max() ?? 0)
        let lenient = order.map { index in
            var route = routes[index].configuration
            route.match = prefixes[index]
            route.methods = nil
            return route
        }
        table = RouteTable(lenient)
        let folded = prefixes.map { RoutePrefix(bytes: Self.folded($0.bytes)) }
        let insensitive = routes.indices.filter { routes[$0].configuration.ignoresCase != nil }
        ignoresCase = folded.map { prefix in insensitive.contains { folded[$0].covers(prefix) } }
        foldedTable =
            insensitive.isEmpty
            ? nil
            : RouteTable(
                zip(order, lenient).map { index, route in
                    var route = route
                    route.match = folded[index]
                    return route
                })
        looksAtAll =
            !insensitive.isEmpty
            || routes.contains { $0.withholds && $0.configuration.match != $0.configuration.match.lenient }
    }

    /// Refuses a path of this route that may be read as one of another route, if that would bypass its withholding.
    func check(_ path: RequestPath, of route: Int, authority: ArraySlice<UInt8>) throws(RequestPath.PathError) {
        guard looksAtAll || path.isAmbiguous else { return }
        for reading in try path.readings() {
            try check(reading, of: route, authority)
            // Some backends read `/users.json` and `/users.json.gz` as `/users` with a format. This does not apply to a
            // suffix that is in the route's own `match`.
            var rest = reading[...]
            while let dot = RequestPath.formatSuffix(of: rest), dot >= prefixes[route].bytes.count {
                rest = rest[..<dot]
                if dot <= maxCutBytes { try check(Array(rest), of: route, authority) }
            }
        }
    }

    private func check(
        _ reading: [UInt8], of route: Int, _ authority: ArraySlice<UInt8>
    ) throws(RequestPath.PathError) {
        if let found = find(reading, in: table, authority), isOther(found, route) { throw .ambiguous }
        guard let foldedTable else { return }
        if let found = find(Self.folded(reading), in: foldedTable, authority), isOther(found, route), ignoresCase[found]
        {
            throw .ambiguous
        }
    }

    /// The path in lower case. Some letters beyond ASCII become ASCII letters.
    private static func folded(_ path: [UInt8]) -> [UInt8] {
        Array(String(decoding: path, as: UTF8.self).uppercased().lowercased().utf8)
    }

    private func find(_ reading: [UInt8], in table: RouteTable, _ authority: ArraySlice<UInt8>) -> Int? {
        let path = RequestPath(bytes: reading.isEmpty ? [ASCII.slash] : reading)
        guard case .route(let index) = table.lookUp(authority: authority, path: path, method: .get) else { return nil }
        return order[index]
    }

    /// Whether a route withholds data and is neither the route that was found nor one with the same match for other
    /// methods.
    private func isOther(_ found: Int, _ route: Int) -> Bool {
        routes[found].withholds && found != route && prefixes[found] != prefixes[route]
    }
}

extension RoutePrefix {
    /// The prefix in the reading of the most lenient backend.
    var lenient: RoutePrefix {
        RoutePrefix(bytes: (try? RequestPath(bytes: bytes).mostLenientReading) ?? bytes)
    }
}
