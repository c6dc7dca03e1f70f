import HTTPSemantics
import Text

/// Which parameters of the query select the fields of responses.
package struct FieldsRule: Sendable, Hashable {
    package enum Syntax: String, Sendable, Hashable, CaseIterable {
        /// `fields=id,items(name)`: paths in the document.
        case paths
        /// `fields[articles]=title`: the fields of resources by their type, as in JSON:API.
        case jsonapi
    }

    package var parameter = "fields"
    package var syntax = Syntax.paths

    package init() {}

    /// Splits a query into the selection and the rest, which is for the upstream. Several parameters together are one
    /// selection. With `paths`, an empty one selects everything.
    ///
    /// - Throws: 400 if the selection cannot be read.
    func split(_ query: ArraySlice<UInt8>) throws(Problem) -> (rest: ArraySlice<UInt8>?, FieldSelection?) {
        var rest: [ArraySlice<UInt8>] = []
        var selected: [(type: [UInt8], names: [UInt8])] = []
        for written in query.split(separator: ASCII.ampersand, omittingEmptySubsequences: false) {
            let equals = written.firstIndex(of: ASCII.equals) ?? written.endIndex
            guard let name = QueryText(decoding: written[..<equals]), let type = type(in: name.bytes) else {
                rest.append(written)
                continue
            }
            // Clients write a space as a plus sign or with an escape, and a plus sign with an escape.
            let spaced = written[equals...].dropFirst().map { $0 == ASCII.plus ? ASCII.space : $0 }
            guard let value = QueryText(decoding: spaced[...]) else {
                throw .badParameter(parameter, "the value is not UTF-8, or has a bad escape")
            }
            selected.append((type, value.bytes))
        }
        return (rest.isEmpty ? nil : Array(rest.joined(separator: [ASCII.ampersand]))[...], try selection(selected))
    }

    /// The type for which a parameter selects fields, empty with `paths`; nil for other parameters.
    private func type(in name: [UInt8]) -> [UInt8]? {
        guard name.starts(with: parameter.utf8) else { return nil }
        let rest = name.dropFirst(parameter.utf8.count)
        switch syntax {
        case .paths: return rest.isEmpty ? [] : nil
        case .jsonapi:
            guard rest.count > 2, rest.first == ASCII.openBracket, rest.last == ASCII.closeBracket else { return nil }
            return Array(rest.dropFirst().dropLast())
        }
    }

    private func selection(_ selected: [(type: [UInt8], names: [UInt8])]) throws(Problem) -> FieldSelection? {
        switch syntax {
        case .paths:
            let texts = selected.map(\.names).filter { !$0.isEmpty }
            guard !texts.isEmpty else { return nil }
            return try FieldSelection(parsing: Array(texts.joined(separator: [ASCII.comma])), of: parameter)
        case .jsonapi:
            return selected.isEmpty ? nil : try FieldSelection(fieldsets: selected, of: parameter)
        }
    }
}
