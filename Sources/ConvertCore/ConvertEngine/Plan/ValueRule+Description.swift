/// A description of the values that a rule takes and writes, for schemas.
package struct ValueDescription: Sendable {
    /// Kinds of JSON values.
    package struct Kinds: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let null = Kinds(rawValue: 1)
        package static let boolean = Kinds(rawValue: 2)
        package static let integer = Kinds(rawValue: 4)
        /// Numbers that are not integers.
        package static let fraction = Kinds(rawValue: 8)
        package static let string = Kinds(rawValue: 16)
        package static let array = Kinds(rawValue: 32)
        package static let object = Kinds(rawValue: 64)

        package static let number: Kinds = [.integer, .fraction]
        package static let scalar: Kinds = [.boolean, .number, .string]
        package static let any: Kinds = [.null, .scalar, .array, .object]
    }

    /// The values that the rule writes.
    package enum Output: Sendable {
        /// Strings, with the `format` that JSON Schema has for them, if any.
        case string(format: String?)
        case integer, number, boolean
        /// Any JSON value.
        case any
        /// Each value of the table: its text as the content of a string or as a number or boolean, and the JSON text
        /// that replaces it.
        case table([(text: [UInt8], isString: Bool?, json: [UInt8])])
        /// Values of the same kind as before; strings may change.
        case sameKind
    }

    /// The kinds that the rule accepts, beside null, which stays.
    package let accepted: Kinds
    /// The kinds that the rule never refuses, whatever the value.
    package let neverRefused: Kinds
    /// The kinds whose values always stay unchanged.
    package let unchanged: Kinds
    package let output: Output
}

extension ValueRule {
    /// The values that the rule takes and writes.
    package var description: ValueDescription {
        switch action {
        case .date(let shared): return shared.rule.description
        case .conversion(let conversion): return conversion.description
        }
    }

    /// Whether the rule reads dates of the form of this one; nil if it is not a rule for dates, or if a pattern may read some of them.
    package func readsDates(like date: String) -> Bool? {
        guard case .date(let shared) = action, !shared.rule.readsPatterns else { return nil }
        let content = Array(date.utf8)
        var output = ByteBuffer()
        if case .bad = shared.rule.rewrite(string: content.span, into: &output) { return false }
        return true
    }
}

extension DateRule {
    fileprivate var description: ValueDescription {
        let kinds: ValueDescription.Kinds = isScan || !readsNumbers ? .string : [.string, .number]
        return ValueDescription(accepted: kinds, neverRefused: isScan ? .string : [], unchanged: [], output: output)
    }

    /// Whether the rule reads numbers. It always reads strings.
    private var readsNumbers: Bool { from.contains { $0 == .auto || $0.writesNumber } }

    fileprivate var readsPatterns: Bool { from.contains { if case .pattern = $0 { true } else { false } } }

    /// The values that the rule writes.
    private var output: ValueDescription.Output {
        switch to {
        case .rfc3339: .string(format: "date-time")
        case .date: .string(format: "date")
        case .appleSeconds: .number
        default: to.writesNumber ? .integer : .string(format: nil)
        }
    }
}

extension ValueConversion {
    fileprivate var description: ValueDescription {
        func description(
            _ accepted: ValueDescription.Kinds, _ output: ValueDescription.Output,
            neverRefused: ValueDescription.Kinds = [], unchanged: ValueDescription.Kinds = []
        ) -> ValueDescription {
            ValueDescription(
                accepted: accepted, neverRefused: neverRefused.union(unchanged), unchanged: unchanged, output: output)
        }
        switch self {
        case .string: return description(.scalar, .string(format: nil), neverRefused: .scalar, unchanged: .string)
        case .number: return description([.string, .number], .number, unchanged: .number)
        case .integer: return description([.string, .number], .integer, neverRefused: .integer, unchanged: .integer)
        case .boolean: return description(.scalar, .boolean, unchanged: .boolean)
        case .uuid: return description(.string, .string(format: "uuid"))
        case .url(let base): return description(.string, .string(format: base.isEmpty ? "uri" : "uri-reference"))
        case .absoluteURL:
            return description(.scalar, .sameKind, neverRefused: .scalar, unchanged: [.boolean, .number])
        case .json: return description(.string, .any)
        case .text: return description(.any, .string(format: nil), neverRefused: .any)
        case .table(let table):
            let rows = table.rows.map { (text: $0.key, isString: Bool?.none, json: $0.target.json) }
            return description(.scalar, .table(rows))
        case .reverseTable(let table):
            return description(.scalar, .table(table.rows.map { $0.reversed }))
        case .mask: return description(.any, .string(format: nil), neverRefused: .any)
        case .hash: return description(.scalar, .string(format: nil), neverRefused: .scalar)
        case .names: return description(.string, .sameKind, neverRefused: .string)
        }
    }
}

extension ValueTable.Row {
    fileprivate var reversed: (text: [UInt8], isString: Bool?, json: [UInt8]) {
        let json = ValueTable.isToken(key) ? key : ValueTable.Target.string(key).json
        switch target {
        case .string(let content): return (text: content, isString: true, json: json)
        case .token(let token): return (text: token, isString: false, json: json)
        }
    }
}

extension ValueTable.Target {
    fileprivate var json: [UInt8] {
        switch self {
        case .token(let token): token
        case .string(let content): JSONText.quoted(content)
        }
    }
}
