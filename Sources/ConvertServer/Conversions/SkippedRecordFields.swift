package import ConvertEngine
package import HTTPSemantics

/// Reports bad records to clients: in fields if the response is sent at its end, otherwise in trailers.
extension SkippedRecords {
    private static let totalName = "Convert-Skipped-Records"
    private static let codesName = "Convert-Skipped-Codes"
    package static let fieldNames = [totalName, codesName]

    /// The field that announces the trailers.
    package static let trailer = Problem.Field(name: "Trailer", value: fieldNames.joined(separator: ", "))

    /// Their number, and a list of the codes with the number of each (RFC 9651), if there are any.
    package var fields: [Problem.Field] {
        let total = Problem.Field(name: Self.totalName, value: "\(self.total)")
        guard !codes.isEmpty else { return [total] }
        let list = codes.map { "\($0.rawValue);n=\(self[$0])" }.sorted().joined(separator: ", ")
        return [total, Problem.Field(name: Self.codesName, value: list)]
    }
}
