import ContentCodings
package import ConvertEngine
package import HTTPSemantics

/// Encoders that have finished a body and wait for the next one. A new encoder must clear hundreds of KiB.
///
/// One loop has one pool.
package final class EncoderPool {
    /// An encoder and the bytes that it has written.
    package final class Unit {
        private var encoder: ContentEncoder
        package var output = ByteBuffer()
        /// The counter that includes it while a response is streamed through it.
        fileprivate var counter: MemoryBudget?

        package var coding: ContentCoding { encoder.coding }

        fileprivate init(_ coding: ContentCoding) {
            encoder = ContentEncoder(coding)
        }

        deinit { release() }

        /// Encodes all of `input`. The available result is in `output`.
        package func encode(_ input: Span<UInt8>) { encoder.encode(input, into: &output) }

        /// Does the same with the content of a buffer, and empties it.
        package func encode(taking content: inout ByteBuffer) {
            encode(content.bytes)
            content.removeAll()
        }

        /// Flushes, so that a reader of `output` can decode all of the input so far.
        package func flush() { encoder.flush(into: &output) }

        /// Ends the content.
        package func finish() { encoder.finish(into: &output) }

        fileprivate func hold(in counter: MemoryBudget) {
            counter.add(coding.encoderBytes)
            self.counter = counter
        }

        fileprivate func release() {
            counter?.add(-coding.encoderBytes)
            counter = nil
        }

        fileprivate func reset() {
            encoder.reset()
            output.removeAll()
        }
    }

    /// A unit with a larger output buffer is not kept.
    private static let maxKeptBytes = 256 * 1024

    private var waiting: [ContentCoding: [Unit]] = [:]

    private let heldBytes: MemoryBudget
    private let maxHeldBytes: Int

    /// Encoders of unfinished responses are counted in `heldBytes`.
    package init(_ heldBytes: MemoryBudget = MemoryBudget(), maxHeldBytes: Int = .max) {
        self.heldBytes = heldBytes
        self.maxHeldBytes = maxHeldBytes
    }

    /// How many units wait for each coding: about 2 MiB without their output.
    private static func maxUnits(_ coding: ContentCoding) -> Int { coding == .zstd ? 2 : 8 }

    /// A unit for a new body. `coding` is one of `ContentCoding.applied`.
    package func take(_ coding: ContentCoding) -> Unit { waiting[coding]?.popLast() ?? Unit(coding) }

    /// Whether there is room to stream one more response with a coding. Its encoder stays until the response has ended,
    /// and a slow client may take long.
    package func hasRoom(toStream coding: ContentCoding) -> Bool {
        coding == .identity || heldBytes.count <= maxHeldBytes - coding.encoderBytes
    }

    /// Whether there is room to stream one more response with any coding.
    package var hasRoomToStream: Bool { hasRoom(toStream: .zstd) }

    /// Does the same as `take` for an unfinished response. The unit is counted until it is given back.
    package func takeToStream(_ coding: ContentCoding) -> Unit {
        let unit = take(coding)
        unit.hold(in: heldBytes)
        return unit
    }

    /// Takes a unit back, with a finished or unfinished body.
    package func giveBack(_ unit: Unit) {
        unit.release()
        guard unit.output.capacity <= Self.maxKeptBytes,
            waiting[unit.coding, default: []].count < Self.maxUnits(unit.coding)
        else { return }
        unit.reset()
        waiting[unit.coding, default: []].append(unit)
    }
}
