import ConvertEngine
import ConvertText

// MARK: - The members of `mask` and `hash`

extension ProfileReader {
    private static let keptScalars = 0...1000

    mutating func readMask(_ members: Members) -> ValueMask {
        var mask = ValueMask()
        if let node = members["text"], let text = text(node, expected: "a string") { mask.text = Array(text.utf8) }
        if let node = members["keep"] { mask.ends = readEnds(node) }
        guard let node = members["char"], let text = text(node, expected: "one character") else {
            return mask
        }
        if members["keep"] == nil {
            refuse(locationOfKey(node), "`char` works only with `keep`", hint: "write `text`, or add `keep`")
        } else if text.unicodeScalars.count != 1 {
            refuse(node, "`char` must be one character", hint: "write \"*\" or \"•\"")
        } else {
            mask.cover = Array(text.utf8)
        }
        return mask
    }

    private mutating func readEnds(_ id: NodeID) -> ValueMask.Ends? {
        guard let members = members(of: id, as: .maskKeep) else { return nil }
        var ends = ValueMask.Ends()
        if let node = members["first"] { ends.first = integer(node, in: Self.keptScalars) ?? 0 }
        if let node = members["last"] { ends.last = integer(node, in: Self.keptScalars) ?? 0 }
        return ends
    }
}

extension ProfileReader {
    mutating func readHash(_ members: Members, in rule: NodeID) -> ValueHash? {
        let hint = "write \"key\": {\"env\": \"NAME\"} or {\"file\": \"path\"}"
        guard let node = required("key", of: rule, members, "`hash` needs a `key`", hint: hint),
            let source = readKeySource(node)
        else { return nil }
        var hash = ValueHash(source)
        if let node = members["bytes"] { hash.bytes = integer(node, in: 8...SHA256.digestBytes) ?? SHA256.digestBytes }
        return hash
    }

    private mutating func readKeySource(_ id: NodeID) -> ValueHash.Source? {
        guard let members = members(of: id, as: .hashKey) else { return nil }
        let expected = "a name that is not empty"
        func isFit(_ text: String) -> Bool { !text.isEmpty && !text.utf8.contains(0) }
        switch (members["env"], members["file"]) {
        case (let node?, nil):
            guard let name = text(node, expected: expected) else { return nil }
            guard isFit(name), !name.utf8.contains(ASCII.equals) else {
                refuse(node, expected: expected)
                return nil
            }
            return .environment(name)
        case (nil, let node?):
            guard let path = text(node, expected: "a path that is not empty") else { return nil }
            guard isFit(path) else {
                refuse(node, expected: "a path that is not empty")
                return nil
            }
            return .file(path)
        default:
            if !members.hasRefused { refuse(id, "a key has `env` or `file`", hint: "write {\"env\": \"NAME\"}") }
            return nil
        }
    }
}

extension ValueHash {
    /// The rule with its key, read from the environment or a file.
    ///
    /// - Throws: the reason if there is no key.
    func withKey(_ keys: HashKeys, at location: DocumentLocation) throws(ProfileError) -> ValueHash {
        switch (keys, source) {
        case (.none, _):
            throw ProfileError(
                at: location, "`hash` needs a key, which a profile in a request cannot have",
                hint: "put the profile into the server's profile directory")
        case (.process, .environment(let name)):
            if let key = SystemInput.variable(name), !key.isEmpty { return withKey(key) }
            throw ProfileError(
                at: location, "there is no key: the environment variable \(name) is not set",
                hint: "set \(name) to the key")
        case (.process, .file(let path)):
            if let key = Self.key(inFile: path) { return withKey(key) }
            throw ProfileError(
                at: location,
                "there is no key: \(path) cannot be read, is empty, or has more than \(Self.maxKeyBytes) bytes",
                hint: "write the key into the file")
        }
    }
}
