import ConvertEngine

/// A JSON document of settings, such as a server's configuration file, read by the same strict parser as profiles.
package enum SettingsDocument {
    /// Parses a document; throws if it is not JSON. The caller decides whether a key may occur twice.
    package static func parse(_ document: [UInt8]) throws(ProfileFault) -> SettingsValue {
        let tree = try JSONDocumentParser.parse(document)
        // Children are after their parents, so a walk from the end meets every child before its parent.
        var values: [SettingsValue?] = Array(repeating: nil, count: tree.nodes.count)
        for index in tree.nodes.indices.reversed() {
            let id = JSONDocument.NodeID(index: index)
            let content = content(of: tree[id], in: tree, values)
            values[index] = SettingsValue(
                content: content, location: DocumentLocation(of: id, at: tree[id].start, in: tree),
                noun: tree[id].kind.noun)
        }
        guard let root = values.first, let root else { preconditionFailure("a parsed document has a root") }
        return root
    }

    private static func content(
        of node: JSONDocument.Node, in tree: JSONDocument, _ values: [SettingsValue?]
    ) -> SettingsValue.Content {
        switch node.kind {
        case .null: .null
        case .boolean(let isTrue): .boolean(isTrue)
        case .number(let digits): .number(String(decoding: digits, as: UTF8.self))
        case .string(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        case .array: .list(node.children.compactMap { values[$0.index] })
        case .object:
            .object(
                node.children.compactMap { child in
                    guard case .member(let name, let nameOffset) = tree[child].step, let value = values[child.index]
                    else { return nil }
                    return SettingsValue.Member(
                        name: String(decoding: name, as: UTF8.self),
                        location: DocumentLocation(of: child, at: nameOffset, in: tree), value: value)
                })
        }
    }
}

/// A value of a settings document and its position.
package struct SettingsValue: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        case null
        case boolean(Bool)
        /// The number's source text.
        case number(String)
        case text(String)
        case list([SettingsValue])
        /// In the order of the document.
        case object([Member])
    }

    package struct Member: Sendable, Hashable {
        package let name: String
        /// The position of the key.
        package let location: DocumentLocation
        package let value: SettingsValue
    }

    package let content: Content
    package let location: DocumentLocation
    /// The type of the value, or a null or boolean itself, for a message.
    package let noun: String
}
