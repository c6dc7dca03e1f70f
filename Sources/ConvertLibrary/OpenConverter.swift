import ConvertEngine

/// A converter, and the output that its caller has not read.
final class OpenConverter {
    private let converter: PayloadConverter
    private var output = UnreadOutput()
    private var holdsError = false

    init(_ converter: PayloadConverter) { self.converter = converter }

    var skippedRecords: Int { converter.skippedRecords }

    /// Returns how many bytes of output can be read; below zero, how many an error has, which takes their place.
    func convert(_ chunk: Span<UInt8>, isLast: Bool) -> Int {
        if holdsError { discardOutput() }
        do throws(ConversionError) {
            try converter.convert(chunk, isLast: isLast, into: &output.buffer)
            if isLast { converter.reset() }
            return output.count
        } catch {
            reset()
            output.buffer.append(ErrorText(error).json.bytes)
            holdsError = true
            return -output.count
        }
    }

    /// Moves output into a buffer. Returns how many bytes.
    func read(into target: UnsafeMutablePointer<UInt8>?, capacity: Int) -> Int {
        guard let target = unsafe target else { return 0 }
        return unsafe output.read(into: target, capacity: capacity)
    }

    func reset() {
        converter.reset()
        discardOutput()
    }

    private func discardOutput() {
        output.discard()
        holdsError = false
    }
}

private struct UnreadOutput: ~Copyable {
    /// Larger storage is not kept.
    private static let maxKeptBytes = 4 << 20

    var buffer = ByteBuffer()
    /// How many bytes of the buffer were read.
    private var start = 0

    var count: Int { buffer.count - start }

    mutating func read(into target: UnsafeMutablePointer<UInt8>, capacity: Int) -> Int {
        let count = min(capacity, count)
        unsafe buffer.bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe target.update(from: base + start, count: count)
        }
        start += count
        if start == buffer.count { discard() }
        return count
    }

    mutating func discard() {
        if buffer.capacity > Self.maxKeptBytes { buffer = ByteBuffer() } else { buffer.removeAll() }
        start = 0
    }
}
