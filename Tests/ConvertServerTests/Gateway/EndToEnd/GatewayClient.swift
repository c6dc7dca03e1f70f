import TestSupport

@testable import ConvertServer
@testable import Service

/// A client's connection to the gateway that parses responses strictly, as RFC 9112 defines them.
final class GatewayClient {
    /// How the received bytes ended; `silent` if nothing arrived while the client waited.
    enum Ending { case open, closed, reset, silent }

    /// One response, as far as it arrived.
    struct FinalResponse {
        struct Cut: Error { let response: FinalResponse }

        /// The 1xx responses that came before it.
        let informational: [ReceivedResponse]
        let message: ReceivedResponse
        let trailers: [String]
        let isWhole: Bool
        /// `open` if the response's own framing ended it.
        let ending: Ending

        /// The response; throws if it did not arrive completely.
        var whole: ReceivedResponse {
            get throws {
                guard isWhole else { throw Cut(response: self) }
                return message
            }
        }
    }

    struct Nothing: Error { let ending: Ending }

    let raw: RawClient
    private var buffer: [UInt8] = []
    private var ending = Ending.open

    init(_ address: String, receiveBufferBytes: Int32? = nil, from source: String? = nil) throws {
        raw = try RawClient(address, receiveBufferBytes: receiveBufferBytes, from: source)
    }

    func send(_ text: String) throws { try raw.send(text) }

    /// The next final response. Throws `Nothing` if the connection ends before its head.
    func finalResponse(toHead: Bool = false) throws -> FinalResponse {
        var informational: [ReceivedResponse] = []
        while true {
            let head = try self.head()
            if (100..<200).contains(head.status), head.status != 101 {
                informational.append(head)
                continue
            }
            return body(of: head, toHead: toHead, informational)
        }
    }

    /// The next head without its body, 1xx or not, for responses that arrive slowly.
    func head() throws -> ReceivedResponse {
        while true {
            if let end = Self.end(of: "\r\n\r\n", in: buffer) {
                let head = try ReceivedResponse(Array(buffer[..<end]), toHead: true)
                buffer.removeFirst(end)
                return head
            }
            guard more() else { throw Nothing(ending: ending) }
        }
    }

    /// The next `count` bytes, or fewer if the connection ends first.
    func bytes(_ count: Int) -> [UInt8] {
        while buffer.count < count, more() {}
        let taken = Array(buffer.prefix(count))
        buffer.removeFirst(taken.count)
        return taken
    }

    /// All bytes up to the end, and how the connection ended.
    func rest() -> (bytes: [UInt8], ending: Ending) {
        while more() {}
        let taken = buffer
        buffer = []
        return (taken, ending)
    }

    private func body(of head: ReceivedResponse, toHead: Bool, _ informational: [ReceivedResponse]) -> FinalResponse {
        var body: [UInt8] = []
        var trailers: [String] = []
        var isWhole = true
        if toHead || [101, 204, 304].contains(head.status) {
            // No body.
        } else if head["Transfer-Encoding"] == "chunked" {
            (isWhole, trailers) = chunks(into: &body)
        } else if let count = head["Content-Length"].flatMap({ Int($0) }) {
            body = bytes(count)
            isWhole = body.count == count
        } else {
            let (all, end) = rest()
            body = all
            isWhole = end == .closed
        }
        let message = ReceivedResponse(status: head.status, fields: head.fields, body: body)
        return FinalResponse(
            informational: informational, message: message, trailers: trailers, isWhole: isWhole, ending: ending)
    }

    private func chunks(into body: inout [UInt8]) -> (isWhole: Bool, trailers: [String]) {
        while let line = line() {
            guard let count = Int(line, radix: 16) else { return (false, []) }
            if count == 0 {
                var trailers: [String] = []
                while let trailer = self.line() {
                    if trailer.isEmpty { return (true, trailers) }
                    trailers.append(trailer)
                }
                return (false, trailers)
            }
            let data = bytes(count)
            body += data
            guard data.count == count, self.line() == "" else { return (false, []) }
        }
        return (false, [])
    }

    private func line() -> String? {
        while true {
            if let end = Self.end(of: "\r\n", in: buffer) {
                let line = String(decoding: buffer[..<(end - 2)], as: UTF8.self)
                buffer.removeFirst(end)
                return line
            }
            guard more() else { return nil }
        }
    }

    /// Reads once; false at the end.
    private func more() -> Bool {
        guard ending == .open else { return false }
        do {
            let bytes = try raw.receive()
            if bytes.isEmpty { ending = .closed }
            buffer += bytes
        } catch {
            ending = if case RawClient.Failure.silence = error { .silent } else { .reset }
        }
        return ending == .open
    }

    private static func end(of text: String, in bytes: [UInt8]) -> Int? {
        let wanted = Array(text.utf8)
        guard bytes.count >= wanted.count else { return nil }
        return bytes.indices.dropLast(wanted.count - 1).first {
            bytes[$0] == wanted[0] && bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
        }
        .map { $0 + wanted.count }
    }
}
