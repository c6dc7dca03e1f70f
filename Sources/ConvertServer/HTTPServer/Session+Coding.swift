import ContentCodings
import ConvertEngine
import HTTPSemantics
import HTTPWire
import Sockets
import Text

// MARK: - The coding of a request's body

extension Session {
    /// Continues with a compressed slice that waited for room.
    func continueDecoding(at now: MonotonicTime) {
        guard !isBlocked, let rest = coded else { return }
        coded = nil
        decode(rest.span, at: now)
    }

    /// Decodes a slice portion by portion, until it is used up, the write buffer is full or the turn is over.
    func decode(_ bytes: Span<UInt8>, at now: MonotonicTime) {
        var position = 0
        // The buffer is moved out of the services while the converter uses it.
        var portion = ByteBuffer(capacity: 0)
        swap(&portion, &context.decoded)
        defer { swap(&portion, &context.decoded) }
        do throws(CodingError) {
            // An error ends the request and its inflater.
            while let progress = try inflater?.decode(bytes, at: &position, maxBytes: sliceBytes, into: &portion) {
                if !portion.isEmpty { deliver(portion.bytes, at: now) }
                portion.removeAll()
                guard progress == .needsRoom else { return }
                guard !isBlocked, !hasUnconverted, !isTurnOver(now) else {
                    if inflater != nil { coded = Array(span: bytes.extracting(position..<bytes.count)) }
                    return
                }
            }
        } catch {
            portion.removeAll()
            if stage == .forwarding { failForwarding(Problem(error), at: now) } else { fail(Problem(error), at: now) }
        }
    }

    /// Throws if the compressed body is incomplete.
    func finishDecoding() throws(Problem) {
        do throws(CodingError) {
            try inflater?.finish()
        } catch {
            throw Problem(error)
        }
    }
}
