@testable import ConvertServer
@testable import Text

/// The requests in the bytes of one connection, as the strictest backend reads them: bytes that RFC 9112 lets a recipient read in more
/// than one way are an error.
struct StrictRequests {
    struct Request {
        let line: String
        let fields: [(name: String, value: String)]
        let body: [UInt8]
    }

    struct Ambiguous: Error {
        let why: String
        let offset: Int
    }

    private(set) var requests: [Request] = []
    /// Whether the bytes end within a request.
    private(set) var isTorn = false
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        while position < bytes.count {
            guard let request = try request() else {
                isTorn = true
                return
            }
            requests.append(request)
        }
    }

    private mutating func request() throws -> Request? {
        guard let line = try line() else { return nil }
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2] == "HTTP/1.1", !words[0].isEmpty, !words[1].isEmpty else {
            throw ambiguity("request line \(line)")
        }
        var fields: [(name: String, value: String)] = []
        while let field = try self.line() {
            if field.isEmpty { return try body(line, fields) }
            guard let colon = field.firstIndex(of: ":"), field.first != " ", field.first != "\t" else {
                throw ambiguity("field \(field)")
            }
            let name = field[..<colon]
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isToken) else { throw ambiguity("name \(name)") }
            let value = field[field.index(after: colon)...].trimmingPrefix(" ")
            guard value.utf8.allSatisfy({ $0 == ASCII.tab || ($0 >= ASCII.space && $0 != ASCII.delete) }) else {
                throw ambiguity("value of \(name)")
            }
            fields.append((name.lowercased(), String(value)))
        }
        return nil
    }

    private mutating func body(_ line: String, _ fields: [(name: String, value: String)]) throws -> Request? {
        let lengths = fields.filter { $0.name == "content-length" }.map(\.value)
        let codings = fields.filter { $0.name == "transfer-encoding" }.map(\.value)
        guard fields.count(where: { $0.name == "host" }) == 1 else { throw ambiguity("Host") }
        guard lengths.count + codings.count <= 1 else { throw ambiguity("framing by \(lengths) and \(codings)") }
        if let coding = codings.first {
            guard coding == "chunked" else { throw ambiguity("coding \(coding)") }
            return try chunks().map { Request(line: line, fields: fields, body: $0) }
        }
        guard let length = lengths.first else { return Request(line: line, fields: fields, body: []) }
        guard length.allSatisfy(\.isNumber), let count = Int(length) else { throw ambiguity("length \(length)") }
        return take(count).map { Request(line: line, fields: fields, body: $0) }
    }

    private mutating func chunks() throws -> [UInt8]? {
        var body: [UInt8] = []
        while let size = try line() {
            guard !size.isEmpty, size.allSatisfy(\.isHexDigit), let count = Int(size, radix: 16) else {
                throw ambiguity("chunk size \(size)")
            }
            if count == 0 {
                guard let end = try line() else { return nil }
                guard end.isEmpty else { throw ambiguity("trailer \(end)") }
                return body
            }
            guard let data = take(count), let end = try line() else { return nil }
            guard end.isEmpty else { throw ambiguity("chunk's end") }
            body += data
        }
        return nil
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        guard bytes.count - position >= count else { return nil }
        defer { position += count }
        return Array(bytes[position..<(position + count)])
    }

    /// The bytes up to the next CRLF; they must not contain another CR, LF or NUL.
    private mutating func line() throws -> String? {
        guard let end = bytes[position...].firstIndex(of: ASCII.lineFeed) else { return nil }
        let line = bytes[position..<end]
        guard line.last == ASCII.carriageReturn,
            !line.dropLast().contains(where: { $0 == ASCII.carriageReturn || $0 == ASCII.null })
        else { throw ambiguity("a line's end") }
        position = end + 1
        return String(decoding: line.dropLast(), as: UTF8.self)
    }

    private func ambiguity(_ why: String) -> Ambiguous { Ambiguous(why: why, offset: position) }

    private static func isToken(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || (ASCII.lowercased(byte) >= ASCII.a && ASCII.lowercased(byte) <= UInt8(ascii: "z"))
            || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
