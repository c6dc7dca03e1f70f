import HTTPSemantics
import HTTPWire
import Text

/// Finds out whether a path that leads to one route may be read by a backend as the path of another route, which withholds something.
///
/// Routes are looked up by every reading of the path, and compared as lenient backends would: by the readings of their own `match`, and
/// whatever the method. Where the file says that a backend ignores case, so does this for that route and those below it.
struct WithheldPlaces: Sendable {
    private let routes: [GatewayRoute]
    /// The routes' own indices, in the order of the tables: those that withhold something come first.
    private let order: [Int]
    private let table: RouteTable
    /// For paths in lower case; nil where no backend ignores case.
    private let foldedTable: RouteTable?
    /// The lenient form of each route's prefix, by the routes' own indices.
    private let prefixes: [RoutePrefix]
    /// Whether the backend ignores case, by the routes' own indices.
    private let ignoresCase: [Bool]
    /// Whether paths have to be looked at that can be read in one way only.
    private let looksAtAll: Bool

    /// Nil where no route withholds anything.
    init?(_ routes: [GatewayRoute]) {
        guard routes.contains(where: \.withholds) else { return nil }
        self.routes = routes
        let prefixes = routes.map(\.configuration.match.lenient)
        self.prefixes = prefixes
        let order = routes.indices.filter { routes[$0].withholds } + routes.indices.filter { !routes[$0].withholds }
        self.order = order
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

    /// Refuses a path of this route that may be read as one of another route, if something would then not be withheld.
    func check(_ path: RequestPath, of route: Int, authority: ArraySlice<UInt8>) throws(RequestPath.Fault) {
        guard looksAtAll || path.isAmbiguous else { return }
        for reading in try path.readings() {
            try check(reading, of: route, authority)
            // To some backends `/users.json` is `/users` in a format; not where the route itself names it so.
            guard let dot = RequestPath.formatSuffix(of: reading), dot >= prefixes[route].bytes.count else { continue }
            try check(Array(reading[..<dot]), of: route, authority)
        }
    }

    private func check(
        _ reading: [UInt8], of route: Int, _ authority: ArraySlice<UInt8>
    ) throws(RequestPath.Fault) {
        if let found = find(reading, in: table, authority), isOther(found, route) { throw .ambiguous }
        guard let foldedTable else { return }
        if let found = find(Self.folded(reading), in: foldedTable, authority), isOther(found, route), ignoresCase[found]
        {
            throw .ambiguous
        }
    }

    /// A path without regard to case. Some letters beyond ASCII are those of ASCII in the other case.
    private static func folded(_ path: [UInt8]) -> [UInt8] {
        Array(String(decoding: path, as: UTF8.self).uppercased().lowercased().utf8)
    }

    private func find(_ reading: [UInt8], in table: RouteTable, _ authority: ArraySlice<UInt8>) -> Int? {
        let path = RequestPath(bytes: reading.isEmpty ? [ASCII.slash] : reading)
        guard case .route(let index) = table.lookUp(authority: authority, path: path, method: .get) else { return nil }
        return order[index]
    }

    /// Whether a route withholds something and is not the one that was found already, nor one beside it for other methods.
    private func isOther(_ found: Int, _ route: Int) -> Bool {
        routes[found].withholds && found != route && prefixes[found] != prefixes[route]
    }
}

extension RoutePrefix {
    /// The prefix as the most lenient backend reads it.
    var lenient: RoutePrefix {
        RoutePrefix(bytes: (try? RequestPath(bytes: bytes).mostLenientReading) ?? bytes)
    }
}
