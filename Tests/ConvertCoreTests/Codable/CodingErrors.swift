extension DecodingError {
    enum Kind {
        case typeMismatch, valueNotFound, keyNotFound, dataCorrupted, unknown
    }

    var kind: Kind { parts.kind }

    /// The context of an error of this kind; nil for any other.
    func context(of kind: Kind) -> Context? { parts.kind == kind ? parts.context : nil }

    /// The kind and the coding path, with the type or key that the error names.
    var summary: String {
        let name: Any =
            switch self {
            case .typeMismatch(let type, _), .valueNotFound(let type, _): type
            case .keyNotFound(let key, _): key.stringValue
            default: ""
            }
        return "\(kind) \(name) \(parts.context.codingPath.summary)"
    }

    var parts: (kind: Kind, context: Context) {
        switch self {
        case .typeMismatch(_, let context): (.typeMismatch, context)
        case .valueNotFound(_, let context): (.valueNotFound, context)
        case .keyNotFound(_, let context): (.keyNotFound, context)
        case .dataCorrupted(let context): (.dataCorrupted, context)
        @unknown default: (.unknown, Context(codingPath: [], debugDescription: ""))
        }
    }
}

extension EncodingError {
    var context: Context? { if case .invalidValue(_, let context) = self { context } else { nil } }
}

extension [any CodingKey] {
    /// The keys with their numbers.
    var summary: String { map { "\($0.stringValue)(\($0.intValue.map(String.init) ?? "-"))" }.joined(separator: ".") }
}
