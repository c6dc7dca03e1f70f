package import ConvertEngine
package import Sockets
import Text

// Unsent bytes are in this order: `lead`, `body`, `trail`. Headers and small bodies are copied together into the lead.
// A large body is taken over without a copy. Bytes after it go piece by piece into the trail, and so do bytes that are
// longer than a piece. When lead and body are sent, the first piece of the trail becomes the lead. So sent bytes are
// released soon, and nothing is moved to make room. `sent` counts from the front of the lead. It never exceeds lead,
// body and the first piece of the trail together.

/// Bytes that wait to be sent on one connection, in order.
///
/// It is an object around the queue, so that the count is a stored number of its own, and private. It is read many times
/// in each event. Every read of the queue, or of a number that other targets can see, would need an exclusivity check.
package final class WriteBuffer {
    private var queue = WriteQueue()
    /// Bytes that are not sent yet.
    package var count: Int { unsent }
    private var unsent = 0

    package init() {}

    package var isEmpty: Bool { unsent == 0 }

    /// Bytes of memory of the queue, including sent bytes that are not released yet.
    package var storedBytes: Int { queue.storedBytes }

    package func append(_ bytes: Span<UInt8>) {
        queue.append(bytes)
        unsent = queue.count
    }

    /// Lets `append` write the next bytes, as the wire does.
    package func write<Result>(_ append: (inout [UInt8]) -> Result) -> Result {
        defer { unsent = queue.count }
        return queue.write(append)
    }

    /// Takes the bytes of `buffer`, which is empty afterwards. A large buffer is not copied.
    package func take(_ buffer: inout ByteBuffer) {
        queue.take(&buffer)
        unsent = queue.count
    }

    /// Sends as much as the socket accepts. `bytes` has the number.
    package func send(on socket: borrowing StreamSocket) -> StreamSocket.Transfer {
        defer { unsent = queue.count }
        return queue.send(on: socket)
    }

    /// Discards the waiting bytes.
    package func removeAll() {
        queue = WriteQueue()
        unsent = 0
    }
}

private struct WriteQueue: ~Copyable {
    /// Bodies that are shorter than this are copied behind their heads.
    private static let minTakenBytes = 16 * 1024
    /// The most storage that an empty write buffer keeps.
    private static let maxKeptBytes = 4 * 1024
    /// The size of a full piece, after which another one begins.
    private static let pieceBytes = 64 * 1024
    /// Room for the end of a part of a body.
    private static let lineBytes = 16

    private var lead: [UInt8] = []
    private var body = ByteBuffer()
    /// Without empty pieces.
    private var trail: [[UInt8]] = []
    private var trailBytes = 0
    private var sent = 0

    var count: Int { lead.count + body.count + trailBytes - sent }
    var isEmpty: Bool { count == 0 }
    var storedBytes: Int { lead.capacity + body.capacity + trailBytes }

    mutating func append(_ bytes: Span<UInt8>) {
        write { piece in
            // Otherwise the line at the end of a long part would make the piece grow to twice its size.
            if bytes.count >= Self.minTakenBytes {
                piece.reserveCapacity(piece.count + bytes.count + Self.lineBytes)
            }
            piece.append(span: bytes)
        }
    }

    mutating func write<Result>(_ append: (inout [UInt8]) -> Result) -> Result {
        if trail.isEmpty, body.isEmpty, lead.count < Self.pieceBytes { return append(&lead) }
        var piece: [UInt8] = []
        if let last = trail.indices.last, trail[last].count < Self.pieceBytes {
            swap(&piece, &trail[last])
            trail.removeLast()
            trailBytes -= piece.count
        }
        defer {
            trailBytes += piece.count
            if !piece.isEmpty { trail.append(piece) }
        }
        return append(&piece)
    }

    mutating func take(_ buffer: inout ByteBuffer) {
        if buffer.count < Self.minTakenBytes || !body.isEmpty || !trail.isEmpty {
            append(buffer.bytes)
            buffer.removeAll()
        } else {
            swap(&body, &buffer)
        }
    }

    mutating func send(on socket: borrowing StreamSocket) -> StreamSocket.Transfer {
        var total = 0
        while !isEmpty {
            let transfer = write(to: socket)
            guard case .bytes(let count) = transfer else {
                // Report the accepted bytes first. The next call reports the failure again.
                return total > 0 ? .bytes(total) : transfer
            }
            total += count
            advance(count)
        }
        return .bytes(total)
    }

    private borrowing func write(to socket: borrowing StreamSocket) -> StreamSocket.Transfer {
        let next = trail.first ?? []
        let leadSent = min(sent, lead.count)
        let bodySent = min(sent - leadSent, body.count)
        return socket.write(
            lead.span.extracting(leadSent..<lead.count), body.bytes.extracting(bodySent..<body.count), next.span)
    }

    private mutating func advance(_ count: Int) {
        sent += count
        while sent >= lead.count + body.count, !trail.isEmpty {
            sent -= lead.count + body.count
            lead = trail.removeFirst()
            trailBytes -= lead.count
            body = ByteBuffer()
        }
        guard isEmpty else { return }
        lead = lead.capacity > Self.maxKeptBytes ? [] : lead
        lead.removeAll(keepingCapacity: true)
        if body.capacity > Self.minTakenBytes { body = ByteBuffer() }
        body.removeAll()
        sent = 0
    }
}
