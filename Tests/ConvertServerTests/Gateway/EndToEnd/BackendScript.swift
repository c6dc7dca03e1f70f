/// The actions of a scripted backend for one request, step by step.
struct BackendScript: ExpressibleByArrayLiteral {
    enum Step {
        case send(String)
        case sendBytes([UInt8])
        case repeats(Int, String)
        /// Waits for this number of milliseconds.
        case sleep(Int)
        /// Waits until the test opens the gate with this name.
        case gate(String)
        /// Reads the request's body at this step instead of before all other steps.
        case body
        /// Sends back all bytes that arrive, until the end.
        case tunnel
        /// Waits until the gateway closes the connection.
        case hang
        case close
        /// Ends the sending side, but continues to read.
        case end
        case reset
    }

    var steps: [Step]

    init(_ steps: [Step]) { self.steps = steps }

    init(arrayLiteral elements: Step...) { self.init(elements) }

    /// A response with a Content-Length; `fields` are sent unchanged.
    static func response(
        _ status: Int = 200, _ body: String = "", type: String? = "application/json", _ fields: String...
    ) -> Self {
        [.send(Self.head(status, type: type, fields + ["Content-Length: \(body.utf8.count)"]) + body)]
    }

    /// The same for a body of bytes that are not text.
    static func response(_ status: Int = 200, bytes: [UInt8], type: String? = "application/json", _ fields: String...)
        -> Self
    {
        [.send(Self.head(status, type: type, fields + ["Content-Length: \(bytes.count)"])), .sendBytes(bytes)]
    }

    /// A head without a body.
    static func bare(_ status: Int, _ fields: String...) -> Self { [.send(head(status, type: nil, fields))] }

    /// A chunked JSON response with one chunk for each piece, `between` before each piece except the first, and the last chunk unless
    /// `isCut`.
    static func chunked(
        _ pieces: [String], type: String = "application/json", _ fields: [String] = [], between: Step? = nil,
        isCut: Bool = false
    ) -> Self {
        var steps: [Step] = [.send(head(200, type: type, fields + ["Transfer-Encoding: chunked"]))]
        for (index, piece) in pieces.enumerated() {
            if let between, index > 0 { steps.append(between) }
            steps.append(.send("\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n"))
        }
        if !isCut { steps.append(.send("0\r\n\r\n")) }
        return Self(steps)
    }

    static func head(_ status: Int, type: String?, _ fields: [String]) -> String {
        let lines = ["HTTP/1.1 \(status) Reason"] + (type.map { ["Content-Type: \($0)"] } ?? []) + fields
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    static func + (left: Self, right: Self) -> Self { Self(left.steps + right.steps) }

    /// The script in the format of the backend's control port, which `gateway_backend.py` describes.
    func command(listener: Int, path: String) -> [UInt8] {
        var text = Array("script \(listener) \(path) \(steps.count)\n".utf8)
        for step in steps {
            switch step {
            case .send(let piece): text += Array("send \(piece.utf8.count)\n\(piece)".utf8)
            case .sendBytes(let bytes): text += Array("send \(bytes.count)\n".utf8) + bytes
            case .repeats(let count, let piece): text += Array("repeat \(count) \(piece.utf8.count)\n\(piece)".utf8)
            case .sleep(let milliseconds): text += Array("sleep \(milliseconds)\n".utf8)
            case .gate(let name): text += Array("gate \(name)\n".utf8)
            case .body: text += Array("body\n".utf8)
            case .tunnel: text += Array("tunnel\n".utf8)
            case .hang: text += Array("hang\n".utf8)
            case .close: text += Array("close\n".utf8)
            case .end: text += Array("end\n".utf8)
            case .reset: text += Array("reset\n".utf8)
            }
        }
        return text
    }
}
