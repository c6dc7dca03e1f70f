import ConvertText

/// The sources of keys that `hash` may use.
public enum HashKeys: Sendable, Hashable {
    /// Keys in the environment and the files of this process.
    case process
    /// No keys: for profiles from requests, since their authors could otherwise find out a key or a file.
    case none
}

/// The replacement that `hash` writes: the beginning of the value's HMAC-SHA-256, as base64url without padding (RFC 4648 section 5).
package struct ValueHash: Sendable, Hashable {
    /// The source of the key.
    package enum Source: Sendable, Hashable {
        case environment(String)
        case file(String)
    }

    package static let maxKeyBytes = 64 * 1024

    package let source: Source
    /// How many bytes of the HMAC are written.
    package var bytes = SHA256.digestBytes
    /// The HMAC with the key; nil until the profile is compiled.
    private(set) var code: HMACSHA256?

    package init(_ source: Source) { self.source = source }

    package static func == (left: ValueHash, right: ValueHash) -> Bool {
        left.source == right.source && left.bytes == right.bytes
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(source)
        hasher.combine(bytes)
    }

    /// The rule with its key.
    package func withKey(_ key: [UInt8]) -> ValueHash {
        var hash = self
        hash.code = HMACSHA256(key: key)
        return hash
    }

    /// The HMAC of no content: it differs from key to key, and does not show the key.
    var keyMark: [UInt8] { code?.finish() ?? [] }

    /// The bytes of a file without a final line break, LF or CRLF; nil if there are none or the file cannot be read.
    package static func key(inFile path: String) -> [UInt8]? {
        guard var bytes = SystemInput.file(path, maxBytes: maxKeyBytes) else { return nil }
        if bytes.last == ASCII.lineFeed {
            bytes.removeLast()
            if bytes.last == ASCII.carriageReturn { bytes.removeLast() }
        }
        return bytes.isEmpty ? nil : bytes
    }

    // MARK: Writing

    /// The limit for the output, in bytes: four for each three bytes of the HMAC.
    static let maxOutputBytes = (SHA256.digestBytes * 4 + 2) / 3

    func write(_ content: Span<UInt8>, into output: inout ByteBuffer) {
        guard var code else { preconditionFailure("a plan has the keys of its rules") }
        code.update(content)
        write(code, into: &output)
    }

    /// Writes the HMAC of content that was read in pieces.
    func write(_ code: HMACSHA256, into output: inout ByteBuffer) {
        let digest = code.finish()
        output.appendBase64(of: digest.span.extracting(first: bytes), isForURLs: true)
    }
}
