import ConvertCore

/// Deflaters that have finished a content and wait for the next: making one means to clear 256 KiB.
///
/// One loop has one pool.
final class DeflaterPool {
    /// A deflater and the bytes that it has written.
    final class Unit {
        private var deflater: Deflater
        var output = ByteBuffer()

        var coding: ContentCoding { deflater.coding }

        fileprivate init(_ coding: ContentCoding) {
            deflater = Deflater(coding)
        }

        /// Takes all of `input`; what comes out of it now is in `output`.
        func encode(_ input: Span<UInt8>) { deflater.encode(input, into: &output) }

        /// Makes `output` end where a reader can decode all of the input so far.
        func flush() { deflater.flush(into: &output) }

        /// Ends the content.
        func finish() { deflater.finish(into: &output) }

        fileprivate func reset() {
            deflater.reset()
            output.removeAll()
        }
    }

    /// For each coding: 2 MiB.
    private static let maxUnits = 8
    /// A unit whose output has outgrown this is not kept.
    private static let maxKeptBytes = 256 * 1024

    private var waiting: [ContentCoding: [Unit]] = [:]

    /// A unit for a content that has not begun; `coding` is not `identity`.
    func take(_ coding: ContentCoding) -> Unit { waiting[coding]?.popLast() ?? Unit(coding) }

    /// Takes a unit back, whether its content was finished or not.
    func giveBack(_ unit: Unit) {
        guard unit.output.capacity <= Self.maxKeptBytes, waiting[unit.coding, default: []].count < Self.maxUnits
        else { return }
        unit.reset()
        waiting[unit.coding, default: []].append(unit)
    }
}
