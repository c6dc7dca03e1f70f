import ConvertEngine
import HTTPSemantics
import Text

/// Replaces the names of keys in the links of Link fields (RFC 8288) by those that clients use in queries.
struct LinkNames: Sendable {
    /// From the client's names to the upstream's.
    private let queries: QueryNames
    /// Back from the upstream's names to the client's.
    private let links: QueryNames
    /// The route's paths, and those of other routes below it.
    private let match: RoutePrefix
    private let others: [RoutePrefix]

    /// - Parameters:
    ///   - rule: the rule for queries.
    ///   - plan: the opposite of the plan for queries.
    ///   - others: the paths of other routes, whose links do not change.
    init(_ queries: QueryNames, _ rule: QueryRule, back plan: Plan, _ match: RoutePrefix, others: [RoutePrefix]) {
        self.queries = queries
        self.match = match
        self.others = others.filter { match.covers($0) && $0 != match }
        links = QueryNames(
            queries.upstreamRule(of: rule), plan: plan, withholdsRequests: false, withholdingResponses: nil)
    }

    /// The value of a Link field for the client.
    ///
    /// - Parameter locations: how a link to the upstream is made one to the gateway.
    func rewrite(_ value: ArraySlice<UInt8>, _ locations: LocationRewriting) -> [UInt8] {
        var output: [UInt8] = []
        var rest = value
        while let start = Self.startOfLink(rest), let end = rest[start...].firstIndex(of: ASCII.greaterThan) {
            output += rest[...start]
            output += rewritten(locations.rewrite(rest[(start + 1)..<end]))
            rest = rest[end...]
        }
        return output + rest
    }

    /// A link without names of the upstream, if it leads to the route.
    private func rewritten(_ link: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let mark = link.firstIndex(of: ASCII.questionMark), isOfRoute(link[..<mark]) else { return link }
        let end = link[mark...].firstIndex(of: ASCII.numberSign) ?? link.endIndex
        let parameters = link[(mark + 1)..<end].split(separator: ASCII.ampersand, omittingEmptySubsequences: false)
        return link[...mark] + parameters.map(restored).joined(separator: [ASCII.ampersand]) + link[end...]
    }

    /// Whether a path leads to the route. An empty one leads to the resource itself.
    private func isOfRoute(_ written: ArraySlice<UInt8>) -> Bool {
        guard !written.isEmpty else { return true }
        guard written.first == ASCII.slash, written.dropFirst().first != ASCII.slash,
            let path = try? RequestPath(written)
        else { return false }
        return match.covers(path) && !others.contains { $0.covers(path) }
    }

    /// The parameter with the client's names, if these lead back to the same bytes.
    private func restored(_ parameter: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let restored = try? links.converted(parameter), let same = try? queries.converted(restored),
            same == parameter
        else { return parameter }
        return restored
    }

    /// The first `<` that is not in a quoted string.
    private static func startOfLink(_ value: ArraySlice<UInt8>) -> Int? {
        var isQuoted = false
        var index = value.startIndex
        while index < value.endIndex {
            switch value[index] {
            case ASCII.quote: isQuoted.toggle()
            case ASCII.backslash where isQuoted: index += 1
            case ASCII.lessThan where !isQuoted: return index
            default: break
            }
            index += 1
        }
        return nil
    }
}
