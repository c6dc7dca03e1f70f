import Text

enum ResponseWriter {
    enum Connection: Sendable {
        case close, keepAlive
        /// No field is needed, because HTTP/1.1 persists.
        case unsaid
    }

    /// The fields that the connection writes itself.
    struct Framing: Sendable {
        let length: Int?
        let isChunked: Bool
        let connection: Connection
    }

    static func append(_ head: ResponseHead, framing: Framing, date: [UInt8], to output: inout [UInt8]) {
        if head.status == 200 {
            output.append(contentsOf: "HTTP/1.1 200 OK\r\nDate: ".utf8)
        } else {
            appendStatusLine(head.status, to: &output)
            output.append(contentsOf: "Date: ".utf8)
        }
        output.append(contentsOf: date)
        if let length = framing.length {
            output.append(contentsOf: "\r\nContent-Length: ".utf8)
            output.appendDecimal(length)
        }
        if framing.isChunked { output.append(contentsOf: "\r\nTransfer-Encoding: chunked".utf8) }
        switch framing.connection {
        case .close: output.append(contentsOf: "\r\nConnection: close\r\n".utf8)
        case .keepAlive: output.append(contentsOf: "\r\nConnection: keep-alive\r\n".utf8)
        case .unsaid: appendLineEnd(to: &output)
        }
        // Upgrade is for this connection only (RFC 9110 §7.8).
        if head.status == 426, head.fields.count(of: "upgrade") > 0 {
            output.append(contentsOf: "Connection: upgrade\r\n".utf8)
        }
        append(head.fields, to: &output)
        appendLineEnd(to: &output)
    }

    static func append(interim status: Int, _ sections: Fields..., to output: inout [UInt8]) {
        appendStatusLine(status, to: &output)
        for fields in sections { append(fields, to: &output) }
        appendLineEnd(to: &output)
    }

    // status-line = HTTP-version SP status-code SP [ reason-phrase ]
    private static func appendStatusLine(_ status: Int, to output: inout [UInt8]) {
        output.append(contentsOf: "HTTP/1.1 ".utf8)
        output.appendDecimal(status)
        output.append(ASCII.space)
        output.append(contentsOf: ResponseHead.reasonPhrase(for: status).utf8)
        appendLineEnd(to: &output)
    }

    /// Writes field lines without the empty line after them. Their storage has them in the form that is sent.
    static func append(_ fields: Fields, to output: inout [UInt8]) {
        output.append(contentsOf: fields.storage[fields.linesStart..<fields.linesEnd])
    }

    static func appendLineEnd(to output: inout [UInt8]) {
        output.append(ASCII.carriageReturn)
        output.append(ASCII.lineFeed)
    }

    static func appendHex(_ value: Int, to output: inout [UInt8]) {
        precondition(value >= 0)
        var shift = 0
        while value >> shift > 15 { shift += 4 }
        while shift >= 0 {
            output.append(ASCII.upperHexDigit(UInt8(value >> shift & 15)))
            shift -= 4
        }
    }
}
