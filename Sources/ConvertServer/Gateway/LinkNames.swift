import ConvertEngine
import HTTPSemantics
import Text

/// Replaces the names of keys in the links of Link fields (RFC 8288) by those that clients use in queries.
package struct LinkNames: Sendable {
    /// From the client's names to the upstream's.
    private let queries: QueryNames
    /// Back from the upstream's names to the client's.
    private let links: QueryNames

    /// - Parameters:
    ///   - rule: the rule for queries.
    ///   - plan: the opposite of the plan for queries.
    init(_ queries: QueryNames, _ rule: QueryRule, back plan: Plan) {
        self.queries = queries
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

    /// A link without names of the upstream, if it leads to the gateway.
    private func rewritten(_ link: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isPath = link.first == ASCII.slash && link.dropFirst().first != ASCII.slash
        guard isPath || link.first == ASCII.questionMark, let mark = link.firstIndex(of: ASCII.questionMark) else {
            return link
        }
        let end = link[mark...].firstIndex(of: ASCII.numberSign) ?? link.endIndex
        let parameters = link[(mark + 1)..<end].split(separator: ASCII.ampersand, omittingEmptySubsequences: false)
        return link[...mark] + parameters.map(restored).joined(separator: [ASCII.ampersand]) + link[end...]
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
