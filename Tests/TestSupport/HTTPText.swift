package import HTTPWire

/// Requests and responses as text.
package enum HTTPText {
    package static func post(
        _ path: String, _ body: String, type: String? = "application/json", fields: [String] = [], isLast: Bool = false
    ) -> String {
        var lines = ["POST \(path) HTTP/1.1", "Host: x", "Content-Length: \(body.utf8.count)"] + fields
        if let type { lines.append("Content-Type: \(type)") }
        if isLast { lines.append("Connection: close") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    /// The text of a request, with Host and Content-Length unless `fields` contain them.
    package static func message(_ line: String, _ fields: [String] = [], body: String? = nil, isLast: Bool = false)
        -> String
    {
        let names = fields.map { $0.lowercased().prefix { $0 != ":" } }
        var lines = [line.hasSuffix("HTTP/1.0") ? line : "\(line) HTTP/1.1"]
        if !names.contains("host") { lines.append("Host: shop.example") }
        if let body, !names.contains("content-length"), !names.contains("transfer-encoding") {
            lines.append("Content-Length: \(body.utf8.count)")
        }
        if isLast, !names.contains("connection") { lines.append("Connection: close") }
        return (lines + fields).joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }

    /// Fields from `Name: value` lines.
    package static func fields(_ text: String) -> Fields {
        var fields = Fields()
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields.append(String(parts[0]), parts.count == 2 ? String(parts[1].trimmingPrefix(" ")) : "")
        }
        return fields
    }

    /// The body of one response, without its chunk framing; nil if it is not complete.
    package static func body(_ response: String) -> String? {
        guard let end = response.firstRange(of: "\r\n\r\n") else { return nil }
        var rest = response[end.upperBound...]
        guard response[..<end.lowerBound].contains("Transfer-Encoding: chunked") else { return String(rest) }
        var body = ""
        while let line = rest.firstRange(of: "\r\n"), let count = Int(rest[..<line.lowerBound], radix: 16) {
            if count == 0 { return body }
            rest = rest[line.upperBound...]
            body += String(decoding: rest.utf8.prefix(count), as: UTF8.self)
            rest = Substring(String(decoding: rest.utf8.dropFirst(count), as: UTF8.self).dropFirst(1))
        }
        return nil
    }

    package static func status(_ response: String) -> Int? {
        response.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) }
    }

    /// The value of a field of the first response.
    package static func field(_ name: String, _ response: String) -> String? {
        let head = response.firstRange(of: "\r\n\r\n").map { response[..<$0.lowerBound] } ?? response[...]
        for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix(name.lowercased() + ":") {
            return line.dropFirst(name.count + 1).drop { $0 == " " }.description
        }
        return nil
    }
}
