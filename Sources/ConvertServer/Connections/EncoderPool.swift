import ContentCodings
import ConvertCore
import HTTPSemantics

/// Encoders that have finished a content and wait for the next: making one means to clear hundreds of KiB.
///
/// One loop has one pool.
final class EncoderPool {
    /// An encoder and the bytes that it has written.
    final class Unit {
        private var encoder: ContentEncoder
        var output = ByteBuffer()
        /// Where it is counted while an answer is streamed through it.
        fileprivate var counter: HeldBytes?

        var coding: ContentCoding { encoder.coding }

        fileprivate init(_ coding: ContentCoding) {
            encoder = ContentEncoder(coding)
        }

        deinit { release() }

        /// Takes all of `input`; what comes out of it now is in `output`.
        func encode(_ input: Span<UInt8>) { encoder.encode(input, into: &output) }

        /// Makes `output` end where a reader can decode all of the input so far.
        func flush() { encoder.flush(into: &output) }

        /// Ends the content.
        func finish() { encoder.finish(into: &output) }

        fileprivate func hold(in counter: HeldBytes) {
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

    /// A unit whose output has outgrown this is not kept.
    private static let maxKeptBytes = 256 * 1024

    private var waiting: [ContentCoding: [Unit]] = [:]

    private let heldBytes: HeldBytes
    private let maxHeldBytes: Int

    /// Counts in `heldBytes` the encoders of answers that are not complete.
    init(_ heldBytes: HeldBytes = HeldBytes(), maxHeldBytes: Int = .max) {
        self.heldBytes = heldBytes
        self.maxHeldBytes = maxHeldBytes
    }

    /// How many wait for each coding: about 2 MiB, output apart.
    private static func maxUnits(_ coding: ContentCoding) -> Int { coding == .zstd ? 2 : 8 }

    /// A unit for a content that has not begun; `coding` is one of `ContentCoding.applied`.
    func take(_ coding: ContentCoding) -> Unit { waiting[coding]?.popLast() ?? Unit(coding) }

    /// Whether there is room to stream one more answer with a coding: its encoder stays until the answer has ended, which may take
    /// as long as the client likes.
    func hasRoom(toStream coding: ContentCoding) -> Bool {
        coding == .identity || heldBytes.count <= maxHeldBytes - coding.encoderBytes
    }

    /// Whether there is room to stream one more answer, whatever its coding.
    var hasRoomToStream: Bool { hasRoom(toStream: .zstd) }

    /// As `take`, for an answer that is not complete, and counted until it is given back.
    func takeToStream(_ coding: ContentCoding) -> Unit {
        let unit = take(coding)
        unit.hold(in: heldBytes)
        return unit
    }

    /// Takes a unit back, whether its content was finished or not.
    func giveBack(_ unit: Unit) {
        unit.release()
        guard unit.output.capacity <= Self.maxKeptBytes,
            waiting[unit.coding, default: []].count < Self.maxUnits(unit.coding)
        else { return }
        unit.reset()
        waiting[unit.coding, default: []].append(unit)
    }
}
