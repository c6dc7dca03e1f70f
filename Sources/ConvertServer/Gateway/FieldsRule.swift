package import HTTPSemantics
import Text

/// Which parameter of the query selects the fields of responses.
package struct FieldsRule: Sendable, Hashable {
    package var parameter: String

    package init(parameter: String = "fields") { self.parameter = parameter }

    /// Splits a query into the selection and the rest, which is for the upstream. Several parameters together are one
    /// selection. An empty one selects everything.
    ///
    /// - Throws: 400 if the selection cannot be read.
    package func split(_ query: ArraySlice<UInt8>) throws(Problem) -> (rest: ArraySlice<UInt8>?, FieldSelection?) {
        let name = Array(parameter.utf8)
        var rest: [ArraySlice<UInt8>] = []
        var texts: [[UInt8]] = []
        for written in query.split(separator: ASCII.ampersand, omittingEmptySubsequences: false) {
            let equals = written.firstIndex(of: ASCII.equals) ?? written.endIndex
            guard QueryText(decoding: written[..<equals])?.bytes == name else {
                rest.append(written)
                continue
            }
            guard let value = QueryText(decoding: written[equals...].dropFirst()) else {
                throw .badParameter(parameter, "the value is not UTF-8, or has a bad escape")
            }
            if !value.bytes.isEmpty { texts.append(value.bytes) }
        }
        let selection =
            texts.isEmpty
            ? nil : try FieldSelection(parsing: Array(texts.joined(separator: [ASCII.comma])), of: parameter)
        return (rest.isEmpty ? nil : Array(rest.joined(separator: [ASCII.ampersand]))[...], selection)
    }
}
