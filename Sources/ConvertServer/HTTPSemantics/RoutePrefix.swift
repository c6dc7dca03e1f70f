import Text

/// A case-sensitive prefix of whole path segments.
///
/// A final slash does not count: `/api/` and `/api` are the same prefix, and so are `/a%2f` and `/a%2F`. Everything else
/// is compared byte by byte.
package struct RoutePrefix: Sendable, Hashable {
    /// In the form for comparisons: from its first slash, without a final one, with the digits of escapes in upper
    /// case. Empty for the root.
    package let bytes: [UInt8]
    private let hasEscapes: Bool

    /// The prefix of every path.
    package static let root = RoutePrefix(bytes: [])

    package init(bytes: [UInt8]) {
        self.bytes = bytes
        hasEscapes = bytes.contains(ASCII.percent)
    }

    /// Reads a path. Throws the error, in words that follow the path in a sentence.
    package init(parsing text: String) throws(PrefixError) {
        guard text.hasPrefix("/") else { throw PrefixError(message: "does not begin with a slash") }
        if text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
            throw PrefixError(message: "contains a query or a fragment, which routes ignore")
        }
        let escaped = Self.escaped(text)
        let path: RequestPath
        do throws(RequestPath.PathError) {
            path = try RequestPath(escaped[...])
        } catch {
            throw PrefixError(message: error.message)
        }
        let bytes = path.bytes.last == ASCII.slash ? path.bytes.dropLast() : path.bytes[...]
        self.init(bytes: RequestPath.withUppercaseEscapes(bytes))
    }

    package struct PrefixError: Error {
        package let message: String
    }

    /// Whether `path` is this prefix or is below it.
    package func covers(_ path: RequestPath) -> Bool { isPrefix(of: path.bytes) }

    /// Whether everything below `other` is below this prefix too.
    package func covers(_ other: RoutePrefix) -> Bool { isPrefix(of: other.bytes) }

    private func isPrefix(of path: [UInt8]) -> Bool {
        guard path.count >= bytes.count else { return false }
        guard path.count == bytes.count || path[bytes.count] == ASCII.slash else { return false }
        if path.starts(with: bytes) { return true }
        guard hasEscapes else { return false }
        return RequestPath.withUppercaseEscapes(path[..<bytes.count]) == bytes
    }

    /// Escapes characters that a path may not contain, such as letters that are not ASCII.
    private static func escaped(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte > ASCII.space && byte < ASCII.delete {
                bytes.append(byte)
            } else {
                bytes += ASCII.escape(of: byte)
            }
        }
        return bytes
    }
}

extension RoutePrefix: CustomStringConvertible {
    package var description: String { bytes.isEmpty ? "/" : String(decoding: bytes, as: UTF8.self) }
}
