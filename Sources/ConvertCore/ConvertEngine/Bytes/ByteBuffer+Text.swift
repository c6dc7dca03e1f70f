import ConvertText

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(CWasm)
    import CWasm
#endif

/// Conversions between bytes and `String`, without an intermediate copy.
extension ByteBuffer {
    /// The UTF-8 text from `start` to before `end`.
    @inline(__always)
    package func string(from start: Int, to end: Int) -> String {
        precondition(start >= 0 && start <= end && end <= count)
        return unsafe String(decoding: UnsafeBufferPointer(start: base + start, count: end &- start), as: UTF8.self)
    }

    /// Whether the bytes from `start` to before `end` are those of `text`.
    @inline(__always)
    package func holds(_ text: String, from start: Int, to end: Int) -> Bool {
        precondition(start >= 0 && start <= end && end <= count)
        let length = end &- start
        let utf8 = text.utf8
        guard utf8.count == length else { return false }
        let isEqual = unsafe utf8.withContiguousStorageIfAvailable { bytes in
            guard let first = bytes.baseAddress else { return true }
            return unsafe memcmp(base + start, first, length) == 0
        }
        if let isEqual { return isEqual }
        return utf8.elementsEqual((start..<end).map { self[$0] })
    }

    /// Whether the bytes from `start` to before `end` are those of `text`.
    @inline(__always)
    package func holds(_ text: StaticString, from start: Int, to end: Int) -> Bool {
        precondition(start >= 0 && start <= end && end <= count)
        guard text.hasPointerRepresentation else { return holds(text.description, from: start, to: end) }
        let length = end &- start
        guard text.utf8CodeUnitCount == length else { return false }
        let bytes = unsafe text.utf8Start
        return unsafe memcmp(base + start, bytes, length) == 0
    }

    /// Appends the UTF-8 bytes of `text` in one copy.
    package mutating func append(wholeText text: String) {
        var text = text
        text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return }
            reserve(bytes.count)
            unsafe (base + count).update(from: start, count: bytes.count)
            count += bytes.count
        }
    }
}

/// Numbers from their text, if it is short enough to be exact in one word.
extension ByteBuffer {
    /// The value of `-?[0-9]{1,18}`; nil for any other text.
    @inline(__always)
    package func shortInteger(from start: Int, to end: Int) -> Int64? {
        precondition(start >= 0 && start < end && end <= count)
        let isNegative = unsafe base[start] == ASCII.minus
        let first = isNegative ? start &+ 1 : start
        guard 1...18 ~= end &- first else { return nil }
        var value: Int64 = 0
        for index in first..<end {
            let digit = unsafe base[index] &- ASCII.zero
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int64(digit)
        }
        return isNegative ? 0 &- value : value
    }

    /// The value of `-?digits(.digits)?` with at most fifteen digits. It is one exact division, so the nearest `Double` (Clinger).
    @inline(__always)
    package func shortDecimal(from start: Int, to end: Int) -> Double? {
        precondition(start >= 0 && start < end && end <= count)
        let isNegative = unsafe base[start] == ASCII.minus
        let first = isNegative ? start &+ 1 : start
        guard end &- first <= 16 else { return nil }
        var value: Int64 = 0
        var point = end
        for index in first..<end {
            let byte = unsafe base[index]
            if byte == ASCII.dot {
                point = index &+ 1
                continue
            }
            let digit = byte &- ASCII.zero
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int64(digit)
        }
        guard value < 1 &<< 53 else { return nil }
        var scale = 1.0
        for _ in point..<end { scale *= 10 }
        let magnitude = Double(value) / scale
        return isNegative ? -magnitude : magnitude
    }
}
