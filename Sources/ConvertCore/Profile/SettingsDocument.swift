/// A flat JSON object of settings, such as a server's configuration file, read by the same strict parser as profiles.
package struct SettingsDocument: Sendable, Hashable {
    /// One member and the place of its name.
    package struct Member: Sendable, Hashable {
        package let name: String
        /// The texts of a string, number or boolean, or of an array of them; nil for anything else.
        package let texts: [String]?
        /// RFC 6901 JSON Pointer to the member.
        package let pointer: String
        /// Line of the member's value, from 1.
        package let line: Int
        /// Column of the member's value in bytes, from 1.
        package let column: Int
    }

    /// The members in the order of the document.
    package let members: [Member]

    /// Parses a document; throws when it is no JSON, no object, or names a member twice.
    package init(parsing document: [UInt8]) throws(ProfileFault) {
        let tree = try ProfileDocumentParser.parse(document)
        let root = tree[ProfileDocument.root]
        guard root.kind == .object else {
            throw ProfileFault(pointer: "", line: 1, column: 1, message: "expected an object")
        }
        var members: [Member] = []
        for id in root.children {
            guard case .member(let name, _) = tree[id].step else { continue }
            let position = tree.position(of: tree[id].start)
            let member = Member(
                name: String(decoding: name, as: UTF8.self), texts: Self.texts(of: id, in: tree),
                pointer: tree.pointer(to: id), line: position.line, column: position.column)
            guard !members.contains(where: { $0.name == member.name }) else {
                throw ProfileFault(
                    pointer: member.pointer, line: member.line, column: member.column,
                    message: "the member is here for the second time")
            }
            members.append(member)
        }
        self.members = members
    }

    private static func texts(of id: ProfileDocument.NodeID, in tree: ProfileDocument) -> [String]? {
        guard tree[id].kind == .array else { return text(of: id, in: tree).map { [$0] } }
        let texts = tree[id].children.compactMap { text(of: $0, in: tree) }
        return texts.count == tree[id].children.count ? texts : nil
    }

    private static func text(of id: ProfileDocument.NodeID, in tree: ProfileDocument) -> String? {
        switch tree[id].kind {
        case .string(let bytes), .number(let bytes): String(decoding: bytes, as: UTF8.self)
        case .boolean(let isTrue): isTrue ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
