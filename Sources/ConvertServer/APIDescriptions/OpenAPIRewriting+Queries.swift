import ConvertEngine

/// Parameters of queries, whose names and values may name keys.
extension OpenAPIRewriting {
    func parameters(_ id: NodeID) throws(DescriptionError) -> DescriptionTree {
        guard query != nil, source[id].kind == .array else { return try rewriter.copy(id) }
        return .array(try source.elements(of: id).map(parameter))
    }

    func parameter(_ id: NodeID) throws(DescriptionError) -> DescriptionTree {
        guard let query, source.string(source.member("in", of: id)) == Array("query".utf8),
            let name = source.string(source.member("name", of: id))
        else { return try rewriter.copy(id) }
        return try source.map(id) { key, value throws(DescriptionError) in
            switch key {
            case "name": .string(query.name(name))
            case "schema": try schema(value, of: name, query)
            case "example": try values(value, of: name, query)
            case "examples":
                try source.map(value) { _, example throws(DescriptionError) in
                    try source.map(example) { key, value throws(DescriptionError) in
                        key == "value" ? try values(value, of: name, query) : try rewriter.copy(value)
                    }
                }
            default: try rewriter.copy(value)
            }
        }
    }

    private func schema(
        _ id: NodeID, of name: [UInt8], _ query: DescribedQuery
    ) throws(DescriptionError) -> DescriptionTree {
        guard source.isObject(id), source.member("$ref", of: id) == nil else { return try rewriter.copy(id) }
        return try source.map(id) { key, value throws(DescriptionError) in
            switch key {
            case "enum", "const", "default", "example", "examples": try values(value, of: name, query)
            case "items": try schema(value, of: name, query)
            case "anyOf", "oneOf", "allOf":
                .array(
                    try source.elements(of: value).map { element throws(DescriptionError) in
                        try schema(element, of: name, query)
                    })
            default: try rewriter.copy(value)
            }
        }
    }

    /// A value of a parameter, or an array of values.
    private func values(
        _ id: NodeID, of name: [UInt8], _ query: DescribedQuery
    ) throws(DescriptionError) -> DescriptionTree {
        switch source[id].kind {
        case .string(let text): return .string(query.value(name, text))
        case .array:
            return .array(
                try source.elements(of: id).map { element throws(DescriptionError) in
                    try values(element, of: name, query)
                })
        default: return .text(source.text(id))
        }
    }
}
