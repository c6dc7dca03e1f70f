/// Whose keys `hash` may use.
public enum HashKeys: Sendable, Hashable {
    /// Those in the environment and the files of this process.
    case process
    /// None: for profiles of strangers, who could find out by them what a key or a file is.
    case none
}

/// What `hash` writes instead of a value: the beginning of its HMAC-SHA-256 in base64url without padding (RFC 4648 section 5).
struct ValueHash: Sendable, Hashable {
    /// Where the key is.
    enum Source: Sendable, Hashable {
        case environment(String)
        case file(String)
    }

    static let maxKeyBytes = 64 * 1024

    let source: Source
    /// How many bytes of the code are written.
    var bytes = SHA256.digestBytes
    /// Nil until the profile is compiled.
    private(set) var code: HMACSHA256?

    init(_ source: Source) { self.source = source }

    static func == (left: ValueHash, right: ValueHash) -> Bool {
        left.source == right.source && left.bytes == right.bytes
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(source)
        hasher.combine(bytes)
    }

    /// The rule with its key.
    ///
    /// Throws why there is none.
    func withKey(_ keys: HashKeys, at place: ProfilePlace) throws(ProfileError) -> ValueHash {
        let fault: ProfileFault
        switch (keys, source) {
        case (.none, _):
            fault = ProfileFault(
                at: place, "`hash` needs a key, which a profile in a request cannot have",
                hint: "put the profile into the server's profile directory")
        case (.process, .environment(let name)):
            if let key = SystemInput.variable(name), !key.isEmpty { return withKey(key) }
            fault = ProfileFault(
                at: place, "there is no key: the environment variable \(name) is not set",
                hint: "set \(name) to the key")
        case (.process, .file(let path)):
            if let key = Self.read(path) { return withKey(key) }
            fault = ProfileFault(
                at: place,
                "there is no key: \(path) cannot be read, is empty, or has more than \(Self.maxKeyBytes) bytes",
                hint: "write the key into the file")
        }
        throw ProfileError(faults: [fault])
    }

    private func withKey(_ key: [UInt8]) -> ValueHash {
        var hash = self
        hash.code = HMACSHA256(key: key)
        return hash
    }

    /// The bytes of a file without a final line feed; nil if there are none.
    private static func read(_ path: String) -> [UInt8]? {
        guard var bytes = SystemInput.file(path, maxBytes: maxKeyBytes) else { return nil }
        if bytes.last == ASCII.lineFeed { bytes.removeLast() }
        return bytes.isEmpty ? nil : bytes
    }

    // MARK: Writing

    /// The most bytes that are written: four for each three of the code.
    static let maxOutputBytes = (SHA256.digestBytes * 4 + 2) / 3

    func write(_ content: Span<UInt8>, into output: inout ByteBuffer) {
        guard var code else { preconditionFailure("a plan has the keys of its rules") }
        code.update(content)
        write(code, into: &output)
    }

    /// Writes what came of content that was fed in pieces.
    func write(_ code: HMACSHA256, into output: inout ByteBuffer) {
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for byte in code.finish().prefix(bytes) {
            (bits, count) = (bits << 8 | UInt32(byte), count + 8)
            while count >= 6 {
                count -= 6
                output.append(Self.digit(bits >> count & 63))
            }
        }
        if count > 0 { output.append(Self.digit(bits << (6 - count) & 63)) }
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: value)
        return switch value {
        case 0..<26: ASCII.upperA + value
        case 26..<52: ASCII.a + value - 26
        case 52..<62: ASCII.zero + value - 52
        case 62: ASCII.minus
        default: ASCII.underscore
        }
    }
}

// MARK: - Reading

extension ProfileReader {
    mutating func readHash(_ members: Members, in rule: NodeID) -> ValueHash? {
        guard let node = members["key"] else {
            if !members.hasRefused {
                refuse(rule, "`hash` needs a `key`", hint: "write \"key\": {\"env\": \"NAME\"} or {\"file\": \"path\"}")
            }
            return nil
        }
        guard let source = readKeySource(node) else { return nil }
        var hash = ValueHash(source)
        if let node = members["bytes"] { hash.bytes = integer(node, in: 8...SHA256.digestBytes) ?? SHA256.digestBytes }
        return hash
    }

    private mutating func readKeySource(_ id: NodeID) -> ValueHash.Source? {
        guard let members = members(of: id, as: .hashKey) else { return nil }
        let expected = "a name, a string that is not empty"
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
            guard let path = text(node, expected: "a path, a string that is not empty") else { return nil }
            guard isFit(path) else {
                refuse(node, expected: "a path, a string that is not empty")
                return nil
            }
            return .file(path)
        default:
            if !members.hasRefused { refuse(id, "a key has `env` or `file`", hint: "write {\"env\": \"NAME\"}") }
            return nil
        }
    }
}
