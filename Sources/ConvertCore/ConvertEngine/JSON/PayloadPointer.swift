import ConvertText

/// RFC 6901 JSON Pointers into payloads.
package enum PayloadPointer {
    /// One reference token with its slash, for a member's unescaped key or an element's index.
    package static func step(_ name: [UInt8]) -> String {
        var step = ByteBuffer()
        appendStep(name.span, to: &step)
        return step.string(from: 0, to: step.count)
    }

    /// Appends one reference token with its slash.
    package static func appendStep(_ name: Span<UInt8>, to pointer: inout ByteBuffer) {
        pointer.append(ASCII.slash)
        var index = 0
        while true {
            let end = name.firstIndex(of: ASCII.tilde, or: ASCII.slash, from: index, to: name.count)
            pointer.append(name.extracting(index..<end))
            guard end < name.count else { return }
            pointer.append(ASCII.tilde)
            pointer.append(name[end] == ASCII.tilde ? ASCII.zero : ASCII.one)
            index = end + 1
        }
    }
}
