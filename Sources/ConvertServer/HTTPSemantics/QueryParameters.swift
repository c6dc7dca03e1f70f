package import HTTPWire
import Text

/// A request's query, where every parameter must be known, readable and given once.
package struct QueryParameters: Sendable {
    private var values: [String: String] = [:]

    /// `hint` says what to write instead if the request has no parameters.
    package init(
        _ target: RequestTarget, known: [String], hint: String = "this path has no parameters"
    ) throws(Problem) {
        guard let parameters = target.queryParameters() else {
            throw Problem(400, "the query cannot be decoded", code: "query")
        }
        for parameter in parameters {
            guard known.contains(parameter.name) else {
                let hint = known.isEmpty ? hint : "valid: \(known.joined(separator: ", "))"
                throw .badParameter(parameter.name, "unknown parameter", hint: hint)
            }
            guard values.updateValue(parameter.value, forKey: parameter.name) == nil else {
                throw .badParameter(parameter.name, "this parameter occurs twice")
            }
        }
    }

    package subscript(name: String) -> String? { values[name] }

    /// The value of a parameter that has a list of choices.
    package func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Value.Type
    ) throws(Problem) -> Value? {
        guard let value = values[name] else { return nil }
        guard let choice = Value(exactly: value) else {
            let choices = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badParameter(name, "not a valid value of \(name)", hint: "one of \(choices)")
        }
        return choice
    }

    /// The value of a parameter that is a whole number, written in digits only.
    package func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let value = values[name] else { return nil }
        guard value.utf8.allSatisfy(ASCII.isDigit), let number = Int(value), range.contains(number) else {
            throw .badParameter(
                name, "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
