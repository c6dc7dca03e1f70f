@testable import HTTPSemantics

/// One response, parsed as RFC 9112 defines it; the body stays compressed.
package struct ReceivedResponse {
    package struct Malformed: Error { let why: String }

    package let status: Int
    package let fields: [(name: String, value: String)]
    package let body: [UInt8]

    package init(status: Int, fields: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Reads the one response in `bytes`; throws if it is cut off or if bytes follow it.
    package init(_ bytes: [UInt8], toHead: Bool = false) throws {
        guard let end = Self.firstIndex(of: "\r\n\r\n", in: bytes[...]) else { throw Malformed(why: "no head") }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n").map(String.init)
        guard let status = HTTPText.status(lines[0] + " ") else { throw Malformed(why: "no status") }
        self.status = status
        fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts.count == 2 ? String(parts[1].drop { $0 == " " }) : "")
        }
        let rest = bytes[(end + 4)...]
        let values = Dictionary(fields, uniquingKeysWith: { $1 })
        if toHead {
            body = Array(rest)
        } else if values["transfer-encoding"] == "chunked" {
            body = try Self.unchunk(rest)
        } else {
            guard values["content-length"].flatMap({ Int($0) }) == rest.count else {
                throw Malformed(why: "a body of \(rest.count) bytes")
            }
            body = Array(rest)
        }
    }

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The values of all fields of this name, in order.
    package func values(_ name: String) -> [String] { fields.filter { $0.name == name.lowercased() }.map(\.value) }

    package subscript(name: String) -> String? { fields.first { $0.name == name.lowercased() }?.value }

    /// The body, decompressed by decoders of other projects.
    package func content() throws -> [UInt8] {
        guard let name = self["Content-Encoding"] else { return body }
        guard let coding = ContentCoding(name: name.utf8[...]), coding.name == name, coding != .identity else {
            throw Malformed(why: "coded by \(name)")
        }
        return try PythonCoding.decode(body, coding)
    }

    /// The content of the chunks that have arrived; with `toEnd` the last chunk must be among them.
    package static func unchunk(_ bytes: ArraySlice<UInt8>, toEnd: Bool = true) throws -> [UInt8] {
        var rest = bytes
        var body: [UInt8] = []
        while let end = firstIndex(of: "\r\n", in: rest) {
            guard let count = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16) else {
                throw Malformed(why: "a chunk's size")
            }
            rest = rest[(end + 2)...]
            if count == 0 {
                guard rest.elementsEqual("\r\n".utf8) else { throw Malformed(why: "bytes after the last chunk") }
                return body
            }
            guard rest.count >= count + 2 else { break }
            body += rest.prefix(count)
            rest = rest.dropFirst(count + 2)
        }
        if toEnd { throw Malformed(why: "no last chunk") }
        return body
    }

    private static func firstIndex(of text: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let wanted = Array(text.utf8)
        return bytes.indices.dropLast(wanted.count - 1).first { bytes[$0..<($0 + wanted.count)].elementsEqual(wanted) }
    }
}
